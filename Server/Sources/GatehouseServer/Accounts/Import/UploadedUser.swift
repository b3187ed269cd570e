package import GatehouseProtocol

/// An account in an upload, or in a file of `firebase auth:export`.
package struct UploadedUser: WireMessage {
  package var localID: String?
  package var email: String?
  package var emailVerified: Bool
  package var displayName: String?
  package var photoURL: String?
  package var phoneNumber: String?
  /// Base64, of either alphabet.
  package var passwordHash: String?
  /// Base64, of either alphabet.
  package var salt: String?
  package var rawPassword: String?
  package var disabled: Bool
  /// The text of a JSON object.
  package var customAttributes: String?
  /// Milliseconds since 1970.
  package var createdAt: Int64?
  /// Milliseconds since 1970. Export files call it `lastSignedInAt`.
  package var lastLoginAt: Int64?
  /// Seconds since 1970.
  package var validSince: Int64?
  package var providers: [ProviderUserInfo]
  package var secondFactors: [MFAEnrollment]
  /// Whether the user can sign in with an email link.
  package var emailLinkSignin: Bool
  package var tenantID: String?

  package init(_ fields: WireFields) throws(WireError) {
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
    secondFactors = []
    for message in try fields.messages("mfaInfo") {
      secondFactors.append(try MFAEnrollment(message))
    }
    emailLinkSignin = try fields.bool("emailLinkSignin") ?? false
    tenantID = try fields.nonEmptyString("tenantId")
  }

  package func writeMembers(to writer: inout JSONWriter) {
    writer.member("localId", ifPresent: localID)
    writer.member("email", ifPresent: email)
    writer.member("emailVerified", emailVerified)
    writer.member("displayName", ifPresent: displayName)
    writer.member("photoUrl", ifPresent: photoURL)
    writer.member("phoneNumber", ifPresent: phoneNumber)
    writer.member("passwordHash", ifPresent: passwordHash)
    writer.member("salt", ifPresent: salt)
    writer.member("rawPassword", ifPresent: rawPassword)
    writer.member("disabled", disabled)
    writer.member("customAttributes", ifPresent: customAttributes)
    writer.member("createdAt", ifPresent: createdAt.map(String.init))
    writer.member("lastLoginAt", ifPresent: lastLoginAt.map(String.init))
    writer.member("validSince", ifPresent: validSince.map(String.init))
    if !providers.isEmpty {
      writer.array("providerUserInfo") { list in
        for provider in providers { list.object { provider.writeMembers(to: &$0) } }
      }
    }
    if !secondFactors.isEmpty {
      writer.array("mfaInfo") { list in
        for factor in secondFactors { list.object { factor.writeMembers(to: &$0) } }
      }
    }
    if emailLinkSignin { writer.member("emailLinkSignin", true) }
    writer.member("tenantId", ifPresent: tenantID)
  }
}
