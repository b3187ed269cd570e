import Crypto
import Foundation

/// The settings of a person's account at GitHub: the member `github` of `POST /simulator/persons`.
struct GitHubAccount: ProviderAccount {
  static let members: Set<String> = ["login", "id", "publicEmail", "emails"]
  static var objects: [String: any RequestBodyMembers.Type] { ["emails": Email.self] }
  private static let maximumEmails = 20

  struct Email: RequestBodyMembers, Encodable {
    static let members: Set<String> = ["email", "primary", "verified"]

    var email: String
    /// The default is false.
    var primary: Bool?
    /// The default is true.
    var verified: Bool?
  }

  /// 1 to 39 letters, digits and single hyphens; the default is derived from the person's id.
  var login: String?
  /// The default is derived from the person's id.
  var id: Int?
  /// The address that the profile shows; none by default, as at GitHub.
  var publicEmail: String?
  /// The default is the person's address alone.
  var emails: [Email]?

  func check() throws(SimulatorError) {
    if let login, !Self.isLogin(login) {
      throw .invalidRequest(
        "\"github.login\" must be 1 to 39 letters, digits and single hyphens")
    }
    if let id, id < 1 { throw .invalidRequest("\"github.id\" must be 1 or more") }
    guard let emails else { return }
    guard (1...Self.maximumEmails).contains(emails.count) else {
      throw .invalidRequest("\"github.emails\" must contain 1 to \(Self.maximumEmails) addresses")
    }
    guard emails.filter({ $0.primary == true }).count == 1 else {
      throw .invalidRequest("One address of \"github.emails\" must be the primary one")
    }
    for email in emails where email.email.utf8.count > 254 || !email.email.contains("@") {
      throw .invalidRequest("\"github.emails\" must contain only addresses of at most 254 bytes")
    }
  }

  static func isLogin(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return (1...39).contains(text.utf8.count)
      && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(isLetterOrDigit) }
  }

  fileprivate static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    PersonInput.isIDByte(byte) && !"._-".utf8.contains(byte)
  }
}

/// A person's user at GitHub.
struct GitHubUser: Sendable {
  struct Email: Sendable {
    let email: String
    let isPrimary: Bool
    let isVerified: Bool
    /// `public` or `private` for the primary address; null for others.
    let visibility: String?

    var json: JSONValue {
      [
        "email": .string(email), "primary": .bool(isPrimary), "verified": .bool(isVerified),
        "visibility": .optional(visibility),
      ]
    }
  }

  let id: Int
  let login: String
  let name: String?
  let picture: String?
  let publicEmail: String?
  /// The primary address first; last the address that GitHub gives each account to hide the others.
  let emails: [Email]

  var primaryIsVerified: Bool { emails.contains { $0.isPrimary && $0.isVerified } }

  init(_ person: Person) {
    let account = person.account(at: "github", as: GitHubAccount.self)
    let digest = Array(SHA256.hash(data: Data("github user\n\(person.id)".utf8)))
    let id =
      account?.id ?? 10_000_000 + digest.prefix(4).reduce(0) { $0 << 8 + Int($1) } % 90_000_000
    let login = account?.login ?? Self.login(of: person)
    let publicEmail = account?.publicEmail
    let told =
      account?.emails
      ?? [GitHubAccount.Email(email: person.email, primary: true, verified: person.emailVerified)]
    let own = told.sorted { $0.primary == true && $1.primary != true }.map { email in
      let isPrimary = email.primary == true
      let isPublic = publicEmail?.isSame(as: email.email) == true
      return Email(
        email: email.email, isPrimary: isPrimary, isVerified: email.verified ?? true,
        visibility: isPrimary ? (isPublic ? "public" : "private") : nil)
    }
    let hidden = Email(
      email: "\(id)+\(login)@users.noreply.github.com", isPrimary: false, isVerified: true,
      visibility: nil)
    self.id = id
    self.login = login
    self.publicEmail = publicEmail
    name = person.name
    picture = person.picture
    emails = own + [hidden]
  }

  /// The id, with hyphens for characters that a login can't contain.
  private static func login(of person: Person) -> String {
    let bytes = person.id.utf8.map { GitHubAccount.isLetterOrDigit($0) ? $0 : UInt8(ascii: "-") }
    let parts = bytes.split(separator: UInt8(ascii: "-"))
    let text = parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-").prefix(39)
    let trimmed = text.hasSuffix("-") ? text.dropLast() : text
    return trimmed.isEmpty ? "user" : String(trimmed)
  }
}
