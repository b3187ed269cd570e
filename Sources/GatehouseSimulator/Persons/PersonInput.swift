/// A person as `POST /simulator/persons` takes one. Only `id` is required.
struct PersonInput: RequestBodyMembers {
  static let members: Set<String> = [
    "id", "email", "emailVerified", "givenName", "familyName", "picture", "hostedDomain",
    "realUserStatus",
  ]

  var id: String
  var email: String?
  var emailVerified: Bool?
  var givenName: String?
  var familyName: String?
  var picture: String?
  var hostedDomain: String?
  var realUserStatus: Int?

  /// - Throws: `invalid_request`, naming the member.
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

  /// One `@` with something on both sides, and nothing that a mailbox can't have.
  private static func isAddress(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    return text.utf8.count <= 254 && parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
      && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
  }
}
