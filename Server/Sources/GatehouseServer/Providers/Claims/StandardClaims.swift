import GatehouseProtocol
import GatehouseTokens

/// The claims of OpenID Connect Core §5.1, or those that the configuration names in their place, as the
/// parts of an identity. A claim of the wrong type is treated as absent.
struct StandardClaims: Sendable {
  let json: JSONObject
  let mapping: ClaimMapping

  init(_ claims: Claims) { self.init(claims.json) }

  init(_ json: JSONObject, mapping: ClaimMapping = ClaimMapping()) {
    self.json = json
    self.mapping = mapping
  }

  /// The email, if there is one in a form that this server stores.
  var email: EmailAddress? { emailText.flatMap { EmailAddress($0) } }

  /// Whether there is an email in a form that this server doesn't store.
  var hasRefusedEmail: Bool { emailText?.isEmpty == false && email == nil }

  private var emailText: String? { value("email", mapping.email)?.string }

  /// True only for `true` and, in the standard claim, for `"true"`, which Apple sends. With
  /// `"false"`, 0, 1, null or an absent claim, a provider doesn't state that it verified the email.
  var isEmailVerified: Bool {
    // `email_verified` is about `email` (§5.1), and about no other claim that contains an address.
    guard mapping.takesStandardEmail || mapping.emailVerified != nil else { return false }
    let claim = value("email_verified", mapping.emailVerified)
    // A claim of another name may be a text that users write themselves.
    return mapping.emailVerified == nil ? Self.isTrue(claim) : claim?.bool == true
  }

  var profile: ExternalIdentity.Profile {
    ExternalIdentity.Profile(
      displayName: PlainText.name(value("name", mapping.name)?.string),
      firstName: PlainText.name(json["given_name"]?.string),
      lastName: PlainText.name(json["family_name"]?.string),
      photoURL: PlainText.pictureURL(value("picture", mapping.picture)?.string),
      screenName: PlainText.name(json["preferred_username"]?.string))
  }

  private func value(_ name: String, _ path: ClaimPath?) -> JSONValue? {
    guard let path else { return json[name] }
    return path.value(in: json)
  }

  static func isTrue(_ value: JSONValue?) -> Bool {
    switch value {
    case .bool(let bool): bool
    case .string(let text): text.hasSameBytes(as: "true")
    default: false
    }
  }
}

extension ClaimMapping {
  fileprivate var takesStandardEmail: Bool { email?.text.hasSameBytes(as: "email") ?? true }
}

extension ClaimPath {
  /// Follows the path through objects only: the elements of an array have no names.
  func value(in json: JSONObject) -> JSONValue? {
    var value = JSONValue.object(json)
    for name in names {
      guard let next = value[name] else { return nil }
      value = next
    }
    return value
  }
}
