import GatehouseProtocol

/// `accounts:lookup` (v3 `getAccountInfo`): the user's own account; for an administrator, any
/// accounts.
struct Lookup: Endpoint {
  let services: APIServices

  var routes: [Route] {
    Route.account("lookup", v3: "getAccountInfo", role: .viewer, answer)
      + [
        .administrator(
          .post, "v1/projects/*/accounts:lookup", "accounts.lookup", role: .viewer, answer
        ).alsoOfClients
      ]
  }

  /// How many accounts an administrator may name in one request.
  private static let maximumSelectors = 1000

  func answer(_ call: Call) async throws -> Answer {
    let request = try call.request(LookupRequest.self)
    let project = try call.requireProject()
    if call.isAdministrator, request.idToken?.isEmpty ?? true, request.sessionCookie == nil {
      let accounts = try await services.accounts.accounts(
        matching: try Self.selectors(request), in: project)
      return Answer(
        LookupResponse(users: try await services.administered(accounts, in: project)))
    }
    return Answer(LookupResponse(users: [try await ownAccount(request, project, call)]))
  }

  private func ownAccount(
    _ request: LookupRequest, _ project: Project, _ call: Call
  ) async throws -> UserInfo {
    if let idToken = request.idToken {
      let (account, revoked) = try await services.accounts.ownAccount(
        ofIDToken: idToken, in: project, now: call.now)
      return UserInfo(
        account, revokedOnDeletion: revoked,
        passkeys: try await services.accounts.passkeys(of: account, in: project))
    }
    guard let cookie = request.sessionCookie else { throw APIError.refused(.missingIDToken) }
    let account = try await services.accounts.currentUser(
      ofSessionCookie: cookie, in: project, now: call.now
    ).account
    return UserInfo(
      account, passkeys: try await services.accounts.passkeys(of: account, in: project))
  }

  /// A value that no account can have selects no account.
  private static func selectors(_ request: LookupRequest) throws(APIError) -> [AccountSelector] {
    let count =
      request.localIDs.count + request.emails.count + request.phoneNumbers.count
      + request.federatedUserIDs.count
    guard count > 0 else { throw .refused(.missingIDToken) }
    guard count <= maximumSelectors else {
      throw .invalidArgument("At most \(maximumSelectors) accounts can be looked up at once.")
    }
    let identities = request.federatedUserIDs.compactMap { identity -> AccountSelector? in
      guard let provider = identity.providerID.flatMap({ ProviderID($0) }),
        let subject = identity.rawID.flatMap({ Subject($0) })
      else { return nil }
      // A number is no identity, but it is in the account's list of providers.
      if provider == .phone { return AccountSelector(phoneNumber: subject.text) }
      return .identity(provider, subject)
    }
    var selectors = request.localIDs.compactMap { UID($0).map(AccountSelector.uid) }
    selectors += request.emails.compactMap { EmailAddress($0).map(AccountSelector.email) }
    selectors += request.phoneNumbers.compactMap { AccountSelector(phoneNumber: $0) }
    return selectors + identities
  }
}

extension AccountSelector {
  /// The account with the number, which may be written as people write it. Nil for a text that is no
  /// number.
  init?(phoneNumber text: String) {
    guard let number = PhoneNumber(text) else { return nil }
    self = .phoneNumber(number.text)
  }
}
