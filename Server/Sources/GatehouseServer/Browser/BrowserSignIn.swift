import Crypto
package import Foundation
package import GatehouseProtocol
import GatehouseTokens

/// A sign-in for which a browser opens a provider's page: what the server must know when the
/// browser comes back.
///
/// The server sends it to the provider as the `state` parameter, encrypted: see
/// ``BrowserSignInCodec``. Everything that binds the response to the request is derived from one
/// secret in the `state`, which only this server can decrypt:
///
/// | | protects against |
/// |---|---|
/// | ``nonce`` (OpenID Connect Core §3.1.2.1) | an attacker with an ID token of another request |
/// | ``codeVerifier`` (RFC 7636) | an attacker who has the code, but not this sign-in |
/// | ``cookieValue`` | an attacker who makes a user's browser finish a sign-in that the attacker began |
/// | ``sessionDigest`` | an app that didn't begin the sign-in |
package struct BrowserSignIn: Sendable {
  package let project: ProjectID
  package let provider: ProviderID
  /// The `redirect_uri` of the authorization request, to be repeated when the code is exchanged.
  package let redirectURI: String
  /// What the provider was asked to return.
  package let response: Response
  /// Whether the authorization request has a challenge.
  package let usesPKCE: Bool
  /// SHA-256 of the session id that the app keeps, or that a page gets at the end: 32 bytes.
  package let sessionDigest: [UInt8]
  /// Where the response goes at the end; nil if the app receives the provider's response itself.
  package let destination: Destination?
  /// The client id in the request, if it isn't the provider's first one: see `ProviderClient`.
  package let clientID: String?
  /// How the app requires the user to authenticate.
  package let demand: AuthenticationDemand
  package let startedAt: Date
  let secret: Secret<[UInt8]>

  /// How long the user may take at the provider. Seconds.
  package static let lifetimeSeconds: TimeInterval = 600
  static let secretBytes = 32

  package enum Response: String, Hashable, Sendable {
    /// An authorization code (RFC 6749 §4.1).
    case code
    /// An ID token through the browser (OpenID Connect Core §3.2).
    case idToken
  }

  /// The parameters of a new sign-in. The rest is generated.
  package struct Start: Sendable {
    package var provider: ProviderID
    package var redirectURI: String
    package var response = Response.code
    package var usesPKCE = true
    /// Nil: the digest of a session id that the server generates, ``BrowserSignIn/ownSessionID``.
    package var sessionDigest: [UInt8]?
    package var destination: Destination?
    package var clientID: String?
    package var demand = AuthenticationDemand()

    package init(provider: ProviderID, redirectURI: String, sessionDigest: [UInt8]?) {
      self.provider = provider
      self.redirectURI = redirectURI
      self.sessionDigest = sessionDigest
    }
  }

  package init(_ start: Start, in project: ProjectID, now: Date) {
    var generator = SystemRandomNumberGenerator()
    let secret = Secret(generator.bytes(Self.secretBytes))
    self.init(start, in: project, startedAt: now.wholeMilliseconds, secret: secret)
  }

  init(_ start: Start, in project: ProjectID, startedAt: Date, secret: Secret<[UInt8]>) {
    self.project = project
    provider = start.provider
    redirectURI = start.redirectURI
    response = start.response
    usesPKCE = start.usesPKCE
    destination = start.destination
    clientID = start.clientID
    demand = start.demand
    self.startedAt = startedAt
    self.secret = secret
    let ownSession = Self.derived("session", from: secret)
    sessionDigest =
      start.sessionDigest ?? Self.digest(ofSession: Base64URL.encode(ownSession))
  }

  /// The SHA-256 of a session id. An app sends it to the handler in hexadecimal digits.
  package static func digest(ofSession sessionID: String) -> [UInt8] {
    Array(SHA256.hash(data: Data(sessionID.utf8)))
  }

  // MARK: What binds the response to the request

  /// The raw nonce. The provider gets its SHA-256 in hexadecimal digits.
  package var nonce: String { Base64URL.encode(derived("nonce")) }

  /// 43 characters (RFC 7636 §4.1).
  package var codeVerifier: String? { usesPKCE ? Base64URL.encode(derived("verifier")) : nil }

  /// Distinguishes the cookies of several sign-ins in one browser: 16 hexadecimal digits.
  package var cookieTag: String { Hexadecimal.text(derived("tag").prefix(8)) }

  /// The cookie's value. Only the browser that began the sign-in has it.
  package var cookieValue: Secret<String> { Secret(Base64URL.encode(derived("cookie"))) }

  /// The session id for a page. A page can't keep a session id while the browser shows another site,
  /// so it gets this one only when the browser is back. An attacker who sees the response's link on
  /// its way to the server, for instance in a log, doesn't have the session id.
  package var ownSessionID: Secret<String> { Secret(Base64URL.encode(derived("session"))) }

  /// A step that is possible once.
  enum Step: String {
    /// The browser comes back from the provider.
    case arrival
    /// The app redeems the response.
    case redemption
  }

  func singleUse(of step: Step) -> SingleUseToken {
    SingleUseToken(
      digest: derived(step.rawValue),
      acceptedUntil: startedAt.addingTimeInterval(
        Self.lifetimeSeconds + BrowserAnswer.lifetimeSeconds))
  }

  private func derived(_ label: String) -> [UInt8] { Self.derived(label, from: secret) }

  private static func derived(_ label: String, from secret: Secret<[UInt8]>) -> [UInt8] {
    Array(
      HMAC<SHA256>.authenticationCode(
        for: Data("gatehouse/browser/\(label)".utf8), using: SymmetricKey(data: secret.reveal())))
  }
}
