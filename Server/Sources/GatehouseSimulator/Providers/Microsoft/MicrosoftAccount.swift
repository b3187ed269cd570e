import Crypto
import Foundation

/// The settings of a person's account at Microsoft: the member `microsoft` of `POST
/// /simulator/persons`.
struct MicrosoftAccount: ProviderAccount {
  static let members: Set<String> = [
    "tenant", "email", "preferredUsername", "emailDomainVerified",
  ]

  /// The only tenant in which the person has an account: a GUID, or `consumers`. By default the
  /// person has an account in every tenant, like a user with one at work and one at home.
  var tenant: String?
  /// The attribute that an administrator can set to any text. The default is the person's address;
  /// an empty text means none.
  var email: String?
  /// The default is the person's address.
  var preferredUsername: String?
  /// The value of the optional claim `xms_edov`. The default is whether the person's address is
  /// verified.
  var emailDomainVerified: Bool?

  var tenantID: String? {
    tenant.map { $0 == "consumers" ? MicrosoftTenant.personal.id : $0.foldingASCII() }
  }

  func check() throws(SimulatorError) {
    guard tenantID.map(MicrosoftTenant.isID) ?? true else {
      throw .invalidRequest("\"microsoft.tenant\" must be a GUID or consumers")
    }
    for (member, text) in [("email", email), ("preferredUsername", preferredUsername)] {
      guard (text?.utf8.count ?? 0) <= 254 else {
        throw .invalidRequest("\"microsoft.\(member)\" must be at most 254 bytes")
      }
    }
  }

  static func of(_ person: Person) -> MicrosoftAccount? {
    person.account(at: "microsoft", as: MicrosoftAccount.self)
  }
}

/// A person's user in one tenant.
struct MicrosoftUser: Sendable {
  let tenant: MicrosoftTenant
  /// Immutable, and the same for all clients: a GUID.
  let objectID: String
  let username: String
  let name: String
  /// Any text. Microsoft doesn't verify it.
  let email: String?
  let emailDomainIsVerified: Bool
  private let personID: String

  /// - Returns: Nil if the person has no account there.
  init?(_ person: Person, at authority: MicrosoftAuthority) {
    let account = MicrosoftAccount.of(person)
    let tenant = account?.tenantID.map { MicrosoftTenant(id: $0) } ?? authority.usualTenant
    guard authority.takes(tenant) else { return nil }
    self.tenant = tenant
    personID = person.id
    username = account?.preferredUsername ?? person.email
    name = person.name ?? person.id
    let email = account?.email ?? person.email
    self.email = email.isEmpty ? nil : email
    emailDomainIsVerified = account?.emailDomainVerified ?? person.emailVerified
    let hex = Hex.text(Self.digest("object\n\(tenant.id)\n\(person.id)").prefix(16))
    // The first half of a personal account's object id is zeros.
    objectID = Self.guid(
      tenant.isPersonal ? String(repeating: "0", count: 16) + hex.suffix(16) : hex)
  }

  /// Pairwise: different for each client.
  func subject(for clientID: String) -> String {
    let text = Base64URL.text(Self.digest("subject\n\(tenant.id)\n\(clientID)\n\(personID)"))
    return tenant.isPersonal ? String(repeating: "A", count: 21) + text.suffix(22) : text
  }

  var json: JSONValue {
    [
      "tenant": .string(tenant.id), "objectID": .string(objectID),
      "preferredUsername": .string(username), "email": .optional(email),
    ]
  }

  private static func digest(_ text: String) -> [UInt8] {
    Array(SHA256.hash(data: Data("microsoft \(text)".utf8)))
  }

  /// - Parameter hex: 32 digits.
  static func guid(_ hex: String) -> String {
    var rest = Substring(hex)
    var parts: [Substring] = []
    for count in [8, 4, 4, 4, 12] {
      parts.append(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    return parts.joined(separator: "-")
  }
}
