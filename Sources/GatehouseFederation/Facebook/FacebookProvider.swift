import GatehouseJSON
import GatehouseModel
import GatehouseTokens

/// Where Facebook deviates from OpenID Connect: access tokens of its own making, and ID tokens for
/// Limited Login alone.
///
/// No address of Facebook's is verified as far as anybody says: there is no claim or field for it.
enum FacebookProvider {
  /// <https://developers.facebook.com/docs/facebook-login/limited-login/token/validating>; iOS
  /// devices that don't allow tracking get theirs from `limited.facebook.com`. Both are pinned,
  /// with one pinned key set.
  static let issuers = ["https://www.facebook.com", "https://limited.facebook.com"]

  static let algorithms: Set<SignatureAlgorithm> = [.rs256]

  /// Of a Limited Login's ID token.
  static func identity(
    _ token: VerifiedToken, subject: Subject, _ configuration: ProviderConfiguration
  ) -> ExternalIdentity {
    let claims = StandardClaims(token.claims)
    var profile = claims.profile
    profile.screenName = nil
    return identity(
      subject: subject, email: EmailTrustRule(configuration).email(claims, isAuthoritative: false),
      profile: profile, scopes: nil, picture: picture(url: profile.photoURL), configuration)
  }

  /// Of an access token: what Facebook said of it, and the profile of its bearer.
  ///
  /// - Parameter pictures: See ``FacebookEndpoints/pictures``.
  /// - Throws: ``FederationError/otherSubject`` where the two speak of different persons.
  static func identity(
    _ inspection: AccessTokenInspection, profile json: JSONObject, pictures: String,
    _ configuration: ProviderConfiguration
  ) throws(FederationError) -> ExternalIdentity {
    let subject = inspection.subject
    guard let id = AccessTokenInspection.identifier(json["id"]),
      id.hasSameBytes(as: subject.text)
    else { throw .otherSubject }
    let image = json["picture"]?["data"]
    let profile = ExternalIdentity.Profile(
      displayName: PlainText.name(json["name"]?.string),
      firstName: PlainText.name(json["first_name"]?.string),
      lastName: PlainText.name(json["last_name"]?.string),
      // The picture's own address is signed and expires; this one stays, and needs no token.
      photoURL: image == nil ? nil : "\(pictures)/\(subject.text)/picture")
    let email = json["email"]?.string.flatMap { EmailAddress($0) }.map {
      AssertedEmail(address: $0, isVerified: false, isTrusted: false)
    }
    return identity(
      subject: subject, email: email, profile: profile, scopes: inspection.scopes,
      picture: picture(url: PlainText.pictureURL(image?["url"]?.string), of: image), configuration)
  }

  private static func identity(
    subject: Subject, email: AssertedEmail?, profile: ExternalIdentity.Profile, scopes: [String]?,
    picture: JSONValue?, _ configuration: ProviderConfiguration
  ) -> ExternalIdentity {
    // The names of the Graph API, which clients of Firebase read.
    let members: [(String, JSONValue?)] = [
      ("name", profile.displayName.map { .string($0) }),
      ("last_name", profile.lastName.map { .string($0) }),
      ("granted_scopes", scopes.map { .array($0.map { .string($0) }) }),
      ("id", .string(subject.text)),
      ("first_name", profile.firstName.map { .string($0) }),
      ("email", email.map { .string($0.address.text) }),
      ("picture", picture),
    ]
    let raw = JSONObject(
      members.compactMap { name, value in value.map { .init(name: name, value: $0) } })
    return ExternalIdentity(
      provider: configuration.id, subject: subject, email: email, profile: profile,
      rawUserInfo: JSONValue.object(raw).text())
  }

  /// `{"data":{"url":…}}` with what else of plain values the Graph API says of a picture.
  private static func picture(url: String?, of image: JSONValue? = nil) -> JSONValue? {
    guard let url else { return nil }
    var data: JSONObject = ["url": .string(url)]
    for name in ["height", "width"] {
      if let pixels = image?[name]?.int64 { data[name] = .number(JSONNumber(pixels)) }
    }
    if let isSilhouette = image?["is_silhouette"]?.bool {
      data["is_silhouette"] = .bool(isSilhouette)
    }
    return .object(["data": .object(data)])
  }
}
