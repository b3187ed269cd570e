import Foundation
import GatehouseProtocol

/// Asks the server whether a token's account and session are still valid (`accounts:lookup` with
/// the token itself: no administrator's key is needed).
struct LivenessCheck: Sendable {
  /// The response about one account has a few kilobytes.
  private static let maximumBytes = 1 << 20

  private let member: String
  private let configuration: VerifierConfiguration
  private let transport: any ServerTransport

  init(
    _ kind: SignedTokenVerifier.Kind, _ configuration: VerifierConfiguration,
    transport: any ServerTransport
  ) {
    member = kind == .sessionCookies ? "sessionCookie" : "idToken"
    self.configuration = configuration
    self.transport = transport
  }

  /// - Parameter text: The verified token of `user`.
  /// - Returns: False if the server doesn't know the token, although its signature was verified: the server has
  ///   discarded the key, or the configuration is wrong.
  func check(_ text: String, of user: AuthenticatedUser) async throws(VerificationError) -> Bool {
    precondition(
      configuration.apiKey != nil, "the configuration needs an API key to ask the server")
    let response: ServerResponse
    do throws(ServerFault) {
      response = try await transport.send(request(text))
    } catch {
      throw .unavailable(error)
    }
    guard response.body.count <= Self.maximumBytes else { throw .unavailable(.tooLarge) }
    let answer = try? JSONObject(
      parsing: Array(response.body),
      limits: JSONLimits(bytes: Self.maximumBytes, depth: 16, values: 100_000))
    guard response.status == 200 else {
      let code = answer?["error"]?["message"]?.string?.prefix { $0 != ":" && $0 != " " }
      if code == "INVALID_ID_TOKEN" || code == "INVALID_SESSION_COOKIE" { return false }
      throw Self.refusal(response.status, code)
    }
    // A response about another account is refused.
    guard let uid = answer?["users"]?.array?.first?["localId"]?.string, user.isUser(uid) else {
      throw .unavailable(.malformed)
    }
    return true
  }

  private func request(_ text: String) -> ServerRequest {
    ServerRequest(
      url: configuration.serverURL.appendingPathComponent("v1/accounts:lookup"),
      body: Data(JSONValue.object([member: .string(text)]).text().utf8),
      headers: ["x-goog-api-key": configuration.apiKey ?? ""], maximumBytes: Self.maximumBytes,
      timeout: configuration.timeout)
  }

  private static func refusal(_ status: Int, _ code: Substring?) -> VerificationError {
    switch code {
    case "TOKEN_EXPIRED": .ended(.revoked)
    case "USER_DISABLED": .ended(.disabled)
    case "USER_NOT_FOUND": .ended(.deleted)
    default: .unavailable(.status(status))
    }
  }
}
