import GatehouseProtocol
import GatehouseTokens

/// `accounts:update` (v3 `setAccountInfo`) of the user's own account; with `oobCode` and no ID token, of
/// the account for which the code was sent. As in Google's service, an ID token takes precedence over a
/// code. ``UpdateAccount`` handles an administrator's request.
struct Update: Endpoint {
  let services: APIServices
  let links: ActionLinks

  var routes: [Route] {
    Route.account("update", v3: "setAccountInfo", answer)
  }

  func answer(_ call: Call) async throws -> Answer {
    if call.isAdministrator { return try await UpdateAccount(services: services).answer(call) }
    let request = try call.request(UpdateRequest.self)
    let project = try call.requireProject()
    if request.idToken == nil, request.oobCode == nil {
      throw APIError.refused(.invalidReqType, "Unsupported request parameters.")
    }
    if request.customAttributes != nil {
      // A forged token is named first, as in Google's service.
      if let idToken = request.idToken {
        _ = try await services.accounts.currentUser(ofIDToken: idToken, in: project, now: call.now)
      }
      throw APIError.refused(.insufficientPermission)
    }
    let link = try await links.maker(for: call)
    let consent = try request.consent.map { try GivenConsent(checking: $0) }
    if let code = request.oobCode, request.idToken == nil {
      let applied = try await services.accounts.applyActionCode(
        code, consent: consent, from: call.client, link: link, in: project, now: call.now)
      var response = UpdateResponse(user: UserInfo(applied.account), tokens: nil)
      response.newEmail = applied.code.newEmail?.text
      return Answer(response)
    }
    guard let idToken = request.idToken else {
      throw APIError.refused(.invalidReqType, "Unsupported request parameters.")
    }
    try Self.refuseAdministrators(request)
    let (account, tokens) = try await services.accounts.update(
      idToken: idToken, with: try ProfileChanges(request), consent: consent, from: call.client,
      link: link, in: project, now: call.now)
    return Answer(
      UpdateResponse(user: UserInfo(account), tokens: tokens))
  }

  /// Refuses changes that only an administrator may make. `emailVerified` and `localId` are
  /// ignored, as in Google's service, because old clients send them.
  private static func refuseAdministrators(_ request: UpdateRequest) throws(APIError) {
    if request.disableUser != nil { throw .refused(.operationNotAllowed) }
    if request.phoneNumber != nil {
      throw .refused(.operationNotAllowed, "A phone number is set by its code.")
    }
    if request.secondFactors != nil {
      throw .refused(.operationNotAllowed, "Only an administrator sets mfa.")
    }
    if request.linkedProvider != nil {
      throw .refused(
        .unexpectedParameter, "link_provider_user_info is not allowed with ID token.")
    }
  }
}

extension ProfileChanges {
  /// - Throws: ``APIError`` for an invalid email address, and for values that are too long.
  init(_ request: UpdateRequest) throws {
    self.init()
    if let member = request.unsupportedMember {
      throw APIError.refused(.operationNotAllowed, "\(member) isn't supported.")
    }
    try ProfileBounds.check(displayName: request.displayName, photoURL: request.photoURL)
    if let displayName = request.displayName { self.displayName = .set(displayName) }
    if let photoURL = request.photoURL { self.photoURL = .set(photoURL) }
    if let email = request.email { self.email = .set(try EmailAddress(checking: email)) }
    if let password = request.password { self.password = .set(Secret(password)) }
    unlinkedProviders = request.deletedProviders.compactMap { ProviderID($0) }
    removedPasskeys = request.deletedPasskeys.compactMap { AnyBase64.decode($0) }
    for attribute in request.deletedAttributes {
      switch attribute {
      case .email: email = .remove
      case .displayName: displayName = .remove
      case .photoURL: photoURL = .remove
      case .password: unlinkedProviders.append(.password)
      case .provider:
        throw APIError.refused(
          .operationNotAllowed, "PROVIDER isn't supported: name providers in deleteProvider.")
      // This server stores no raw user info, so there is nothing to remove.
      case .unspecified, .rawUserInfo: break
      }
    }
    revokesTokens = request.validSince != nil
  }
}
