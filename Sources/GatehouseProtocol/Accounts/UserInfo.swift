/// An account in a response, such as those of `lookup` and `batchGet`.
public struct UserInfo: WireMessage {
  public var localID: String
  public var email: String?
  public var emailVerified: Bool?
  public var displayName: String?
  public var photoURL: String?
  public var phoneNumber: String?
  /// ``redactedPasswordHash`` stands for the hash, unless ``exportedPassword`` is set.
  public var hasPassword = false
  /// The hash, for an administrator who exports the accounts. Not read.
  public var exportedPassword: ExportedPassword?
  /// Whether the user can sign in with an email link.
  public var hasEmailLink = false
  /// Milliseconds since 1970.
  public var passwordUpdatedAt: Int64?
  public var providers: [ProviderUserInfo] = []
  /// The second factors.
  public var mfaInfo: [MFAEnrollment] = []
  /// An extension: how many recovery codes are left. Nil if the account has none.
  public var recoveryCodesLeft: Int?
  /// Seconds since 1970.
  public var validSince: Int64?
  public var disabled = false
  /// Milliseconds since 1970.
  public var createdAt: Int64?
  public var lastLoginAt: Int64?
  /// RFC 3339.
  public var lastRefreshAt: String?
  /// The text of a JSON object.
  public var customAttributes: String?
  public var isCustomAuth = false
  /// The language that the app named at the latest sign-in, as a BCP 47 tag.
  public var language: String?
  /// The address before the first change of the address.
  public var initialEmail: String?
  /// This server never sends it, because it has no tenants.
  public var tenantID: String?
  public var passkeys: [PasskeyInfo] = []
  /// An extension, for administrators.
  public var consents: [ConsentInfo] = []
  /// An extension, for administrators: when the account will be erased, because its user deleted
  /// it. Milliseconds since 1970.
  public var deletionScheduledFor: Int64?

  /// `REDACTED` in base64, which Google's service returns to callers that may not read hashes.
  public static let redactedPasswordHash = "UkVEQUNURUQ="

  public init(localID: String) { self.localID = localID }

  /// A password's hash and how it was computed.
  public struct ExportedPassword: Sendable {
    private let hash: String
    private let salt: String
    /// The parameters under their names in `accounts:batchCreate`, such as `hashAlgorithm` and `rounds`.
    private let parameters: JSONObject

    /// - Parameters:
    ///   - hash: Base64, like `salt`.
    public init(hash: String, salt: String, parameters: JSONObject) {
      self.hash = hash
      self.salt = salt
      self.parameters = parameters
    }

    fileprivate func write(to writer: inout JSONWriter) {
      writer.member("passwordHash", hash)
      writer.member("salt", salt)
      writer.member("passwordHashParameters", .object(parameters))
    }
  }

  /// Reads the fields that a user gets about their own account. Doesn't read ``consents`` and
  /// ``deletionScheduledFor``, which only administrators get.
  public init(_ fields: WireFields) throws(WireError) {
    localID = try fields.requiredString("localId")
    email = try fields.nonEmptyString("email")
    emailVerified = try fields.bool("emailVerified")
    displayName = try fields.nonEmptyString("displayName")
    photoURL = try fields.nonEmptyString("photoUrl")
    phoneNumber = try fields.nonEmptyString("phoneNumber")
    hasPassword = fields.contains("passwordHash")
    hasEmailLink = try fields.bool("emailLinkSignin") ?? false
    passwordUpdatedAt = try fields.int64("passwordUpdatedAt")
    for provider in try fields.messages("providerUserInfo") {
      providers.append(try ProviderUserInfo(provider))
    }
    mfaInfo = try MFAEnrollment.read("mfaInfo", from: fields)
    recoveryCodesLeft = try fields.int64("recoveryCodesLeft").map { Int(clamping: $0) }
    validSince = try fields.int64("validSince")
    disabled = try fields.bool("disabled") ?? false
    createdAt = try fields.int64("createdAt")
    lastLoginAt = try fields.int64("lastLoginAt")
    lastRefreshAt = try fields.nonEmptyString("lastRefreshAt")
    customAttributes = try fields.nonEmptyString("customAttributes")
    isCustomAuth = try fields.bool("customAuth") ?? false
    language = try fields.nonEmptyString("language")
    initialEmail = try fields.nonEmptyString("initialEmail")
    tenantID = try fields.nonEmptyString("tenantId")
    for passkey in try fields.messages("passkeyInfo") {
      passkeys.append(try PasskeyInfo(passkey))
    }
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("localId", localID)
    writer.member("email", ifPresent: email)
    writer.member("emailVerified", ifPresent: emailVerified)
    writer.member("displayName", ifPresent: displayName)
    writer.member("photoUrl", ifPresent: photoURL)
    writer.member("phoneNumber", ifPresent: phoneNumber)
    if let exportedPassword {
      exportedPassword.write(to: &writer)
    } else if hasPassword {
      writer.member("passwordHash", Self.redactedPasswordHash)
    }
    writer.member("passwordUpdatedAt", ifPresent: passwordUpdatedAt)
    if !providers.isEmpty { ProviderUserInfo.write(providers, to: &writer) }
    if !mfaInfo.isEmpty { MFAEnrollment.write(mfaInfo, as: "mfaInfo", to: &writer) }
    writer.member("recoveryCodesLeft", ifPresent: recoveryCodesLeft.map(Int64.init))
    writer.member("validSince", ifPresent: validSince.map(String.init))
    writer.member("disabled", disabled)
    writer.member("lastLoginAt", ifPresent: lastLoginAt.map(String.init))
    writer.member("createdAt", ifPresent: createdAt.map(String.init))
    if hasEmailLink { writer.member("emailLinkSignin", true) }
    if isCustomAuth { writer.member("customAuth", true) }
    writer.member("language", ifPresent: language)
    writer.member("initialEmail", ifPresent: initialEmail)
    writer.member("tenantId", ifPresent: tenantID)
    writer.member("customAttributes", ifPresent: customAttributes)
    writer.member("lastRefreshAt", ifPresent: lastRefreshAt)
    writer.member("deletionScheduledFor", ifPresent: deletionScheduledFor.map(String.init))
    if !passkeys.isEmpty {
      writer.array("passkeyInfo") { list in
        for passkey in passkeys { list.object { passkey.writeMembers(to: &$0) } }
      }
    }
    if !consents.isEmpty {
      writer.array("consents") { list in for consent in consents { consent.write(to: &list) } }
    }
  }
}

/// One way to sign in to an account, in the account's list.
public struct ProviderUserInfo: WireMessage {
  public var providerID: String?
  /// The provider's id of the user.
  public var rawID: String?
  public var federatedID: String?
  public var email: String?
  public var displayName: String?
  public var photoURL: String?
  public var phoneNumber: String?
  public var screenName: String?
  /// Extension, for administrators: whether the provider says that the address is a private relay.
  public var isPrivateEmail: Bool?
  /// Extension, for administrators: `real_user_status` of Apple's token, 0 to 2.
  public var realUserStatus: Int?
  /// Extension, for administrators: the same number as the app sent it, unsigned, if no token had it.
  public var realUserStatusFromApp: Int?
  /// Extension, for administrators: the user stopped mail to the private relay address.
  public var isForwardingDisabled: Bool?
  /// Extension, for the user: whether the deletion of the account also revokes the user's grant at
  /// the provider. The app then needs no further sign-in for the revocation.
  public var isRevokedOnDeletion = false
  /// Extension: when the user withdrew the app's access at the provider, as the provider reported. Nil
  /// once the user has signed in with the provider again. Milliseconds since 1970.
  public var consentRevokedAt: Int64?

  public init(providerID: String, rawID: String) {
    self.providerID = providerID
    self.rawID = rawID
  }

  public init(_ fields: WireFields) throws(WireError) {
    providerID = try fields.nonEmptyString("providerId")
    rawID = try fields.nonEmptyString("rawId")
    federatedID = try fields.nonEmptyString("federatedId")
    email = try fields.nonEmptyString("email")
    displayName = try fields.nonEmptyString("displayName")
    photoURL = try fields.nonEmptyString("photoUrl")
    phoneNumber = try fields.nonEmptyString("phoneNumber")
    screenName = try fields.nonEmptyString("screenName")
    isRevokedOnDeletion = try fields.bool("revokedOnDeletion") ?? false
    consentRevokedAt = try fields.int64("consentRevokedAt")
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("providerId", ifPresent: providerID)
    writer.member("rawId", ifPresent: rawID)
    writer.member("federatedId", ifPresent: federatedID)
    writer.member("email", ifPresent: email)
    writer.member("displayName", ifPresent: displayName)
    writer.member("photoUrl", ifPresent: photoURL)
    writer.member("phoneNumber", ifPresent: phoneNumber)
    writer.member("screenName", ifPresent: screenName)
    writer.member("isPrivateEmail", ifPresent: isPrivateEmail)
    writer.member("realUserStatus", ifPresent: realUserStatus.map(Int64.init))
    writer.member("realUserStatusFromApp", ifPresent: realUserStatusFromApp.map(Int64.init))
    writer.member("isForwardingDisabled", ifPresent: isForwardingDisabled)
    if isRevokedOnDeletion { writer.member("revokedOnDeletion", true) }
    writer.member("consentRevokedAt", ifPresent: consentRevokedAt.map(String.init))
  }

  static func write(_ providers: [ProviderUserInfo], to writer: inout JSONWriter) {
    writer.array("providerUserInfo") { list in
      for provider in providers { list.object { provider.writeMembers(to: &$0) } }
    }
  }
}
