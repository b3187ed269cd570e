public import Foundation
public import GatehouseProtocol

/// An ID token of the server, and its claims.
///
/// The signature isn't verified here, because the token came from the server over TLS. A back end
/// verifies it with the server's key set.
public struct IDToken: Sendable, Hashable {
  /// The JWT, in compact form.
  public let token: String
  public let issuedAt: Date
  public let expiresAt: Date
  /// When the user last authenticated (`auth_time`), by the server's clock.
  public let authenticatedAt: Date
  public let signInProvider: Provider
  public let secondFactor: String?
  public let claims: JSONObject

  package init(
    token: String, issuedAt: Date, expiresAt: Date, authenticatedAt: Date,
    signInProvider: Provider, secondFactor: String?, claims: JSONObject
  ) {
    self.token = token
    self.issuedAt = issuedAt
    self.expiresAt = expiresAt
    self.authenticatedAt = authenticatedAt
    self.signInProvider = signInProvider
    self.secondFactor = secondFactor
    self.claims = claims
  }
}
