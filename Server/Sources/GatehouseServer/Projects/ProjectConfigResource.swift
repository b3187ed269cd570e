import GatehouseProtocol

/// `projects/{p}/config`: a project's settings, for an administrator. In a request, an absent field
/// changes nothing, unless `updateMask` names it: then the setting is reset. Without `updateMask`,
/// absent fields of three settings are reset too, see `FieldMask.replaces(_:)`.
struct ProjectConfigResource: WireRequest, WireResponse {
  /// `projects/{p}/config`. Not read.
  var name = ""
  var allowDuplicateEmails: Bool?
  var emailEnabled: Bool?
  /// False if users may also sign in with an email link.
  var passwordRequired: Bool?
  var anonymousEnabled: Bool?
  var phoneEnabled: Bool?
  /// Phone numbers with their fixed codes.
  var testPhoneNumbers: [String: String]?
  var enableImprovedEmailPrivacy: Bool?
  var disabledUserSignup: Bool?
  var disabledUserDeletion: Bool?
  var passwordPolicy: PasswordPolicyConfig?
  var authorizedDomains: [String]?
  /// `notification.sendEmail.callbackUri`: the project's own page for action codes; empty for this
  /// server's page.
  var callbackURI: String?
  /// The language of emails if a request asks for none.
  var defaultLocale: String?
  /// An extension: `client` or `server`.
  var nonce: String?
  /// An extension: `off`, `anonymized` or `always`.
  var linkConsent: String?
  /// An extension: the exact URLs at which native apps may receive a provider's response.
  var redirectURLs: [String]?
  /// An extension, `tokens.algorithm`: `RS256` or `ES256`.
  var tokenAlgorithm: String?
  var mfa: MFAConfig?
  /// An extension, `passkeys`: see ``PasskeyPolicy``.
  var passkeys = PasskeyConfig()
  var blockingFunctions = BlockingFunctionsConfig()
  /// An extension, `policies`: all policies under the names that `gatehouse projects set` uses, see ``PolicyDocument``.
  var policies: JSONObject?

  /// The members of Google's `Config`, and the extensions. If this server doesn't read a member,
  /// the contents of the member aren't checked.
  static let knownMembers = KnownMembers([
    "name", "signIn.email.enabled", "signIn.email.passwordRequired", "signIn.anonymous.enabled",
    "signIn.allowDuplicateEmails", "signIn.phoneNumber.enabled",
    "signIn.phoneNumber.testPhoneNumbers.*", "signIn.hashConfig.*", "notification.*",
    "quota.*", "monitoring.*", "multiTenant.*", "authorizedDomains", "subtype", "client.apiKey",
    "client.firebaseSubdomain", "client.permissions.disabledUserSignup",
    "client.permissions.disabledUserDeletion", "mfa.state", "mfa.enabledProviders",
    "mfa.providerConfigs.state", "mfa.providerConfigs.totpProviderConfig.adjacentIntervals",
    "mfa.requiredClaim", "mfa.requiredFrom", "blockingFunctions.*", "recaptchaConfig.*",
    "smsRegionConfig.*", "autodeleteAnonymousUsers", "passwordPolicyConfig.lastUpdateTime",
    "passwordPolicyConfig.passwordPolicyEnforcementState",
    "passwordPolicyConfig.forceUpgradeOnSignin",
    "passwordPolicyConfig.passwordPolicyVersions.schemaVersion",
    "passwordPolicyConfig.passwordPolicyVersions.customStrengthOptions.minPasswordLength",
    "passwordPolicyConfig.passwordPolicyVersions.customStrengthOptions.maxPasswordLength",
    "passwordPolicyConfig.passwordPolicyVersions.customStrengthOptions.containsLowercaseCharacter",
    "passwordPolicyConfig.passwordPolicyVersions.customStrengthOptions.containsUppercaseCharacter",
    "passwordPolicyConfig.passwordPolicyVersions.customStrengthOptions.containsNumericCharacter",
    "passwordPolicyConfig.passwordPolicyVersions.customStrengthOptions"
      + ".containsNonAlphanumericCharacter",
    "emailPrivacyConfig.enableImprovedEmailPrivacy", "mobileLinksConfig.*", "defaultHostingSite",
    "nonce", "linkConsent", "redirectUrls", "tokens.algorithm", "passkeys.enabled",
    "passkeys.relyingPartyId", "passkeys.relyingPartyName", "passkeys.origins",
    "passkeys.requireUserVerification", "passkeys.enrollUrl", "passkeys.manageUrl", "policies.*",
  ])

  init(name: String) { self.name = name }

  init(_ fields: WireFields) throws(WireError) {
    let signIn = try fields.message("signIn")
    allowDuplicateEmails = try signIn?.bool("allowDuplicateEmails")
    emailEnabled = try signIn?.message("email")?.bool("enabled")
    passwordRequired = try signIn?.message("email")?.bool("passwordRequired")
    anonymousEnabled = try signIn?.message("anonymous")?.bool("enabled")
    let phone = try signIn?.message("phoneNumber")
    phoneEnabled = try phone?.bool("enabled")
    testPhoneNumbers = try phone?.texts("testPhoneNumbers").map { texts in
      // Names that differ only in their bytes are one key of a dictionary.
      Dictionary(texts.map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last })
    }
    enableImprovedEmailPrivacy =
      try fields.message("emailPrivacyConfig")?.bool("enableImprovedEmailPrivacy")
    let permissions = try fields.message("client")?.message("permissions")
    disabledUserSignup = try permissions?.bool("disabledUserSignup")
    disabledUserDeletion = try permissions?.bool("disabledUserDeletion")
    passwordPolicy = try fields.message("passwordPolicyConfig").map {
      message throws(WireError) in try PasswordPolicyConfig(message)
    }
    authorizedDomains =
      fields.contains("authorizedDomains") ? try fields.strings("authorizedDomains") : nil
    callbackURI = try fields.message("notification")?.message("sendEmail")?.string("callbackUri")
    defaultLocale = try fields.message("notification")?.string("defaultLocale")
    nonce = try fields.string("nonce")
    linkConsent = try fields.string("linkConsent")
    redirectURLs = fields.contains("redirectUrls") ? try fields.strings("redirectUrls") : nil
    tokenAlgorithm = try fields.message("tokens")?.string("algorithm")
    mfa = try fields.message("mfa").map { message throws(WireError) in try MFAConfig(message) }
    if let message = try fields.message("passkeys") { passkeys = try PasskeyConfig(message) }
    policies = try fields.message("policies")?.object
    if let message = try fields.message("blockingFunctions") {
      blockingFunctions = try BlockingFunctionsConfig(message)
    }
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("name", name)
    writer.object("signIn") { signIn in
      signIn.object("email") { email in
        email.member("enabled", emailEnabled ?? false)
        email.member("passwordRequired", passwordRequired ?? true)
      }
      signIn.object("anonymous") { $0.member("enabled", anonymousEnabled ?? false) }
      signIn.object("phoneNumber") { phone in
        phone.member("enabled", phoneEnabled ?? false)
        phone.object("testPhoneNumbers") { numbers in
          for (number, code) in (testPhoneNumbers ?? [:]).sorted(by: { $0.key < $1.key }) {
            numbers.member(number, code)
          }
        }
      }
      signIn.member("allowDuplicateEmails", allowDuplicateEmails ?? false)
    }
    writer.member("authorizedDomains", authorizedDomains ?? [])
    writer.object("emailPrivacyConfig") {
      $0.member("enableImprovedEmailPrivacy", enableImprovedEmailPrivacy ?? false)
    }
    writer.object("client") { client in
      client.object("permissions") {
        $0.member("disabledUserSignup", disabledUserSignup ?? false)
        $0.member("disabledUserDeletion", disabledUserDeletion ?? false)
      }
    }
    writer.object("passwordPolicyConfig") {
      (passwordPolicy ?? PasswordPolicyConfig()).writeMembers(to: &$0)
    }
    writer.object("notification") { notification in
      notification.object("sendEmail") { $0.member("callbackUri", callbackURI ?? "") }
      notification.member("defaultLocale", defaultLocale ?? "")
    }
    writer.member("nonce", ifPresent: nonce)
    writer.member("linkConsent", ifPresent: linkConsent)
    writer.member("redirectUrls", redirectURLs ?? [])
    writer.object("tokens") { $0.member("algorithm", ifPresent: tokenAlgorithm) }
    writer.object("mfa") { (mfa ?? MFAConfig()).writeMembers(to: &$0) }
    writer.object("passkeys") { passkeys.writeMembers(to: &$0) }
    writer.object("blockingFunctions") { blockingFunctions.writeMembers(to: &$0) }
    if let policies { writer.member("policies", .object(policies)) }
    // The only kind of links that this server has. `UnsupportedSettings` refuses the other.
    writer.object("mobileLinksConfig") { $0.member("domain", "HOSTING_DOMAIN") }
  }
}
