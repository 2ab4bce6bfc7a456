// swift-tools-version: 6.2
import PackageDescription

// How a program outside of this repository depends on the library; a path stands for its address here.
let package = Package(
  name: "jump-list",
  dependencies: [.package(name: "quickactions", path: "../../..")],
  targets: [
    .executableTarget(
      name: "jump-list", dependencies: [.product(name: "QuickActionsClient", package: "quickactions")])
  ],
  swiftLanguageModes: [.v6]
)
