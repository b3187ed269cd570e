/// A second factor of an account, in `mfaInfo` of a response, and in what an administrator sends:
/// `mfa.enrollments` of `accounts:update` and `mfaInfo` of `accounts:signUp`.
public struct MFAEnrollment: WireMessage, Hashable {
  /// Always in a response. An administrator leaves it out for a new factor.
  public var enrollmentID: String?
  /// The name that the user gave the factor.
  public var displayName: String?
  /// The phone number, obfuscated for users, as `+*******1234`. Nil if the factor is no phone.
  public var phoneInfo: String?
  /// The whole phone number, for administrators.
  public var unobfuscatedPhoneInfo: String?
  /// Whether the factor is an authenticator app.
  public var isTOTP = false
  /// RFC 3339 with three digits of milliseconds.
  public var enrolledAt: String?

  public init(enrollmentID: String?) { self.enrollmentID = enrollmentID }

  public init(_ fields: WireFields) throws(WireError) {
    enrollmentID = try fields.nonEmptyString("mfaEnrollmentId")
    displayName = try fields.nonEmptyString("displayName")
    phoneInfo = try fields.nonEmptyString("phoneInfo")
    unobfuscatedPhoneInfo = try fields.nonEmptyString("unobfuscatedPhoneInfo")
    isTOTP = try fields.message("totpInfo") != nil
    enrolledAt = try fields.nonEmptyString("enrolledAt")
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("mfaEnrollmentId", ifPresent: enrollmentID)
    writer.member("displayName", ifPresent: displayName)
    writer.member("phoneInfo", ifPresent: phoneInfo)
    writer.member("unobfuscatedPhoneInfo", ifPresent: unobfuscatedPhoneInfo)
    if isTOTP { writer.object("totpInfo") { _ in } }
    writer.member("enrolledAt", ifPresent: enrolledAt)
  }

  static func read(
    _ name: StaticString, from fields: WireFields
  ) throws(WireError) -> [MFAEnrollment] {
    var enrollments: [MFAEnrollment] = []
    for message in try fields.messages(name) { enrollments.append(try MFAEnrollment(message)) }
    return enrollments
  }

  static func write(
    _ enrollments: [MFAEnrollment], as name: String, to writer: inout JSONWriter
  ) {
    writer.array(name) { list in
      for enrollment in enrollments { list.object { enrollment.writeMembers(to: &$0) } }
    }
  }
}
