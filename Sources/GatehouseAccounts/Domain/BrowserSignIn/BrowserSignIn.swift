import Crypto
package import Foundation
package import GatehouseModel
import GatehouseTokens

/// A sign-in for which a browser is sent to a provider: what has to be known again when it comes
/// back.
///
/// It travels as the `state` parameter, sealed: see ``BrowserSignInCodec``. Everything that binds the
/// answer to the request follows from one secret of it, which nobody but this server can read:
///
/// | | keeps whom out |
/// |---|---|
/// | ``nonce`` (OpenID Connect Core §3.1.2.1) | who has an ID token of another request |
/// | ``codeVerifier`` (RFC 7636) | who has the code, but not this sign-in |
/// | ``cookieValue`` | who finishes in another browser what they began in theirs |
/// | ``sessionDigest`` | the app that didn't begin it |
package struct BrowserSignIn: Sendable {
  package let project: ProjectID
  package let provider: ProviderID
  /// Of the authorization request, to be repeated in the exchange of the code.
  package let redirectURI: String
  /// What the provider was asked for.
  package let response: Response
  /// Whether the authorization request has a challenge.
  package let usesPKCE: Bool
  /// SHA-256 of the session id that the app keeps, or that a page gets in the end: 32 bytes.
  package let sessionDigest: [UInt8]
  /// Where the browser goes in the end; nil where the app takes the provider's answer itself.
  package let destination: Destination?
  /// The client that asked, if it isn't the provider's first: see `ProviderClient`.
  package let clientID: String?
  /// How the app wants the user to have authenticated.
  package let demand: AuthenticationDemand
  package let startedAt: Date
  let secret: Secret<[UInt8]>

  /// How long the person has at the provider. Seconds.
  package static let lifetimeSeconds: TimeInterval = 600
  static let secretBytes = 32

  package enum Response: String, Hashable, Sendable {
    /// An authorization code (RFC 6749 §4.1).
    case code
    /// An ID token through the browser (OpenID Connect Core §3.2).
    case idToken
  }

  /// What a sign-in begins with; the rest is made here.
  package struct Start: Sendable {
    package var provider: ProviderID
    package var redirectURI: String
    package var response = Response.code
    package var usesPKCE = true
    /// Nil: of a session id that is made here, ``BrowserSignIn/ownSessionID``.
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

  init(_ start: Start, in project: ProjectID, now: Date) {
    var generator = SystemRandomNumberGenerator()
    let secret = (0..<Self.secretBytes).map { _ in
      UInt8.random(in: .min ... .max, using: &generator)
    }
    self.init(start, in: project, startedAt: now.wholeMilliseconds, secret: Secret(secret))
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

  /// As an app gives it to the handler: SHA-256 in lower-case hex.
  package static func digest(ofSession sessionID: String) -> [UInt8] {
    Array(SHA256.hash(data: Data(sessionID.utf8)))
  }

  // MARK: What binds the answer to the request

  /// Raw: its SHA-256 in hex goes to the provider.
  package var nonce: String { Base64URL.encode(derived("nonce")) }

  /// 43 characters (RFC 7636 §4.1).
  package var codeVerifier: String? { usesPKCE ? Base64URL.encode(derived("verifier")) : nil }

  /// What tells the cookies of several sign-ins in one browser apart: 16 hexadecimal digits.
  package var cookieTag: String { Hexadecimal.text(derived("tag").prefix(8)) }

  /// What the browser keeps, and nobody else has.
  package var cookieValue: Secret<String> { Secret(Base64URL.encode(derived("cookie"))) }

  /// The session id of who kept none of their own, which a page can't while the browser is elsewhere:
  /// they get it when the browser is back, and not before. Whoever sees the answer's link on its way to
  /// the server, in a log for instance, lacks it.
  package var ownSessionID: Secret<String> { Secret(Base64URL.encode(derived("session"))) }

  /// A step that is taken once.
  enum Step: String {
    /// The browser comes back from the provider.
    case arrival
    /// The app redeems what came back.
    case redemption
  }

  func singleUse(of step: Step) -> SingleUseToken {
    SingleUseToken(
      digest: derived(step.rawValue),
      // The longest that an answer lives, and a minute for another server's clock.
      expiresAt: startedAt.addingTimeInterval(
        Self.lifetimeSeconds + BrowserAnswer.lifetimeSeconds + 60))
  }

  private func derived(_ label: String) -> [UInt8] { Self.derived(label, from: secret) }

  private static func derived(_ label: String, from secret: Secret<[UInt8]>) -> [UInt8] {
    Array(
      HMAC<SHA256>.authenticationCode(
        for: Data("gatehouse/browser/\(label)".utf8), using: SymmetricKey(data: secret.reveal())))
  }
}

/// Why what a browser or an app brought back from a provider isn't taken.
package enum BrowserSignInFault: Hashable, Sendable {
  case stateMissing
  /// Altered, made up, or of another project.
  case notIssued
  case expired
  /// Begun in another browser, or the browser kept no cookie.
  case otherBrowser
  /// Another session id than the one that it was begun with, or none.
  case otherSession
  case used
  /// Signing in was asked for, and the answer is used to link, or the other way round.
  case otherPurpose
  /// Begun with another provider than the request names.
  case otherProvider
  /// It came to another address than the one that the provider was given.
  case otherAddress
  /// Neither what the provider was asked for, nor an error.
  case answerMissing
  /// The provider's error, a name as RFC 6749 §4.1.2.1 has it.
  case refusedByProvider(String)
  /// Two readers of such an answer could read different things.
  case repeatedParameter
}
