import Foundation
import Testing

/// A sign-in that is stopped when the provider redirects back.
struct Trip: Sendable {
  let party: RelyingParty
  let app: NativeApp
  let browser: Browser
  /// The server's callback URL with the provider's response.
  let callback: URLComponents

  static func begin(_ party: RelyingParty) async throws -> Trip {
    let (app, browser) = (NativeApp(server: party.server), Browser())
    let started = try await browser.open(party.url(app, [:]), within: [party.server.baseURL])
    guard case .app(let request) = started, let url = request.string else {
      throw Unreachable(what: "the provider: \(started)")
    }
    let answered = try await browser.open(url, within: [party.server.simulatorURL])
    guard case .app(let callback) = answered else {
      throw Unreachable(what: "the callback: \(answered)")
    }
    return Trip(party: party, app: app, browser: browser, callback: callback)
  }

  /// The parameters of the response.
  var answer: [String: String] {
    Dictionary((callback.queryItems ?? []).map { ($0.name, $0.value ?? "") }) { first, _ in first }
  }

  /// Continues at the server, in the browser that began the sign-in or in another one.
  ///
  /// - Parameter text: Appended to the query unchanged.
  func finish(
    in other: Browser? = nil, replacing changes: [String: String] = [:], adding text: String = ""
  ) async throws -> Browser.End {
    let query = answer.merging(changes) { $1 }.sorted { $0.key < $1.key }
      .map { "\($0.key)=\(Form.escape($0.value))" }.joined(separator: "&")
    let base = (callback.string ?? "").prefix { $0 != "?" }
    return try await (other ?? browser).open(
      "\(base)?\(query)\(text)", within: [party.server.baseURL])
  }
}
