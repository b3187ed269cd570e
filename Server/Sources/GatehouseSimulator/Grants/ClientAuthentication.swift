import Foundation
import HTTPTypes
import Hummingbird

/// How a client authenticates at the token endpoint (RFC 6749 §2.3, OpenID Connect Core §9).
struct ClientAuthentication: Sendable {
  let clientID: String
  private let proof: Proof

  private enum Proof: Sendable {
    /// For an app that can't keep a secret.
    case none
    case secret(String, AuthenticationMethod)
    case assertion(ClientAssertion)

    var method: AuthenticationMethod {
      switch self {
      case .none: .none
      case .secret(_, let method): method
      case .assertion: .privateKeyJWT
      }
    }
  }

  /// - Throws: `invalid_request` if the request names no client, or uses several authentication
  ///   methods; `invalid_client` for a malformed `Authorization` header or assertion.
  init(_ request: Request, _ form: RequestForm) throws(SimulatorError) {
    let header = request.headers[.authorization]
    let ways = [header, form["client_secret"], form["client_assertion"]].compactMap(\.self)
    guard ways.count <= 1 else {
      throw .invalidRequest("The client must use only one authentication method.")
    }
    if let header {
      let (id, secret) = try Self.parseBasic(header)
      clientID = id
      proof = .secret(secret, .secretInHeader)
    } else if let text = form["client_assertion"] {
      guard form["client_assertion_type"] == ClientAssertion.type else {
        throw .invalidRequest("client_assertion_type must be \(ClientAssertion.type).")
      }
      let assertion = try ClientAssertion(text)
      clientID = assertion.clientID
      proof = .assertion(assertion)
    } else {
      clientID = try form.require("client_id")
      proof = form.filled("client_secret").map { .secret($0, .secretInBody) } ?? .none
    }
    if let inForm = form.filled("client_id"), !inForm.isSame(as: clientID) {
      throw .invalidRequest("client_id differs from the authenticated client.")
    }
  }

  /// Checks the proof against the client's registration. An unregistered client may present any secret
  /// or none; its assertions are rejected.
  ///
  /// - Parameter audiences: The accepted audiences of an assertion.
  /// - Throws: `invalid_client`; `invalid_request` if a required secret is missing.
  func check(
    at provider: Provider, audiences: [String], now: Date, in state: inout SimulatorState
  ) throws(SimulatorError) {
    let registered = state.clients[provider, clientID]
    if let method = registered?.onlyMethod, method != proof.method {
      throw Self.invalidClient("The client is registered to authenticate by \(method.rawValue).")
    }
    switch proof {
    case .assertion(let assertion):
      guard let keys = registered?.keys, !keys.isEmpty else {
        throw ClientAssertion.refusal("the client has no registered keys")
      }
      let id = try assertion.verify(keys, audiences: audiences, now: now)
      let use = Identifier("\(provider.rawValue) \(clientID.utf8.count) \(clientID) \(id)")
      guard state.assertions[use] == nil else {
        throw ClientAssertion.refusal("it was already used")
      }
      state.assertions.set(now, for: use)
    case .secret(let secret, _):
      guard let expected = registered?.clientSecret else { return }
      guard secret.isSameSecret(as: expected) else { throw Self.invalidClient("Unauthorized") }
    case .none:
      guard registered?.clientSecret == nil else {
        throw .invalidRequest("client_secret is missing.")
      }
    }
  }

  private static func parseBasic(
    _ header: String
  ) throws(SimulatorError) -> (String, String) {
    let parts = header.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, String(parts[0]).foldingASCII() == "basic",
      let data = Data(base64Encoded: String(parts[1])),
      let text = String(validating: data, as: UTF8.self),
      let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
    else { throw invalidClient("The Authorization header is not valid Basic authentication.") }
    // Both halves are form-encoded before they are joined (RFC 6749 §2.3.1).
    let pair = "id=\(text[..<colon])&secret=\(text[colon...].dropFirst())"
    let form = try RequestForm(parsing: pair)
    return (try form.require("id"), form["secret"] ?? "")
  }

  private static func invalidClient(_ message: String) -> SimulatorError {
    var error = SimulatorError(.unauthorized, "invalid_client", message)
    error.challenge = "Basic realm=\"simulator\""
    return error
  }
}
