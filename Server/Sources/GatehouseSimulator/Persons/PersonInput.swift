import Foundation

/// The body of `POST /simulator/persons`. Only `id` is required.
struct PersonInput: RequestBodyMembers {
  private static let common: Set<String> = [
    "id", "email", "emailVerified", "givenName", "familyName", "picture", "hostedDomain",
    "realUserStatus", "hidesEmail",
  ]
  static var members: Set<String> { common.union(accountTypes.keys) }
  static var objects: [String: any RequestBodyMembers.Type] {
    accountTypes.mapValues { $0 as any RequestBodyMembers.Type }
  }

  var id: String
  var email: String?
  var emailVerified: Bool?
  var givenName: String?
  var familyName: String?
  var picture: String?
  var hostedDomain: String?
  var realUserStatus: Int?
  var hidesEmail: Bool?
  /// By the provider's name.
  var accounts: [String: any ProviderAccount] = [:]

  /// - Throws: `invalid_request` that names the member.
  func person() throws(SimulatorError) -> Person {
    guard (1...64).contains(id.utf8.count), id.utf8.allSatisfy(Self.isIDByte) else {
      throw .invalidRequest("\"id\" must be 1 to 64 of A-Z a-z 0-9 . _ -")
    }
    let email = email ?? "\(id)@example.com"
    guard Self.isAddress(email) else {
      throw .invalidRequest("\"email\" must be an address of at most 254 bytes")
    }
    for (member, value, limit) in [
      ("givenName", givenName, 256), ("familyName", familyName, 256), ("picture", picture, 2048),
      ("hostedDomain", hostedDomain, 253),
    ] {
      guard (value?.utf8.count ?? 0) <= limit else {
        throw .invalidRequest("\"\(member)\" must be at most \(limit) bytes")
      }
    }
    guard (0...2).contains(realUserStatus ?? 2) else {
      throw .invalidRequest("\"realUserStatus\" must be 0 (unsupported), 1 (unknown) or 2 (real)")
    }
    var person = Person(
      id: id, email: email, givenName: givenName, familyName: familyName,
      hostedDomain: hostedDomain)
    person.emailVerified = emailVerified ?? true
    person.picture = picture
    person.realUserStatus = realUserStatus ?? 2
    person.hidesEmail = hidesEmail ?? false
    for (name, account) in accounts {
      try account.check()
      person.accounts[name] = try account.told()
    }
    return person
  }

  static func isIDByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }

  /// Whether there is one `@` with text on both sides, and no character that a mailbox can't have.
  private static func isAddress(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    return text.utf8.count <= 254 && parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
      && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
  }
}

extension PersonInput {
  init(id: String, email: String?, givenName: String?, familyName: String?) {
    self.id = id
    self.email = email
    self.givenName = givenName
    self.familyName = familyName
  }

  private enum CodingKeys: String, CodingKey {
    case id, email, emailVerified, givenName, familyName, picture, hostedDomain, realUserStatus,
      hidesEmail
  }

  private static var accountTypes: [String: any ProviderAccount.Type] {
    Dictionary(
      Provider.kinds.compactMap { kind in kind.accountType.map { (kind.id, $0) } }
    ) { first, _ in first }
  }

  init(from decoder: any Decoder) throws {
    let common = try decoder.container(keyedBy: CodingKeys.self)
    id = try common.decode(String.self, forKey: .id)
    email = try common.decodeIfPresent(String.self, forKey: .email)
    emailVerified = try common.decodeIfPresent(Bool.self, forKey: .emailVerified)
    givenName = try common.decodeIfPresent(String.self, forKey: .givenName)
    familyName = try common.decodeIfPresent(String.self, forKey: .familyName)
    picture = try common.decodeIfPresent(String.self, forKey: .picture)
    hostedDomain = try common.decodeIfPresent(String.self, forKey: .hostedDomain)
    realUserStatus = try common.decodeIfPresent(Int.self, forKey: .realUserStatus)
    hidesEmail = try common.decodeIfPresent(Bool.self, forKey: .hidesEmail)
    let ofProviders = try decoder.container(keyedBy: MemberName.self)
    for (name, type) in Self.accountTypes where ofProviders.contains(MemberName(name)) {
      accounts[name] = try ofProviders.decode(type, forKey: MemberName(name))
    }
  }
}

extension ProviderAccount {
  /// - Throws: `invalid_request` for a value that JSON can't represent.
  fileprivate func told() throws(SimulatorError) -> JSONValue {
    guard let data = try? JSONEncoder().encode(self),
      let value = try? JSONDecoder().decode(JSONValue.self, from: data)
    else { throw .invalidRequest("The account can't be stored.") }
    return value
  }
}
