import Foundation
import GatehouseProtocol
import GatehouseTokens

/// Why a row wasn't imported. The message appears in a response or in a command's report.
package struct ImportRowError: Error, Hashable, Sendable {
  package let message: String

  init(_ message: String) { self.message = message }

  package init(_ refusal: ImportRefusal) {
    message =
      switch refusal {
      case .uidExists: "localId belongs to an existing account - can not overwrite."
      case .emailExists: "email exists in other account in database"
      case .phoneNumberExists: "phone number exists in other account in database"
      case .identityExists: "raw id exists in other account in database"
      case .twoIdentities: "an account can have only one identity from a provider"
      case .noScheme: "passwordHash is given, but the request names no hashAlgorithm"
      case .passwordHash: "passwordHash doesn't fit the named algorithm, or is too costly to verify"
      case .passwordSalt: "salt is too long"
      case .createdInFuture: "createdAt is in the future"
      }
  }
}

extension ImportedAccount {
  /// Reads a row of an upload or of an export file.
  ///
  /// A row with an authenticator app is refused: no upload contains its secret, and an account without it would
  /// be less secure than before.
  ///
  /// - Parameter acceptsFakeHash: Whether to read ``EmulatorHash``: with `--dev`, an upload may
  ///   come from the emulator, whose "hash" contains the password itself.
  package init(
    _ user: UploadedUser, acceptsFakeHash: Bool = false
  ) throws(ImportRowError) {
    guard let localID = user.localID else { throw ImportRowError("localId is missing") }
    guard let uid = UID(localID) else {
      throw ImportRowError(
        "localId must have 1 to \(UID.maximumBytes) bytes and no control characters")
    }
    // Projects of this server have no tenants.
    if user.tenantID != nil {
      throw ImportRowError("Tenant id in userInfo does not match the tenant id in request.")
    }
    self.init(uid: uid)
    try takeProfile(of: user)
    isEmailVerified = user.emailVerified
    isDisabled = user.disabled
    hasEmailLink = user.emailLinkSignin
    if let fake = acceptsFakeHash ? user.passwordHash.flatMap(EmulatorHash.password) : nil {
      plainPassword = fake
    } else {
      plainPassword = try Self.plainPassword(user)
      password = plainPassword == nil ? try Self.password(user) : nil
    }
    if let text = user.customAttributes { customClaims = try Self.claims(text) }
    createdAt = try Self.time(user.createdAt.map { Double($0) / 1000 }, "createdAt")
    lastLoginAt = try Self.time(user.lastLoginAt.map { Double($0) / 1000 }, "lastLoginAt")
    validSince = try Self.time(user.validSince.map { Double($0) }, "validSince")
    identities = try Self.identities(user.providers)
    secondFactors = try Self.factors(user.secondFactors)
  }

  private static func factors(
    _ enrollments: [MFAEnrollment]
  ) throws(ImportRowError) -> [AssignedFactor] {
    if enrollments.contains(where: \.isTOTP) {
      throw ImportRowError(
        "mfaInfo has an authenticator app, whose secret can't be imported: its user has to enroll it again"
      )
    }
    do {
      var factors = try AssignedFactor.checking(enrollments, areNew: true)
      for index in factors.indices {
        factors[index].id = enrollments.first {
          PhoneNumber($0.phoneInfo ?? "") == factors[index].number
        }?.enrollmentID.flatMap { SecondFactor.isID($0) ? $0 : nil }
      }
      return factors
    } catch {
      throw ImportRowError(
        "mfaInfo has a phone number, name or time that is invalid, or more than \(SecondFactors.maximumCount) factors"
      )
    }
  }

  private mutating func takeProfile(of user: UploadedUser) throws(ImportRowError) {
    if let text = user.email {
      guard let email = EmailAddress(text) else { throw ImportRowError("email is invalid") }
      self.email = email
    }
    if let text = user.phoneNumber {
      guard let number = PhoneNumber(text) else {
        throw ImportRowError("phone number format is invalid")
      }
      phoneNumber = number.text
    }
    try Self.checkBounds(user.displayName, user.photoURL)
    displayName = user.displayName
    photoURL = user.photoURL
  }

  private static func checkBounds(
    _ displayName: String?, _ photoURL: String?
  ) throws(ImportRowError) {
    do { try ProfileBounds.check(displayName: displayName, photoURL: photoURL) } catch {
      throw ImportRowError("displayName or photoUrl is too long or has control characters")
    }
  }

  /// Accepts a password that is shorter than a user may choose, because an administrator sets it.
  private static func plainPassword(
    _ user: UploadedUser
  ) throws(ImportRowError) -> Secret<String>? {
    guard let text = user.rawPassword else { return nil }
    guard text.utf16.count <= 4096 else { throw ImportRowError("rawPassword is too long") }
    return Secret(text)
  }

  private static func password(_ user: UploadedUser) throws(ImportRowError) -> ImportedPassword? {
    guard let hash = user.passwordHash else { return nil }
    guard let digest = AnyBase64.decode(hash) else {
      throw ImportRowError("passwordHash isn't base64")
    }
    guard let salt = AnyBase64.decode(user.salt ?? "") else {
      throw ImportRowError("salt isn't base64")
    }
    return ImportedPassword(digest: digest, salt: salt)
  }

  private static func claims(_ text: String) throws(ImportRowError) -> CustomClaims? {
    do {
      return try CustomClaims(jsonText: text)
    } catch {
      switch error {
      case .invalid: throw ImportRowError("Invalid custom claims provided.")
      case .tooLarge: throw ImportRowError("Custom claims provided are too large.")
      case .forbidden: throw ImportRowError("Custom claims provided include a reserved claim.")
      }
    }
  }

  /// Seconds since 1970, up to the end of the year 9999.
  private static func time(_ seconds: Double?, _ name: String) throws(ImportRowError) -> Date? {
    guard let seconds else { return nil }
    guard (0...253_402_300_799).contains(seconds) else {
      throw ImportRowError("\(name) is invalid")
    }
    return Date(timeIntervalSince1970: seconds)
  }

  /// Ignores the entries for the password and the phone number, which the account itself has.
  private static func identities(
    _ providers: [ProviderUserInfo]
  ) throws(ImportRowError) -> [AssignedIdentity] {
    var identities: [AssignedIdentity] = []
    for info in providers {
      let provider = info.providerID.flatMap { ProviderID($0) }
      if provider == .password || provider == .phone { continue }
      guard info.providerID != nil, let rawID = info.rawID else {
        // The first text is Google's, whose service also reads a federatedId alone.
        throw ImportRowError(
          info.federatedID == nil
            ? "federatedId or (providerId & rawId) is required"
            : "federatedId alone isn't supported: providerId and rawId are required")
      }
      guard let provider, provider != .anonymous, provider != .custom else {
        throw ImportRowError("providerId is invalid")
      }
      guard let subject = Subject(rawID) else { throw ImportRowError("rawId is invalid") }
      try checkBounds(info.displayName, info.photoURL)
      var identity = AssignedIdentity(provider: provider, subject: subject)
      identity.email = info.email.flatMap { EmailAddress($0) }
      identity.displayName = info.displayName
      identity.photoURL = info.photoURL
      identities.append(identity)
    }
    return identities
  }
}
