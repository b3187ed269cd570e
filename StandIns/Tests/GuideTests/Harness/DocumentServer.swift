import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Documents over HTTP, for the user whose ID token is in the request. It replaces Firestore and
/// its rules, and an app's own back end (Examples/NotesAPI has one that verifies tokens).
///
/// Reads the user in the token, without verifying it.
final class DocumentServer: Sendable {
  let url: String
  private let descriptor: Int32
  private let documents = Mutex<[String: Data]>([:])
  private let asked = Mutex<[String]>([])
  private let refusedMethod = Mutex<String?>(nil)

  /// The requests, in order: `GET /users/alice`.
  var requests: [String] { asked.withLock { $0 } }
  func document(_ uid: String) -> Data? { documents.withLock { $0["/users/\(uid)"] } }
  /// Refuses all requests with this method from now on, as if the back end were down.
  func refuse(_ method: String?) { refusedMethod.withLock { $0 = method } }

  init() throws {
    #if canImport(Glibc)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let isListening = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, 16) == 0
          && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isListening else { throw MissingTool("The document server has no port.") }
    url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
    Thread.detachNewThread { [self] in accept() }
  }

  /// Ends the thread: no further request gets a response.
  ///
  /// The thread closes the socket. If it were closed here, the next server could get the same descriptor, and this
  /// server's thread would take its connections.
  func stop() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  private func accept() {
    defer { close(descriptor) }
    while true {
      #if canImport(Glibc)
        let connection = Glibc.accept(descriptor, nil, nil)
      #else
        let connection = Musl.accept(descriptor, nil, nil)
      #endif
      guard connection >= 0 else { return }
      serve(connection)
      close(connection)
    }
  }

  private func serve(_ connection: Int32) {
    var received = Data()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while received.count < 1 << 20 {
      if let request = Request(received) { return answer(request, connection) }
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return }
      received += buffer.prefix(count)
    }
  }

  private func answer(_ request: Request, _ connection: Int32) {
    asked.withLock { $0.append("\(request.method) \(request.path)") }
    let isRefused = refusedMethod.withLock { $0 == request.method }
    let (status, body) = documents.withLock { documents -> (String, Data) in
      if isRefused { return ("503 Service Unavailable", Data()) }
      guard let uid = request.uid, request.path == "/users/\(uid)" else {
        return ("403 Forbidden", Data())
      }
      switch request.method {
      case "GET": return documents[request.path].map { ("200 OK", $0) } ?? ("404 Not Found", Data())
      case "PUT":
        documents[request.path] = request.body
        return ("204 No Content", Data())
      case "DELETE":
        documents[request.path] = nil
        return ("204 No Content", Data())
      default: return ("405 Method Not Allowed", Data())
      }
    }
    let head = "HTTP/1.1 \(status)\r\ncontent-length: \(body.count)\r\nconnection: close\r\n\r\n"
    let bytes = Array(Data(head.utf8) + body)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      sent += count
    }
  }

  /// A complete request.
  struct Request {
    let method: String
    let path: String
    let body: Data
    /// The user of the request's token.
    let uid: String?

    init?(_ bytes: Data) {
      guard let end = bytes.range(of: Data("\r\n\r\n".utf8)) else { return nil }
      let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(
        separatedBy: "\r\n")
      let first = lines[0].split(separator: " ").map(String.init)
      guard first.count == 3 else { return nil }
      var headers: [String: String] = [:]
      for line in lines.dropFirst() {
        let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
        if parts.count == 2 {
          headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
      }
      let body = bytes[end.upperBound...]
      guard body.count >= headers["content-length"].flatMap(Int.init) ?? 0 else { return nil }
      (method, path, self.body) = (first[0], first[1], Data(body))
      uid = headers["authorization"].flatMap(Self.subject)
    }

    private static func subject(_ authorization: String) -> String? {
      let parts = authorization.split(separator: ".")
      guard authorization.hasPrefix("Bearer "), parts.count == 3 else { return nil }
      var text = parts[1].replacingOccurrences(of: "-", with: "+")
        .replacingOccurrences(of: "_", with: "/")
      text += String(repeating: "=", count: (4 - text.count % 4) % 4)
      return Data(base64Encoded: text).flatMap { JSON(reading: $0)["sub"].string }
    }
  }
}
