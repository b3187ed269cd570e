import GatehouseProtocol
package import GatehouseTokens

/// Which Microsoft accounts can sign in: the tenant in the configured issuer,
/// `https://login.microsoftonline.com/<tenant>/v2.0`.
///
/// <https://learn.microsoft.com/en-us/entra/identity-platform/v2-protocols-oidc#find-your-apps-openid-configuration-document-uri>
package enum MicrosoftTenant: Hashable, Sendable {
  /// Work, school and personal accounts of any tenant.
  case common
  /// Work and school accounts of any tenant.
  case organizations
  /// Personal accounts.
  case consumers
  /// Accounts of one tenant: its id, a UUID in lower case.
  case id(String)

  /// The tenant of all personal accounts.
  static let personalAccounts = "9188040d-6c67-4c5b-b112-36a304b66dad"

  private static let prefix = "https://login.microsoftonline.com/"
  private static let suffix = "/v2.0"

  /// - Returns: Nil unless `name` is `common`, `organizations`, `consumers` or a UUID. Microsoft
  ///   also accepts a domain as a tenant's name, but tokens contain only the id.
  package init?(_ name: String) {
    switch name {
    case "common": self = .common
    case "organizations": self = .organizations
    case "consumers": self = .consumers
    default:
      let id = name.lowercased()
      guard TenantRule.isTenantID(id) else { return nil }
      self = .id(id)
    }
  }

  /// Reads ``issuer``; nil and an empty text mean ``common``.
  package init?(issuer: String?) {
    guard let issuer, !issuer.isEmpty else {
      self = .common
      return
    }
    guard issuer.utf8.starts(with: Self.prefix.utf8), issuer.hasSuffix(Self.suffix) else {
      return nil
    }
    self.init(String(issuer.dropFirst(Self.prefix.count).dropLast(Self.suffix.count)))
  }

  package var name: String {
    switch self {
    case .common: "common"
    case .organizations: "organizations"
    case .consumers: "consumers"
    case .id(let id): id
    }
  }

  /// The issuer in a provider's configuration.
  package var issuer: String { Self.prefix + name + Self.suffix }

  /// Which tokens are accepted. The host is pinned; only the tenant differs.
  package var rule: TenantRule {
    let pattern = Self.prefix + "{tenantid}" + Self.suffix
    return switch self {
    case .common: TenantRule(pattern: pattern, tenants: .any)
    case .organizations:
      TenantRule(pattern: pattern, tenants: .except(Self.personalAccounts))
    case .consumers: TenantRule(pattern: pattern, tenants: .only(Self.personalAccounts))
    case .id(let id): TenantRule(pattern: pattern, tenants: .only(id))
    }
  }
}
