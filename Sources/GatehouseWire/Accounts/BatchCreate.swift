public import GatehouseJSON

/// `accounts:batchCreate`: imports accounts of another system.
public struct BatchCreateRequest: WireRequest {
  public static let maximumCount = 1000

  public var users: [UploadedUser]
  public var hash: HashParameters
  /// Refuses the whole request if it contains an email address or identity twice.
  public var sanityCheck: Bool
  /// Replaces accounts that already exist.
  public var allowOverwrite: Bool

  public init(_ fields: WireFields) throws(WireError) {
    users = []
    for message in try fields.messages("users") { users.append(try UploadedUser(message)) }
    hash = try HashParameters(fields)
    sanityCheck = try fields.bool("sanityCheck") ?? false
    allowOverwrite = try fields.bool("allowOverwrite") ?? false
  }
}

/// An account in an upload, or in a file of `firebase auth:export`.
public struct UploadedUser: WireRequest {
  public var localID: String?
  public var email: String?
  public var emailVerified: Bool
  public var displayName: String?
  public var photoURL: String?
  public var phoneNumber: String?
  /// Base64, of either alphabet.
  public var passwordHash: String?
  /// Base64, of either alphabet.
  public var salt: String?
  public var rawPassword: String?
  public var disabled: Bool
  /// The text of a JSON object.
  public var customAttributes: String?
  /// Milliseconds since 1970.
  public var createdAt: Int64?
  /// Milliseconds since 1970. Export files call it `lastSignedInAt`.
  public var lastLoginAt: Int64?
  /// Seconds since 1970.
  public var validSince: Int64?
  public var providers: [ProviderUserInfo]
  public var hasSecondFactor: Bool
  /// The user signed in with an emailed link.
  public var emailLinkSignin: Bool
  public var tenantID: String?

  public init(_ fields: WireFields) throws(WireError) {
    localID = try fields.nonEmptyString("localId")
    email = try fields.nonEmptyString("email")
    emailVerified = try fields.bool("emailVerified") ?? false
    displayName = try fields.nonEmptyString("displayName")
    photoURL = try fields.nonEmptyString("photoUrl")
    phoneNumber = try fields.nonEmptyString("phoneNumber")
    passwordHash = try fields.nonEmptyString("passwordHash")
    salt = try fields.nonEmptyString("salt")
    rawPassword = try fields.nonEmptyString("rawPassword")
    disabled = try fields.bool("disabled") ?? false
    customAttributes = try fields.nonEmptyString("customAttributes")
    createdAt = try fields.int64("createdAt")
    let lastSignedInAt = try fields.int64("lastSignedInAt")
    lastLoginAt = try fields.int64("lastLoginAt") ?? lastSignedInAt
    validSince = try fields.int64("validSince")
    providers = []
    for message in try fields.messages("providerUserInfo") {
      providers.append(try ProviderUserInfo(message))
    }
    hasSecondFactor = try !fields.messages("mfaInfo").isEmpty
    emailLinkSignin = try fields.bool("emailLinkSignin") ?? false
    tenantID = try fields.nonEmptyString("tenantId")
  }
}

/// How the passwords in an upload were hashed.
public struct HashParameters: WireRequest {
  /// `SCRYPT`, `HMAC_SHA256`, …
  public var algorithm: String?
  /// Base64, of either alphabet.
  public var signerKey: String?
  /// Base64, of either alphabet.
  public var saltSeparator: String?
  public var rounds: Int64?
  public var memoryCost: Int64?
  public var cpuMemCost: Int64?
  public var parallelization: Int64?
  public var blockSize: Int64?
  public var dkLen: Int64?
  public var passwordHashOrder: WireEnumerator?

  /// No algorithm: the upload has no passwords.
  public init() {}

  public init(_ fields: WireFields) throws(WireError) {
    algorithm = try fields.nonEmptyString("hashAlgorithm")
    signerKey = try fields.nonEmptyString("signerKey")
    saltSeparator = try fields.nonEmptyString("saltSeparator")
    rounds = try fields.int64("rounds")
    memoryCost = try fields.int64("memoryCost")
    cpuMemCost = try fields.int64("cpuMemCost")
    parallelization = try fields.int64("parallelization")
    blockSize = try fields.int64("blockSize")
    dkLen = try fields.int64("dkLen")
    passwordHashOrder = try fields.enumerator("passwordHashOrder")
    if case .name(let name)? = passwordHashOrder,
      !["UNSPECIFIED_ORDER", "SALT_AND_PASSWORD", "PASSWORD_AND_SALT"].contains(
        where: { $0.utf8.elementsEqual(name.utf8) })
    {
      throw WireError(field: "passwordHashOrder", wanted: .enumeration)
    }
  }
}

public struct BatchCreateResponse: WireResponse {
  public var errors: [Failure]

  public init(errors: [Failure]) { self.errors = errors }

  public struct Failure: Hashable, Sendable {
    /// The index of the account in the request.
    public var index: Int
    public var message: String

    public init(index: Int, message: String) {
      self.index = index
      self.message = message
    }
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("kind", "identitytoolkit#UploadAccountResponse")
    guard !errors.isEmpty else { return }
    writer.array("error") { list in
      for error in errors {
        list.object {
          $0.member("index", error.index)
          $0.member("message", error.message)
        }
      }
    }
  }
}
