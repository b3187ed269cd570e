/// `accounts:update`, and `setAccountInfo` of v3.
public struct UpdateRequest: WireMessage {
  public var idToken: String?
  public var localID: String?
  /// An empty string is an invalid address, not an absent one.
  public var email: String?
  /// An empty string is a password that is too short, not an absent one.
  public var password: String?
  /// An empty string is stored.
  public var displayName: String?
  /// An empty string is stored.
  public var photoURL: String?
  public var phoneNumber: String?
  public var oobCode: String?
  public var emailVerified: Bool?
  public var disableUser: Bool?
  /// Seconds since 1970.
  public var validSince: Int64?
  /// Milliseconds since 1970.
  public var createdAt: Int64?
  /// Milliseconds since 1970.
  public var lastLoginAt: Int64?
  /// The text of a JSON object.
  public var customAttributes: String?
  public var deletedAttributes: [AccountAttribute] = []
  public var deletedProviders: [String] = []
  /// Credential ids, as ``PasskeyInfo/credentialID``. Unknown ids are ignored.
  public var deletedPasskeys: [String] = []
  public var linkedProvider: ProviderUserInfo?
  public var returnsSecureToken = false
  /// `mfa.enrollments`, for an administrator: the account's second factors, in place of the ones it
  /// has. Nil without `mfa`; an `mfa` without enrollments removes all.
  public var secondFactors: [MFAEnrollment]?
  /// A member of the protocol that this server doesn't support. The request is refused, so that the
  /// caller doesn't believe it had an effect. Not written.
  public var unsupportedMember: String?
  public var consent: ConsentMessage?
  public var tenantID: String?

  /// Whether ``secondFactors`` has any.
  public var hasSecondFactor: Bool { secondFactors?.isEmpty == false }

  /// A change of nothing yet.
  public init() {}

  public init(_ fields: WireFields) throws(WireError) {
    idToken = try fields.nonEmptyString("idToken")
    localID = try fields.nonEmptyString("localId")
    email = try fields.string("email")
    password = try fields.string("password")
    displayName = try fields.string("displayName")
    photoURL = try fields.string("photoUrl")
    phoneNumber = try fields.nonEmptyString("phoneNumber")
    oobCode = try fields.nonEmptyString("oobCode")
    emailVerified = try fields.bool("emailVerified")
    disableUser = try fields.bool("disableUser")
    validSince = try fields.int64("validSince")
    createdAt = try fields.int64("createdAt")
    lastLoginAt = try fields.int64("lastLoginAt")
    customAttributes = try fields.string("customAttributes")
    deletedAttributes = try AccountAttribute.read(from: fields)
    deletedProviders = try fields.strings("deleteProvider")
    deletedPasskeys = try fields.strings("deletePasskey")
    linkedProvider = nil
    if let message = try fields.message("linkProviderUserInfo") {
      linkedProvider = try ProviderUserInfo(message)
    }
    returnsSecureToken = try fields.bool("returnSecureToken") ?? false
    consent = try ConsentMessage.read(from: fields)
    tenantID = try fields.nonEmptyString("tenantId")
    if let mfa = try fields.message("mfa") {
      secondFactors = try MFAEnrollment.read("enrollments", from: mfa)
    }
    unsupportedMember =
      if try !fields.strings("provider").isEmpty {
        "provider"
      } else if try fields.bool("upgradeToFederatedLogin") == true {
        "upgradeToFederatedLogin"
      } else {
        nil
      }
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("idToken", ifPresent: idToken)
    writer.member("localId", ifPresent: localID)
    writer.member("email", ifPresent: email)
    writer.member("password", ifPresent: password)
    writer.member("displayName", ifPresent: displayName)
    writer.member("photoUrl", ifPresent: photoURL)
    writer.member("phoneNumber", ifPresent: phoneNumber)
    writer.member("oobCode", ifPresent: oobCode)
    writer.member("emailVerified", ifPresent: emailVerified)
    writer.member("disableUser", ifPresent: disableUser)
    writer.member("validSince", ifPresent: validSince.map(String.init))
    writer.member("createdAt", ifPresent: createdAt.map(String.init))
    writer.member("lastLoginAt", ifPresent: lastLoginAt.map(String.init))
    writer.member("customAttributes", ifPresent: customAttributes)
    AccountAttribute.write(deletedAttributes, to: &writer)
    if !deletedProviders.isEmpty { writer.member("deleteProvider", deletedProviders) }
    if !deletedPasskeys.isEmpty { writer.member("deletePasskey", deletedPasskeys) }
    if let linkedProvider {
      writer.object("linkProviderUserInfo") { linkedProvider.writeMembers(to: &$0) }
    }
    if let secondFactors {
      writer.object("mfa") { MFAEnrollment.write(secondFactors, as: "enrollments", to: &$0) }
    }
    if returnsSecureToken { writer.member("returnSecureToken", true) }
    consent?.write(to: &writer)
    writer.member("tenantId", ifPresent: tenantID)
  }
}

/// The attributes that `deleteAttribute` can name.
public enum AccountAttribute: Hashable, Sendable, CaseIterable {
  case unspecified, email, displayName, provider, photoURL, password, rawUserInfo

  /// - Throws: ``WireError`` for a name that the protocol doesn't have. An unknown number is
  ///   ignored, as in Protocol Buffers.
  static func read(from fields: WireFields) throws(WireError) -> [AccountAttribute] {
    var attributes: [AccountAttribute] = []
    for (index, enumerator) in try fields.enumerators("deleteAttribute").enumerated() {
      if let found = allCases.first(where: { enumerator.names($0.wire.name, $0.wire.number) }) {
        attributes.append(found)
      } else if case .name = enumerator {
        throw WireError(field: "deleteAttribute[\(index)]", wanted: .enumeration)
      }
    }
    return attributes
  }

  static func write(_ attributes: [AccountAttribute], to writer: inout JSONWriter) {
    if !attributes.isEmpty { writer.member("deleteAttribute", attributes.map(\.wire.name)) }
  }

  private var wire: (name: String, number: Int64) {
    switch self {
    case .unspecified: ("USER_ATTRIBUTE_NAME_UNSPECIFIED", 0)
    case .email: ("EMAIL", 1)
    case .displayName: ("DISPLAY_NAME", 2)
    case .provider: ("PROVIDER", 3)
    case .photoURL: ("PHOTO_URL", 4)
    case .password: ("PASSWORD", 5)
    case .rawUserInfo: ("RAW_USER_INFO", 6)
    }
  }
}

public struct UpdateResponse: WireMessage {
  public var user: UserInfo
  /// New tokens, if the change revoked the caller's or the caller asked for them.
  public var tokens: SessionTokens?
  /// The account's new email address, if a code changed it.
  public var newEmail: String?

  public init(user: UserInfo, tokens: SessionTokens?) {
    self.user = user
    self.tokens = tokens
  }

  public init(_ fields: WireFields) throws(WireError) {
    user = try UserInfo(fields)
    tokens = try SessionTokens.read(from: fields)
    newEmail = try fields.nonEmptyString("newEmail")
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("kind", "identitytoolkit#SetAccountInfoResponse")
    writer.member("localId", user.localID)
    writer.member("email", ifPresent: user.email)
    writer.member("emailVerified", ifPresent: user.emailVerified)
    writer.member("newEmail", ifPresent: newEmail)
    writer.member("displayName", ifPresent: user.displayName)
    writer.member("photoUrl", ifPresent: user.photoURL)
    if user.hasPassword { writer.member("passwordHash", UserInfo.redactedPasswordHash) }
    if !user.providers.isEmpty { ProviderUserInfo.write(user.providers, to: &writer) }
    tokens?.writeMembers(to: &writer)
  }
}
