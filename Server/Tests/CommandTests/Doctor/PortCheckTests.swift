import Foundation
import Testing

@testable import gatehouse

@Suite struct PortCheckTests {
  @Test func `a port in use fails, unless a running server has it`() throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let port = withUnsafeMutablePointer(to: &address) { pointer -> Int in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard bind(descriptor, address, length) == 0, listen(descriptor, 1) == 0,
          getsockname(descriptor, address, &length) == 0
        else { return 0 }
        return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
          Int(UInt16(bigEndian: $0.pointee.sin_port))
        }
      }
    }
    try #require(port > 0)
    let own = getpid()
    let taken = PortCheck.finding(port: port, flag: "--port", servers: [])
    #expect(verdict([taken]) == "failed")
    #expect(taken.detail.contains("(process \(own))"))
    let served = PortCheck.finding(port: port, flag: "--port", servers: [own])
    #expect(verdict([served]) == "ok")
  }

  @Test func `any free port passes`() {
    let finding = PortCheck.finding(port: 0, flag: "--port", servers: [])
    #expect(verdict([finding]) == "ok")
  }
}
