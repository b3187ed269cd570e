/// A Microsoft directory: of an organization, or of all personal accounts.
struct MicrosoftTenant: Sendable, Hashable {
  /// A GUID in lower case.
  let id: String

  /// The first of two organizations, so that a test can sign in a user whom the client doesn't
  /// accept.
  static let first = MicrosoftTenant(id: "aaaabbbb-0000-cccc-1111-dddd2222eeee")
  static let second = MicrosoftTenant(id: "bbbbcccc-1111-dddd-2222-eeee3333ffff")
  /// The tenant of all personal accounts (Microsoft, "ID token claims reference").
  static let personal = MicrosoftTenant(id: "9188040d-6c67-4c5b-b112-36a304b66dad")

  static let known = [first, second, personal]

  var isPersonal: Bool { self == .personal }

  /// Microsoft's issuer, whatever the simulator's address is.
  var issuer: String { "https://login.microsoftonline.com/\(id)/v2.0" }

  /// The issuer in discovery documents without a particular tenant: a template, not a URL.
  static let anyIssuer = "https://login.microsoftonline.com/{tenantid}/v2.0"

  /// Whether the text has the form of a GUID.
  static func isID(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return parts.map(\.count) == [8, 4, 4, 4, 12]
      && parts.joined().allSatisfy { byte in
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
      }
  }
}

/// The tenant part of a path, which says which accounts can sign in (Microsoft, "OpenID Connect on
/// the Microsoft identity platform").
enum MicrosoftAuthority: Sendable, Equatable {
  /// Work and personal accounts.
  case common
  /// Work accounts of any tenant.
  case organizations
  /// Personal accounts.
  case consumers
  case tenant(MicrosoftTenant)

  /// - Parameter persons: Persons whose tenants exist too.
  /// - Returns: Nil for an unknown tenant.
  init?(_ text: String, ofPersons persons: [Person]) {
    let text = text.foldingASCII()
    switch text {
    case "common": self = .common
    case "organizations": self = .organizations
    case "consumers", MicrosoftTenant.personal.id: self = .consumers
    default:
      let tenant = MicrosoftTenant(id: text)
      guard
        MicrosoftTenant.known.contains(tenant)
          || persons.contains(where: { MicrosoftAccount.of($0)?.tenantID == text })
      else { return nil }
      self = .tenant(tenant)
    }
  }

  /// The issuer in the discovery document and in the published keys.
  var issuer: String {
    switch self {
    case .common, .organizations: MicrosoftTenant.anyIssuer
    case .consumers: MicrosoftTenant.personal.issuer
    case .tenant(let tenant): tenant.issuer
    }
  }

  func takes(_ tenant: MicrosoftTenant) -> Bool {
    switch self {
    case .common: true
    case .organizations: !tenant.isPersonal
    case .consumers: tenant.isPersonal
    case .tenant(let own): own == tenant
    }
  }

  /// The tenant for a person without a configured one.
  var usualTenant: MicrosoftTenant {
    switch self {
    case .common, .organizations: .first
    case .consumers: .personal
    case .tenant(let tenant): tenant
    }
  }
}
