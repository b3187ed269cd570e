import GatehouseProtocol

/// `POST projects/{p}/accounts`, and an administrator's `accounts:signUp`: creates an account
/// without signing in to it.
struct CreateAccount: Endpoint {
  let services: APIServices

  var routes: [Route] {
    [
      .administrator(.post, "v1/projects/*/accounts", "accounts.create", role: .support, answer)
        .alsoOfClients
    ]
  }

  func answer(_ call: Call) async throws -> Answer {
    let request = try call.request(SignUpRequest.self)
    // Google links to the token's account. Creating another account instead would silently do the
    // wrong thing.
    if request.idToken != nil {
      throw request.localID != nil
        ? APIError.refused(.unexpectedParameter, "User ID")
        : .refused(
          .operationNotAllowed, "An administrator can't upgrade an account with its idToken.")
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
      changes.phoneNumber = .set(try PhoneNumber(checking: phoneNumber).text)
    }
    changes.isEmailVerified = request.emailVerified
    changes.isDisabled = request.disabled
    if request.hasSecondFactor {
      changes.secondFactors = try AssignedFactor.checking(request.secondFactors, areNew: true)
    }
    let account = try await services.accounts.createAccount(
      uid: try request.localID.map { try UID(checking: $0) }, changes,
      in: try call.requireProject(), now: call.now)
    var response = SignUpResponse(localID: account.uid.text)
    // Empty if there is none: Google's service always sends it to an administrator.
    response.email = account.email?.text ?? ""
    response.displayName = account.displayName
    return Answer(response)
  }
}

extension UID {
  /// - Throws: ``APIError`` with `INVALID_LOCAL_ID`.
  init(checking text: String) throws(APIError) {
    guard let uid = UID(text) else {
      throw .refused(.invalidLocalID, "A user id has 1 to 256 bytes and no control characters.")
    }
    self = uid
  }
}

extension PhoneNumber {
  /// - Throws: ``APIError`` with `INVALID_PHONE_NUMBER`.
  init(checking text: String) throws(APIError) {
    guard let number = PhoneNumber(text) else {
      throw .refused(.invalidPhoneNumber, "Invalid format.")
    }
    self = number
  }
}
