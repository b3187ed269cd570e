import GatehouseProtocol
import GatehouseTokens

/// The deviations of Sign in with Apple from OpenID Connect.
///
/// <https://developer.apple.com/documentation/signinwithapple/authenticating-users-with-sign-in-with-apple>
struct AppleProvider: IdentityProvider {
  static let kind: ProviderKind = {
    var kind = ProviderKind(id: .apple, name: "apple", displayName: "Apple")
    kind.redirectURIPlace = "at Apple (the Services ID's Return URLs)"
    kind.emailTrust = .always
    kind.emailTrustInDevelopment = .always
    // Apps on Apple's platforms can always send a nonce, and without one an attacker can sign in
    // with a stolen token. In `--dev` none is required: apps written for the emulator send none.
    kind.requiresNonce = true
    kind.sendsNameOnce = true
    kind.notifications = .payload
    kind.revokesAllTokens = true
    return kind
  }()

  /// Since June 2025 tokens have either issuer. Both are pinned, with one pinned key set: an issuer
  /// is never taken from a token.
  static let issuers = ["https://appleid.apple.com", "https://account.apple.com"]

  let endpoints: AppleEndpoints

  init() { endpoints = AppleEndpoints() }

  init?(baseURL: String) {
    guard let endpoints = AppleEndpoints(baseURL: baseURL) else { return nil }
    self.endpoints = endpoints
  }

  static func faults(
    in provider: ProviderConfiguration, allowsPlainHTTP: Bool
  ) -> [ProviderConfigurationFault] {
    guard let key = provider.apple?.privateKey,
      (try? ES256Signer(pem: key.reveal(), keyID: provider.apple?.keyID ?? "")) == nil
    else { return [] }
    return [.applePrivateKeyForm]
  }

  func idTokenRules(_ configuration: ProviderConfiguration) -> IDTokenRules? {
    // "id_token_signing_alg_values_supported": only RS256.
    var rules = IDTokenRules(issuers: Self.issuers, keys: endpoints.keys)
    // "nonce_supported: … If your transaction is on a nonce-supported platform, treat the nonce as
    // mandatory": a token may lack the nonce only if it says that the platform doesn't support it.
    rules.nonce = NonceRule(isRequired: configuration.requiresNonce, acceptsUnsupported: true)
    rules.accessTokenMayBeCode = true
    return rules
  }

  /// Maps the token's claims. The name comes once, in the client's request, and never in the token;
  /// there is no photo. "is_private_email" is a string or a Boolean, like "email_verified".
  func identity(
    of verified: BoundIDToken, subject: Subject, with credential: IdPCredential,
    in context: ProviderContext
  ) -> ExternalIdentity {
    let token = verified.token
    let claims = StandardClaims(token.claims)
    var identity = ExternalIdentity(
      provider: context.configuration.id, subject: subject,
      email: EmailTrustRule(context.configuration).email(claims, isAuthoritative: false),
      profile: Self.profile(credential.userName))
    identity.hasRefusedEmail = claims.hasRefusedEmail
    if token.claims.has("is_private_email") {
      identity.isPrivateEmail = StandardClaims.isTrue(token.claims.json["is_private_email"])
    }
    identity.isNameSentOnce = Self.kind.sendsNameOnce
    identity.realUserStatus = token.claims.int64("real_user_status").flatMap {
      Int(exactly: $0).flatMap { RealUserStatus(rawValue: $0) }
    }
    var rawUserInfo = token.claims.json
    // Under a name of its own, because it isn't signed.
    rawUserInfo["real_user_status_from_app"] = nil
    if identity.realUserStatus == nil, let status = credential.realUserStatus {
      identity.realUserStatusFromApp = status
      rawUserInfo["real_user_status_from_app"] = .number(JSONNumber(Int64(status.rawValue)))
    }
    identity.rawUserInfo = JSONValue.object(rawUserInfo).text()
    identity.transferSubject = token.claims.string("transfer_sub").flatMap { Subject($0) }
    return identity
  }

  /// The client writes this text, so it is used only as a name: an email in it is not trusted.
  static func profile(_ name: UserName?) -> ExternalIdentity.Profile {
    let first = PlainText.name(name?.firstName)
    let last = PlainText.name(name?.lastName)
    let full = [first, last].compactMap(\.self).joined(separator: " ")
    return ExternalIdentity.Profile(
      displayName: full.isEmpty ? nil : full, firstName: first, lastName: last)
  }
}
