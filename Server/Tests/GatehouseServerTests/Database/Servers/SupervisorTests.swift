import Foundation
import GatehouseServer
import Testing

@Suite struct SupervisorTests {
  @Test func `a supervisor that asks for it is told that the server is ready`() throws {
    try withFolder { folder in
      let path = folder + "/notify"
      let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
      defer { close(descriptor) }
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
      let bound = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      try #require(bound == 0)
      #expect(Supervisor(environment: ["NOTIFY_SOCKET": path]).ready())
      var buffer = [UInt8](repeating: 0, count: 64)
      let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      #expect(String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self) == "READY=1")
    }
  }

  @Test func `without a supervisor, or if it has ended, nothing happens`() throws {
    #expect(!Supervisor(environment: [:]).ready())
    #expect(!Supervisor(environment: ["NOTIFY_SOCKET": ""]).ready())
    #expect(!Supervisor(environment: ["NOTIFY_SOCKET": "/nowhere/at/all"]).ready())
    #expect(
      !Supervisor(environment: ["NOTIFY_SOCKET": String(repeating: "a", count: 500)]).ready())
  }
}
