public import GatehouseJSON

/// `accounts:update`, and `setAccountInfo` of v3.
public struct UpdateRequest: WireRequest {
  public var idToken: String?
  public var localID: String?
  public var email: String?
  public var password: String?
  /// An empty string removes it.
  public var displayName: String?
  /// An empty string removes it.
  public var photoURL: String?
  public var phoneNumber: String?
  public var oobCode: String?
  public var emailVerified: Bool?
  public var disableUser: Bool?
  /// Seconds since 1970.
  public var validSince: Int64?
  /// A JSON object's text.
  public var customAttributes: String?
  public var deletedAttributes: [AccountAttribute]
  public var deletedProviders: [String]
  public var linkedProvider: ProviderUserInfo?
  public var returnsSecureToken: Bool
  public var consent: ConsentMessage?
  public var tenantID: String?

  public init(_ fields: WireFields) throws(WireError) {
    idToken = try fields.nonEmptyString("idToken")
    localID = try fields.nonEmptyString("localId")
    email = try fields.nonEmptyString("email")
    password = try fields.nonEmptyString("password")
    displayName = try fields.string("displayName")
    photoURL = try fields.string("photoUrl")
    phoneNumber = try fields.nonEmptyString("phoneNumber")
    oobCode = try fields.nonEmptyString("oobCode")
    emailVerified = try fields.bool("emailVerified")
    disableUser = try fields.bool("disableUser")
    validSince = try fields.int64("validSince")
    customAttributes = try fields.string("customAttributes")
    deletedAttributes = try fields.enumerators("deleteAttribute").compactMap(AccountAttribute.init)
    deletedProviders = try fields.strings("deleteProvider")
    linkedProvider = nil
    if let message = try fields.message("linkProviderUserInfo") {
      linkedProvider = try ProviderUserInfo(message)
    }
    returnsSecureToken = try fields.bool("returnSecureToken") ?? false
    consent = try fields.message("consent").map { (message) throws(WireError) in
      try ConsentMessage(message)
    }
    tenantID = try fields.nonEmptyString("tenantId")
  }
}

/// What `deleteAttribute` can name. Others that the protocol has are nothing that we keep.
public enum AccountAttribute: Hashable, Sendable, CaseIterable {
  case email, displayName, photoURL, password

  public init?(_ enumerator: WireEnumerator) {
    let found = Self.allCases.first { enumerator.names($0.wire.name, $0.wire.number) }
    guard let found else { return nil }
    self = found
  }

  private var wire: (name: String, number: Int64) {
    switch self {
    case .email: ("EMAIL", 1)
    case .displayName: ("DISPLAY_NAME", 2)
    case .photoURL: ("PHOTO_URL", 4)
    case .password: ("PASSWORD", 5)
    }
  }
}

public struct UpdateResponse: WireResponse {
  public var user: UserInfo
  /// New ones, where the change revoked the caller's or the caller asked for them.
  public var tokens: SessionTokens?
  /// The address that a code changed the account's to.
  public var newEmail: String?

  public init(user: UserInfo, tokens: SessionTokens?) {
    self.user = user
    self.tokens = tokens
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
