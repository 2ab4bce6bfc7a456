print("quickactionsd")
