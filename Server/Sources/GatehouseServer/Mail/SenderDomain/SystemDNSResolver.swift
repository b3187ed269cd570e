import CResolv
import Dispatch

/// Asks the name servers that the machine is configured to ask, or one given name server.
package struct SystemDNSResolver: DNSResolver {
  /// The address of a name server.
  package struct Server: Sendable {
    /// IPv4.
    package let address: String
    package let port: Int

    package init(address: String, port: Int = 53) {
      self.address = address
      self.port = port
    }
  }

  private let server: Server?
  private static let queue = DispatchQueue(label: "gatehouse.dns")
  /// The largest response over TCP.
  private static let maximumBytes = 65_535

  /// - Parameter server: Nil: the system's name servers.
  package init(asking server: Server? = nil) { self.server = server }

  package func texts(of name: String) async throws(DNSFault) -> [String] {
    try await records(ns_t_txt, of: name).map { data in
      var text: [UInt8] = []
      var rest = data[...]
      // Each part has its length before it (RFC 1035 §3.3.14).
      while let length = rest.popFirst() {
        text += rest.prefix(Int(length))
        rest = rest.dropFirst(Int(length))
      }
      return String(decoding: text, as: UTF8.self)
    }
  }

  package func mailExchangers(of name: String) async throws(DNSFault) -> [String] {
    var found: [(preference: Int, host: String)] = []
    for record in try await records(ns_t_mx, of: name) where record.count > 2 {
      let host = String(decoding: record.dropFirst(2), as: UTF8.self)
      found.append((Int(record[0]) * 256 + Int(record[1]), host == "." ? "" : host))
    }
    return found.sorted { $0.preference < $1.preference }.map(\.host)
  }

  /// The system's resolver blocks, so it runs on a queue of its own.
  private func records(_ type: ns_type, of name: String) async throws(DNSFault) -> [[UInt8]] {
    let result = await withCheckedContinuation { continuation in
      Self.queue.async { continuation.resume(returning: self.ask(Int32(type.rawValue), name)) }
    }
    return try result.get()
  }

  private func ask(_ type: Int32, _ name: String) -> Result<[[UInt8]], DNSFault> {
    var answer = [UInt8](repeating: 0, count: Self.maximumBytes)
    var fault: Int32 = 0
    let length = unsafe gatehouse_dns_ask(
      name, type, server?.address, Int32(server?.port ?? 53), &answer, Int32(answer.count), &fault)
    guard length >= 0 else {
      return fault == HOST_NOT_FOUND || fault == NO_DATA ? .success([]) : .failure(.noAnswer)
    }
    var records: [[UInt8]] = []
    var data = [UInt8](repeating: 0, count: Self.maximumBytes)
    for index in 0..<Int32.max {
      let size = unsafe gatehouse_dns_record(
        answer, length, index, type, &data, Int32(data.count))
      if size == -1 { break }
      // Records of other types are skipped: aliases (CNAME) on the way to the name.
      if size >= 0 { records.append(Array(data.prefix(Int(size)))) }
    }
    return .success(records)
  }
}
