import Foundation

/// What a browser sent to the app's own address, judged. No input traps or grows without a bound.
package enum LoopbackRequest: Equatable {
  /// The rest hasn't come.
  case incomplete
  /// The browser that was opened asks where to go.
  case begin
  /// The browser came back, with this path and query.
  case answer(String)
  /// Something else; it is told this status, and the wait goes on.
  case refused(status: Int)

  /// The longest head, in bytes: an answer carries one link of the server's.
  package static let longestBytes = 1 << 15

  /// Judges the bytes of a request as far as they came.
  ///
  /// - Parameters:
  ///   - beginPath: What was opened.
  ///   - path: Where the answer comes to. Nobody but the browser that was opened knows it.
  ///   - authority: `127.0.0.1:<port>`: a page that has its own name point here sends that in `Host`.
  package init(_ bytes: [UInt8], beginPath: String, path: String, authority: String) {
    guard let end = Self.endOfHead(bytes) else {
      self = bytes.count > Self.longestBytes ? .refused(status: 431) : .incomplete
      return
    }
    guard end <= Self.longestBytes, let head = String(validating: bytes[..<end], as: UTF8.self)
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
    // A page elsewhere may send the browser here, but not by a script or an image (Fetch Metadata).
    guard values("sec-fetch-mode").allSatisfy({ $0 == "navigate" }), isBegin || target.contains("?")
    else {
      self = .refused(status: 403)
      return
    }
    self = isBegin ? .begin : .answer(target)
  }

  /// Where the empty line begins.
  private static func endOfHead(_ bytes: [UInt8]) -> Int? {
    let mark: [UInt8] = [13, 10, 13, 10]
    return bytes.indices.first { bytes[$0...].starts(with: mark) }
  }
}
