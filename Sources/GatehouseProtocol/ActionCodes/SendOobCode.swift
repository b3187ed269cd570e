/// `accounts:sendOobCode`, and `getOobConfirmationCode` of v3.
public struct SendOobCodeRequest: WireMessage {
  /// Nil if none is given, or if it can't be requested: see ``hasUnknownType``.
  public var type: ActionCodeType?
  /// Whether the given type can't be requested: it is another type of the protocol, or an unknown
  /// number. Not written.
  public var hasUnknownType = false
  public var email: String?
  public var newEmail: String?
  public var idToken: String?
  /// Requests the code and its link in the response. Only for administrators.
  public var returnsLink = false
  /// Where the user continues afterwards.
  public var continueURL: String?
  public var canHandleCodeInApp = false
  public var iOSBundleID: String?
  public var androidPackageName: String?
  public var androidMinimumVersion: String?
  public var androidInstallApp = false
  /// The host of the link.
  public var linkDomain: String?
  public var tenantID: String?
  /// Requests six digits beside the link, which the user can type. Firebase doesn't have this.
  public var withVerificationCode = false

  /// Type names of the protocol that can't be requested.
  private static let otherTypes = [
    "OOB_REQ_TYPE_UNSPECIFIED", "OLD_EMAIL_AGREE", "NEW_EMAIL_ACCEPT",
    "REVERT_SECOND_FACTOR_ADDITION",
  ]

  public init(type: ActionCodeType) { self.type = type }

  public init(_ fields: WireFields) throws(WireError) {
    let enumerator = try fields.enumerator("requestType")
    type = enumerator.flatMap { ActionCodeType($0) }
    hasUnknownType = type == nil && enumerator != nil
    if hasUnknownType, case .name(let name)? = enumerator,
      !Self.otherTypes.contains(where: { $0.utf8.elementsEqual(name.utf8) })
    {
      throw WireError(field: "requestType", wanted: .enumeration)
    }
    email = try fields.nonEmptyString("email")
    newEmail = try fields.nonEmptyString("newEmail")
    idToken = try fields.nonEmptyString("idToken")
    returnsLink = try fields.bool("returnOobLink") ?? false
    continueURL = try fields.string("continueUrl")
    canHandleCodeInApp = try fields.bool("canHandleCodeInApp") ?? false
    iOSBundleID = try fields.nonEmptyString("iOSBundleId")
    androidPackageName = try fields.nonEmptyString("androidPackageName")
    androidMinimumVersion = try fields.nonEmptyString("androidMinimumVersion")
    androidInstallApp = try fields.bool("androidInstallApp") ?? false
    linkDomain = try fields.nonEmptyString("linkDomain")
    tenantID = try fields.nonEmptyString("tenantId")
    withVerificationCode = try fields.bool("withVerificationCode") ?? false
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("requestType", ifPresent: type?.name)
    writer.member("email", ifPresent: email)
    writer.member("idToken", ifPresent: idToken)
    writer.member("newEmail", ifPresent: newEmail)
    if returnsLink { writer.member("returnOobLink", true) }
    writer.member("continueUrl", ifPresent: continueURL)
    if canHandleCodeInApp { writer.member("canHandleCodeInApp", true) }
    writer.member("iOSBundleId", ifPresent: iOSBundleID)
    writer.member("androidPackageName", ifPresent: androidPackageName)
    writer.member("androidMinimumVersion", ifPresent: androidMinimumVersion)
    if androidInstallApp { writer.member("androidInstallApp", true) }
    writer.member("linkDomain", ifPresent: linkDomain)
    writer.member("tenantId", ifPresent: tenantID)
    if withVerificationCode { writer.member("withVerificationCode", true) }
  }
}

public struct SendOobCodeResponse: WireMessage {
  /// The address that the client sent, or that of the ID token's account.
  public var email: String
  /// Only for an administrator, like ``link`` and ``verificationCode``.
  public var code: String?
  public var link: String?
  /// With it and the six digits in the email, a client forms an `oobCode`:
  /// `<sessionInfo>.<digits>`. Only in the response to a request with
  /// ``SendOobCodeRequest/withVerificationCode``.
  public var sessionInfo: String?
  public var verificationCode: String?

  public init(email: String) { self.email = email }

  public init(_ fields: WireFields) throws(WireError) {
    email = try fields.string("email") ?? ""
    code = try fields.nonEmptyString("oobCode")
    link = try fields.nonEmptyString("oobLink")
    sessionInfo = try fields.nonEmptyString("sessionInfo")
    verificationCode = try fields.nonEmptyString("verificationCode")
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("kind", "identitytoolkit#GetOobConfirmationCodeResponse")
    writer.member("email", email)
    writer.member("oobCode", ifPresent: code)
    writer.member("oobLink", ifPresent: link)
    writer.member("sessionInfo", ifPresent: sessionInfo)
    writer.member("verificationCode", ifPresent: verificationCode)
  }
}
