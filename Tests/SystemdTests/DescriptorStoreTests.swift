import Glibc
import Posix
import Systemd
import Testing

/// Variables belong to the whole process: each test has a process of its own.
struct DescriptorStoreTests {
  @Test("without a manager, or with a dead one, there is no store")
  func none() async {
    await #expect(processExitsWith: .success) {
      unsetenv("NOTIFY_SOCKET")
      if DescriptorStore() != nil { Process.exit(1) }
      setenv("NOTIFY_SOCKET", "/nowhere/notify", 1)
      if DescriptorStore() != nil { Process.exit(1) }
    }
  }

  @Test("a manager is reached by a name in the abstract namespace too, and told what to keep and to drop")
  func abstract() async {
    await #expect(processExitsWith: .success) {
      let name = "quickactions-test-\(getpid())-\(UInt32.random(in: .min ... .max))"
      let manager = FileDescriptor(owning: socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0))
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0[1...].copyBytes(from: name.utf8) }
      let length = socklen_t((MemoryLayout.offset(of: \sockaddr_un.sun_path) ?? 0) + 1 + name.utf8.count)
      let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(manager.raw, $0, length) }
      }
      #expect(result == 0)
      setenv("NOTIFY_SOCKET", "@" + name, 1)
      guard let store = DescriptorStore() else { fatalError("the manager was not reached") }
      let pair = try SocketPair()
      let (added, removed) = (try store.add(pair.second.raw, name: "c1"), try store.remove(name: "c1"))
      #expect(added && removed)
      var batch = DatagramBatch()
      let count = try batch.receive(from: manager.raw)
      let messages = (0..<count).map { batch[$0].map { String(decoding: $0, as: UTF8.self) } }
      #expect(messages == ["FDSTORE=1\nFDPOLL=0\nFDNAME=c1", "FDSTOREREMOVE=1\nFDNAME=c1"])
    }
  }
}
