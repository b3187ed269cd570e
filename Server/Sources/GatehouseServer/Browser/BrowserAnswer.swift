package import Foundation
package import GatehouseProtocol

/// A provider's response that came through the browser. It isn't verified yet: only the browser
/// sign-in to which it belongs is known.
package struct BrowserAnswer: Sendable {
  package let signIn: BrowserSignIn
  package let proof: Proof
  /// `iss` of the response (RFC 9207), if there was one.
  package let issuer: String?
  /// The name in Apple's `user` field, which Apple sends once. It is not signed: the browser's user
  /// can write any name.
  package let userName: UserName?
  package let arrivedAt: Date

  /// How long an app may take to redeem the response. Seconds. Apple's codes are not valid for longer.
  package static let lifetimeSeconds: TimeInterval = 300

  package enum Proof: Sendable {
    case code(Secret<String>)
    case idToken(Secret<String>)
  }

  package init(
    to signIn: BrowserSignIn, _ proof: Proof, issuer: String?, userName: UserName? = nil,
    arrivedAt: Date
  ) {
    self.signIn = signIn
    self.proof = proof
    self.issuer = issuer
    self.userName = userName
    self.arrivedAt = arrivedAt.wholeMilliseconds
  }
}
