import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A test's own requests to the server and the simulator.
enum HTTP {
  static func send(_ method: String, _ url: String, bearer: String? = nil, _ body: JSON? = nil)
    async throws -> Reply
  {
    var request = URLRequest(url: try #require(URL(string: url)), timeoutInterval: 300)
    request.httpMethod = method
    if let body {
      request.httpBody = Data(body.text.utf8)
      request.setValue("application/json", forHTTPHeaderField: "content-type")
    }
    if let bearer { request.setValue("Bearer \(bearer)", forHTTPHeaderField: "authorization") }
    let (data, response) = try await URLSession.shared.data(for: request)
    return Reply(status: (response as? HTTPURLResponse)?.statusCode ?? 0, body: data)
  }

  static func get(_ url: String) async throws -> Reply { try await send("GET", url) }

  static func post(_ url: String, _ body: JSON) async throws -> Reply {
    try await send("POST", url, body)
  }
}

struct Reply: Sendable {
  let status: Int
  let body: Data

  var json: JSON { JSON(reading: body) }
  var text: String { String(decoding: body, as: UTF8.self) }
}

/// A TCP port on loopback on which nothing listens.
enum FreePort {
  static func next() async throws -> Int {
    #if canImport(Glibc)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isBound else { throw MissingTool("The system gave no free port.") }
    return Int(UInt16(bigEndian: address.sin_port))
  }
}
