import Foundation
import GatehouseJSON

extension IDToken {
  /// Reads a JWT's claims. Nothing is verified.
  ///
  /// - Throws: ``ClientError/badAnswer(detail:)`` for what has no three parts, no JSON object in the
  ///   second, or lacks `sub`, `iat` or `exp`.
  package init(parsing token: String) throws(ClientError) {
    guard let payload = UnverifiedPayload(token), payload.subject != nil,
      case let claims = payload.claims, let issued = Self.date(claims["iat"]),
      let expires = Self.date(claims["exp"])
    else { throw .badAnswer(detail: "The ID token can't be read.") }
    let session = claims["firebase"]
    self.init(
      token: token, issuedAt: issued, expiresAt: expires,
      authenticatedAt: Self.date(claims["auth_time"]) ?? issued,
      signInProvider: Provider(session?["sign_in_provider"]?.string ?? ""),
      secondFactor: session?["sign_in_second_factor"]?.string, claims: claims)
  }

  /// Whose token it is.
  var subject: String { claims["sub"]?.string ?? "" }

  /// Compares the tokens themselves: the same text says the same.
  func isSameToken(as other: IDToken) -> Bool { token.utf8.elementsEqual(other.token.utf8) }

  /// Seconds since 1970, within the years that a `Date` can be computed with.
  private static func date(_ claim: JSONValue?) -> Date? {
    guard let seconds = claim?.double, (0...253_402_300_799).contains(seconds) else { return nil }
    return Date(timeIntervalSince1970: seconds)
  }
}

/// Secrets stay out of logs.
extension IDToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "IDToken(expires \(expiresAt))" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: ["expiresAt": expiresAt]) }
}
