import GatehouseAccounts
import GatehouseModel
import GatehouseWire

/// `POST projects/{p}/accounts`, and `accounts:signUp` of an administrator: an account, and nobody
/// signed in to it.
struct CreateAccount: Sendable {
  let services: APIServices

  func answer(_ call: Call) async throws -> Answer {
    let request = try call.request(SignUpRequest.self)
    if request.hasSecondFactor { throw SecondFactors.refusal("mfaInfo") }
    // Google links to the token's account. To make another one would be the wrong thing, silently.
    if request.idToken != nil {
      throw APIError.refused(
        request.localID != nil
          ? "UNEXPECTED_PARAMETER : User ID"
          : "OPERATION_NOT_ALLOWED : An administrator upgrades no account by its idToken.")
    }
    try ProfileBounds.check(displayName: request.displayName, photoURL: request.photoURL)
    var changes = AdministratorChanges()
    if let email = request.email, !email.isEmpty {
      changes.profile.email = .set(try EmailAddress(checking: email))
    }
    if let password = request.password, !password.isEmpty {
      changes.profile.password = .set(Secret(password))
    }
    if let displayName = request.displayName { changes.profile.displayName = .set(displayName) }
    if let photoURL = request.photoURL { changes.profile.photoURL = .set(photoURL) }
    if let phoneNumber = request.phoneNumber {
      changes.phoneNumber = .set(try PhoneNumber.checked(phoneNumber))
    }
    changes.isEmailVerified = request.emailVerified
    changes.isDisabled = request.disabled
    let account = try await services.accounts.createAccount(
      uid: try request.localID.map { try UID(checking: $0) }, changes,
      in: try call.requireProject(), now: call.now)
    var response = SignUpResponse(localID: account.uid.text)
    // Empty where there is none: the service always sends it to an administrator.
    response.email = account.email?.text ?? ""
    response.displayName = account.displayName
    return Answer(response)
  }
}

/// There are none yet. Whoever asks for one must not believe that the account has it.
enum SecondFactors {
  static func refusal(_ member: String) -> APIError {
    .refused(
      "OPERATION_NOT_ALLOWED : \(member) isn't supported: this server has no second factors.")
  }
}

extension UID {
  /// - Throws: ``APIError`` with `INVALID_LOCAL_ID`.
  init(checking text: String) throws(APIError) {
    guard let uid = UID(text) else {
      throw .refused("INVALID_LOCAL_ID : A user id has 1 to 128 bytes and no control characters.")
    }
    self = uid
  }
}

/// A phone number as an administrator gives it.
enum PhoneNumber {
  /// E.164: `+` and 2 to 15 digits; spaces, hyphens, dots and parentheses between them are taken
  /// out.
  ///
  /// - Throws: ``APIError`` with `INVALID_PHONE_NUMBER`.
  static func checked(_ text: String) throws(APIError) -> String {
    let bytes = text.utf8.filter { !" -.()".utf8.contains($0) }
    guard bytes.first == UInt8(ascii: "+"), (3...16).contains(bytes.count),
      bytes.dropFirst().allSatisfy({ (0x30...0x39).contains($0) })
    else { throw .refused("INVALID_PHONE_NUMBER : Invalid format.") }
    return String(decoding: bytes, as: UTF8.self)
  }
}
