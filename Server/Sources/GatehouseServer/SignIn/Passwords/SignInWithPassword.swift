package import Foundation
package import GatehouseProtocol

/// `accounts:signInWithPassword` (v3 `verifyPassword`).
struct SignInWithPassword: Endpoint {
  let services: APIServices

  var routes: [Route] {
    Route.signIn("signInWithPassword", v3: "verifyPassword", answer)
  }

  func answer(_ call: Call) async throws -> Answer {
    let request = try call.request(SignInWithPasswordRequest.self)
    let project = try call.requireProject()
    if !project.policies.allowsPasswords { throw AccountsError.passwordLoginDisabled }
    guard let text = request.email else { throw APIError.refused(.missingEmail) }
    let email = try EmailAddress(checking: text)
    guard let password = request.password else { throw APIError.refused(.missingPassword) }
    let signedIn = try await services.accounts.signIn(
      email: email, password: Secret(password), from: call.client, language: call.language,
      in: project, now: call.now)
    var response = SignInWithPasswordResponse(
      localID: signedIn.account.uid.text, email: email.text, tokens: signedIn.issuedTokens)
    response.secondFactor = signedIn.pendingFactor
    response.displayName = signedIn.account.displayName
    response.photoURL = signedIn.account.photoURL
    response.notifications = project.policies.passwordPolicy
      .advisedChanges(of: Secret(password)).map {
        UserNotification(code: $0.notificationCode, message: $0.message)
      }
    return Answer(response)
  }
}

extension AccountsService {
  /// Signs in with an email address and a password.
  ///
  /// For an unknown address the server computes the same hash as for a wrong password. With the
  /// project's enumeration protection both have the same response. The rate limiter counts failures
  /// of an unknown address like those of an account.
  ///
  /// - Throws: ``AccountsError/invalidLoginCredentials``, or without the protection
  ///   ``AccountsError/emailNotFound`` and ``AccountsError/invalidPassword``;
  ///   ``AccountsError/passwordLoginDisabled``, ``AccountsError/userDisabled``,
  ///   ``AccountsError/passwordRequirements(_:)`` if the policy applies to every sign-in,
  ///   ``AccountsError/tooManyAttempts``, ``AccountsError/blockedByFunction(_:)``,
  ///   ``AccountsError/overloaded``.
  package func signIn(
    email: EmailAddress, password: Secret<String>, from client: ClientAddress,
    language: String? = nil, in project: Project, now: Date
  ) async throws -> SignInResult {
    guard project.policies.allowsPasswords else { throw AccountsError.passwordLoginDisabled }
    let limiter = RateLimiter.guess(of: email, from: client, under: project.policies.rateLimits)
    let found = try await store.read { transaction in
      try limiter.check(transaction, in: project.id, now: now)
      return try transaction.account(email: email, in: project.id)
    }
    if let found { EventOrigin.current.subject?.set(uid: found.uid) }
    let stored = found?.password
    let isRight = try await hashingShares.run(for: client, in: project.id) {
      try await passwords.verify(password, against: stored)
    }
    guard isRight, let found, let stored else {
      throw try await refusal(
        Self.refusal(accountExists: found != nil, in: project), countedBy: limiter, in: project,
        now: now)
    }
    let renewed = passwords.isOutdated(stored) ? try? await passwords.hash(password) : nil
    let context = BlockingContext(
      method: ProviderID.password.text, client: client, language: language)
    let ending = try await write(asking: context, in: project, now: now) { transaction, gate in
      try limiter.succeed(transaction, in: project.id, now: now)
      // The hash may differ for the same password: a concurrent sign-in renewed it.
      guard let before = try transaction.account(found.uid, in: project.id),
        let current = before.password,
        current == stored || before.passwordUpdatedAt == found.passwordUpdatedAt
      else { throw Self.refusal(accountExists: true, in: project) }
      // Revealed only to a caller who knows the password.
      if before.isDisabled { throw AccountsError.userDisabled }
      var account = before
      try password.checkAtSignIn(under: project.policies)
      let renewed = current == stored ? renewed : nil
      if let renewed { account.password = renewed }
      let admission = try gate.admit(&account, isNew: false, now: now)
      let confirmsOthers = !admission.needsSecondFactor && account.confirmCredentials()
      // A new hash of the same password is not a change of the password.
      var known = before
      known.password = account.password
      return try transaction.signIn(
        to: account,
        SignInRequest(
          provider: .password, admission: admission, method: gate.context.method, before: known,
          isChanged: confirmsOthers || renewed != nil, language: language),
        in: project, now: now)
    }
    return try result(of: ending, in: project, now: now)
  }

  private static func refusal(accountExists: Bool, in project: Project) -> AccountsError {
    if project.policies.protectsEmails { return .invalidLoginCredentials }
    return accountExists ? .invalidPassword : .emailNotFound
  }
}
