import GatehouseJSON
import GatehouseModel
import GatehouseTokens

/// The claims of OpenID Connect Core §5.1 as an identity's parts.
struct StandardClaims: Sendable {
  let json: JSONObject

  init(_ claims: Claims) { json = claims.json }

  init(_ json: JSONObject) { self.json = json }

  /// The address, if there is one in the form that this server stores.
  var email: EmailAddress? { json["email"]?.string.flatMap { EmailAddress($0) } }

  /// True only for `true` and `"true"`: `"false"`, 0, 1, null and an absent claim are not a
  /// provider's word that it verified the address.
  var isEmailVerified: Bool { Self.isTrue(json["email_verified"]) }

  var profile: ExternalIdentity.Profile {
    ExternalIdentity.Profile(
      displayName: PlainText.name(json["name"]?.string),
      firstName: PlainText.name(json["given_name"]?.string),
      lastName: PlainText.name(json["family_name"]?.string),
      photoURL: PlainText.pictureURL(json["picture"]?.string),
      screenName: PlainText.name(json["preferred_username"]?.string))
  }

  static func isTrue(_ value: JSONValue?) -> Bool {
    switch value {
    case .bool(let bool): bool
    case .string(let text): text.hasSameBytes(as: "true")
    default: false
    }
  }
}
