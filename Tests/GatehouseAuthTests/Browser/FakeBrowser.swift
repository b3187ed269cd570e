import Foundation
import GatehouseClient
import GatehouseProtocol

/// A browser whose final address a test derives from the opened one.
final class FakeBrowser: WebPresenting {
  static let redirectURL = "com.example.app://firebaseauth/link"

  private let answer: @Sendable (_ opened: [String: String]) throws(DeviceFault) -> URL
  private let last = Locked<URL?>(nil)

  init(_ answer: @escaping @Sendable (_ opened: [String: String]) throws(DeviceFault) -> URL) {
    self.answer = answer
  }

  /// The address that was opened.
  var opened: URL? { last.withLock { $0 } }
  var query: [String: String] { opened.map(Self.query(of:)) ?? [:] }

  func present(
    _ begin: @Sendable (_ redirectURL: String) throws(ClientError) -> URL
  ) async throws(DeviceFault) -> URL {
    let url: URL
    do {
      url = try begin(Self.redirectURL)
    } catch {
      throw .notBegun(error)
    }
    last.withLock { $0 = url }
    return try answer(Self.query(of: url))
  }

  static func query(of url: URL) -> [String: String] {
    let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
    return Dictionary(items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $1 })
  }

  /// The address to which the server's page returns: a link in a link.
  static func address(_ parameters: [String: String]) -> URL {
    var inner = URLComponents()
    inner.scheme = "https"
    inner.host = "auth.example.com"
    inner.path = "/__/auth/callback"
    inner.queryItems = parameters.map { URLQueryItem(name: $0.key, value: $0.value) }
    var outer = URLComponents(string: redirectURL) ?? URLComponents()
    outer.queryItems = [URLQueryItem(name: "deep_link_id", value: inner.string)]
    return outer.url ?? URL(filePath: "/")
  }
}
