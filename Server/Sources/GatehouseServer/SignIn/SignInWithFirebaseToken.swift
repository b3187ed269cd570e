package import Foundation
import GatehouseProtocol
import GatehouseTokens
import Logging

/// `accounts:signInWithFirebaseToken`, an extension: continues a session that the app's former version began
/// at Firebase, so that its user isn't signed out by the update. See ``FirebaseSessionPolicy``.
struct SignInWithFirebaseToken: Endpoint {
  let services: APIServices

  var routes: [Route] { [Route.signIn("signInWithFirebaseToken", answer)] }

  func answer(_ call: Call) async throws -> Answer {
    let request = try call.request(SignInWithFirebaseTokenRequest.self)
    let project = try call.requireProject()
    guard let text = request.token else { throw APIError.refused(.missingIDToken) }
    guard let accepted = project.policies.firebaseSessions.accepted else {
      throw APIError.refused(
        .operationNotAllowed, "The project doesn't accept sessions of Firebase.")
    }
    // The error that makes the app ask its user to sign in.
    if call.now >= accepted.end { throw AccountsError.tokenExpired }
    let token: FirebaseToken
    do {
      token = try await services.federation.firebaseToken(
        text, ofFirebaseProject: accepted.project, now: call.now)
    } catch .stale {
      throw AccountsError.tokenExpired
    } catch .unreachable(let failure) {
      throw FederationError.unreachable(failure)
    } catch {
      call.logger.info(
        "a token of Firebase was refused",
        metadata: ["project": "\(project.id)", "reason": "\(error)"])
      throw AccountsError.invalidIDToken
    }
    let signedIn = try await services.accounts.continueSession(
      of: token, from: call.client, language: call.language, in: project, now: call.now)
    return Answer(
      SignInWithCustomTokenResponse(isNewUser: signedIn.isNewUser, tokens: signedIn.tokens))
  }
}

extension AccountsService {
  /// Begins a session for the user of a session at Firebase. It is as old as that one: this is no recent
  /// sign-in.
  ///
  /// The account must have the uid and must have been imported. An anonymous user of Firebase gets a new
  /// account with the uid. As for a custom token, no blocking function is called.
  ///
  /// A session with claims that the account doesn't have isn't continued. They may restrict what the session
  /// may do, or the account may have lost them since the import.
  ///
  /// - Throws: ``AccountsError/duplicateCredential`` if the token was used before;
  ///   ``AccountsError/userNotFound``; ``AccountsError/userDisabled``; ``AccountsError/tokenExpired`` if
  ///   the account's sessions were ended since the import, which Firebase doesn't know, or for such
  ///   claims. For an anonymous user ``AccountsError/adminOnlyOperation`` and
  ///   ``AccountsError/tooManyAttempts``, as for other new anonymous accounts.
  package func continueSession(
    of token: FirebaseToken, from client: ClientAddress, language: String? = nil,
    in project: Project, now: Date
  ) async throws -> SignedIn {
    let policies = project.policies
    let (account, session, isNew) = try await store.write { transaction in
      guard try transaction.spend(token.use, in: project.id) else {
        throw AccountsError.duplicateCredential
      }
      let known = try transaction.account(token.uid, in: project.id)
      var account: Account
      if let known {
        account = known
        if known.isDisabled { throw AccountsError.userDisabled }
        // Nor is a session continued that began without the second factor that it needs here.
        guard known.hasSessionsElsewhere, known.has(token.claims),
          !policies.secondFactors.demandsFactor(of: known, now: now)
        else { throw AccountsError.tokenExpired }
      } else {
        guard token.signInProvider == .anonymous else { throw AccountsError.userNotFound }
        guard token.claims.isEmpty else { throw AccountsError.tokenExpired }
        try policies.checkAnonymousSignUp()
        try RateLimiter.signUp(from: client, under: policies.rateLimits)
          .count(transaction, in: project.id, now: now)
        account = Account(uid: token.uid, createdAt: now)
        // The user's other devices bring their sessions along too.
        account.importedAt = account.createdAt
      }
      account.recordSignIn(language: language, now: now)
      try transaction.save(account, replacing: known, in: project.id, now: now)
      let session = try transaction.beginSession(
        of: account, by: token.signInProvider, admission: .notNeeded,
        authenticatedAt: token.authenticatedAt, in: project, now: now)
      return (account, session, known == nil)
    }
    return SignedIn(
      account: account, session: session,
      tokens: try sessions.tokens(for: account, session, in: project, now: now),
      isNewUser: isNew)
  }
}

extension Account {
  /// Whether each of the claims is one of the account's custom claims, with the same value.
  fileprivate func has(_ claims: JSONObject) -> Bool {
    let own = customClaims.flatMap { try? JSONObject(parsing: $0.jsonText) } ?? JSONObject()
    return claims.members.allSatisfy { own[$0.name] == $0.value }
  }
}
