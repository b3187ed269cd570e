import Foundation
import GatehouseProtocol

extension IDToken {
  /// Reads a JWT's claims, without verifying its signature.
  ///
  /// - Throws: ``ClientError/badAnswer(detail:)`` if the token is too long or doesn't have three
  ///   parts, the second part isn't a JSON object, or `sub`, `iat` or `exp` is missing or invalid.
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

  /// The user id of the token.
  var subject: String { claims["sub"]?.string ?? "" }

  /// Compares the tokens byte for byte.
  func isSameToken(as other: IDToken) -> Bool { token.utf8.elementsEqual(other.token.utf8) }

  /// Seconds since 1970, from 0 to the end of the year 9999; nil otherwise.
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
