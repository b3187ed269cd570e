import Foundation
import GatehouseProtocol

/// A checked request of a browser to the app's own URL. No input traps or grows without limit.
package enum LoopbackRequest: Equatable {
  /// The request isn't complete yet.
  case incomplete
  /// The browser requests the redirect to the sign-in page.
  case begin
  /// The browser returned, with this path and query.
  case answer(String)
  /// Another request. The response has this status, and the wait continues.
  case refused(status: Int)

  /// The longest request head, in bytes: a response contains one link of the server.
  package static let longestBytes = 1 << 15

  /// Checks the bytes of a request that have arrived so far.
  ///
  /// - Parameters:
  ///   - beginPath: The path that was opened.
  ///   - path: The path of the response. Only the browser that was opened knows it.
  ///   - authority: `127.0.0.1:<port>`. If a web page points its own name to this address, the
  ///     browser sends that name in `Host`.
  package init(_ bytes: [UInt8], beginPath: String, path: String, authority: String) {
    guard let end = Self.endOfHead(bytes) else {
      self = bytes.count > Self.longestBytes ? .refused(status: 431) : .incomplete
      return
    }
    guard end <= Self.longestBytes, let head = String(validUTF8: bytes[..<end])
    else {
      self = .refused(status: end > Self.longestBytes ? 431 : 400)
      return
    }
    let lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)
    let request = (lines.first ?? "").split(separator: " ", omittingEmptySubsequences: false)
    // RFC 9112 §3: the method, the target in origin form, the version.
    guard request.count == 3, request[2] == "HTTP/1.1" || request[2] == "HTTP/1.0",
      request[1].hasPrefix("/")
    else {
      self = .refused(status: 400)
      return
    }
    func values(_ name: String) -> [String] {
      lines.dropFirst().compactMap { line in
        guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name else {
          return nil
        }
        return line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      }
    }
    guard values("host") == [authority] else {
      self = .refused(status: 421)
      return
    }
    let target = String(request[1])
    let isBegin = target.utf8.elementsEqual(beginPath.utf8)
    guard isBegin || target.prefix(while: { $0 != "?" }).utf8.elementsEqual(path.utf8) else {
      self = .refused(status: 404)
      return
    }
    guard request[0] == "GET" else {
      self = .refused(status: 405)
      return
    }
    // A page on another site may navigate the browser to this URL, but can't load it as a script or
    // an image (Fetch Metadata).
    guard values("sec-fetch-mode").allSatisfy({ $0 == "navigate" }), isBegin || target.contains("?")
    else {
      self = .refused(status: 403)
      return
    }
    self = isBegin ? .begin : .answer(target)
  }

  /// The index of the empty line after the head.
  private static func endOfHead(_ bytes: [UInt8]) -> Int? {
    let mark: [UInt8] = [13, 10, 13, 10]
    return bytes.indices.first { bytes[$0...].starts(with: mark) }
  }
}
