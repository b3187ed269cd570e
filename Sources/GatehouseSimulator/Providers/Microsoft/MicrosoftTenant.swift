/// A directory of Microsoft's: an organization's, or that of all personal accounts.
struct MicrosoftTenant: Sendable, Hashable {
  /// A GUID in lower case.
  let id: String

  /// Two organizations, so that a test can sign in a user whom the client doesn't let in.
  static let first = MicrosoftTenant(id: "aaaabbbb-0000-cccc-1111-dddd2222eeee")
  static let second = MicrosoftTenant(id: "bbbbcccc-1111-dddd-2222-eeee3333ffff")
  /// That of all personal accounts (Microsoft, "ID token claims reference").
  static let personal = MicrosoftTenant(id: "9188040d-6c67-4c5b-b112-36a304b66dad")

  static let known = [first, second, personal]

  var isPersonal: Bool { self == .personal }

  /// Microsoft's name wherever the simulator is.
  var issuer: String { "https://login.microsoftonline.com/\(id)/v2.0" }

  /// What discovery says of tenants that aren't decided yet: a template, and no URL.
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

/// What stands in a path for who may sign in (Microsoft, "OpenID Connect on the Microsoft identity
/// platform").
enum MicrosoftAuthority: Sendable, Equatable {
  /// Work and personal accounts.
  case common
  /// Work accounts of any tenant.
  case organizations
  /// Personal accounts.
  case consumers
  case tenant(MicrosoftTenant)

  /// - Parameter persons: Whose tenants are known too.
  /// - Returns: Nil for a tenant that isn't known.
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

  /// What discovery says, and what the published keys are good for.
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

  /// Where a person signs in of whom no tenant was told.
  var usualTenant: MicrosoftTenant {
    switch self {
    case .common, .organizations: .first
    case .consumers: .personal
    case .tenant(let tenant): tenant
    }
  }
}
