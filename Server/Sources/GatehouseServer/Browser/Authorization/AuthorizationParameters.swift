import GatehouseProtocol

/// Parameters that an app adds to the authorization request.
package enum AuthorizationParameters {
  package static let maximumCount = 20
  package static let maximumNameBytes = 64
  package static let maximumValueBytes = 1024

  /// Parameters that any client may set, such as the look of the provider's page and the proposed
  /// user. OpenID Connect Core §3.1.2.1; Google, `access_type hd hl include_granted_scopes`;
  /// Microsoft, `domain_hint` and `tenant`, which Firebase's clients send and the configured tenant
  /// overrides; GitHub, `login allow_signup`; Facebook, `auth_type display`; Auth0, `connection
  /// organization screen_hint`; Keycloak, `kc_idp_hint`; Apple, `locale`.
  private static let allowed = [
    "login_hint", "prompt", "display", "max_age", "ui_locales", "claims_locales", "acr_values",
    "access_type", "hd", "hl", "include_granted_scopes", "domain_hint", "auth_type", "connection",
    "organization", "screen_hint", "kc_idp_hint", "locale", "tenant", "login", "allow_signup",
  ]

  /// Why a parameter is rejected.
  package enum Fault: Error, Hashable, Sendable {
    case reserved(String)
    case notAllowed(String)
    /// A name or a value is too long or has a forbidden character, a name is empty or occurs twice,
    /// there are too many parameters, or `max_age` isn't a number of at most nine digits.
    case form
  }

  /// - Parameters:
  ///   - more: Names that the provider's configuration allows.
  ///   - allowsAny: Whether every parameter that isn't reserved is accepted: from an
  ///     administrator, and in `--dev`.
  package static func check(
    _ parameters: [(name: String, value: String)], allowing more: [String] = [], allowsAny: Bool
  ) throws(Fault) {
    guard parameters.count <= maximumCount else { throw .form }
    for (index, (name, value)) in parameters.enumerated() {
      guard isName(name),
        value.utf8.count <= maximumValueBytes,
        !value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }),
        !parameters[..<index].contains(where: { $0.name.hasSameBytes(as: name) })
      else { throw .form }
      guard !ReservedParameters.contains(name) else { throw .reserved(name) }
      guard allowsAny || allowed.containsBytes(of: name) || more.containsBytes(of: name) else {
        throw .notAllowed(name)
      }
    }
    guard AuthenticationDemand(parameters: parameters) != nil else { throw .form }
  }

  /// Whether a provider's configuration may allow the parameter to apps.
  static func isAllowable(_ name: String) -> Bool {
    isName(name) && !ReservedParameters.contains(name)
  }

  private static func isName(_ name: String) -> Bool {
    (1...maximumNameBytes).contains(name.utf8.count)
      && name.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }

  /// Whether each text is a scope (RFC 6749 §3.3) of at most 256 bytes, and there are at most 32.
  package static func areScopes(_ scopes: [String]) -> Bool {
    scopes.count <= 32
      && scopes.allSatisfy { scope in
        (1...256).contains(scope.utf8.count)
          && scope.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
      }
  }
}
