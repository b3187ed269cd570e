import Foundation
import GatehouseProtocol

/// One call of ``AccountManager/deleteAccount(reauthenticatingWith:options:)``: carries out a
/// ``DeletionPlan`` and records its progress.
struct DeletionRun {
  private let manager: AccountManager
  private let user: SignedInUser
  private let wish: Reauthentication
  private let options: DeletionOptions
  private var linked: [LinkedProvider]
  private var record: DeletionRecord
  /// The completed steps, for an error or a cancellation.
  private var completed: [DeletionStep] = []
  private var step = DeletionStep.prepare
  private var revoked: [Provider] = []
  private var revokedByServer: Set<Provider> = []
  private var confirmation = DeletionConfirmation()
  /// Whether Apple's code is from an earlier call.
  private var isCodeKept = false

  init(
    manager: AccountManager, user: SignedInUser, wish: Reauthentication, options: DeletionOptions
  ) {
    self.manager = manager
    self.user = user
    self.wish = wish
    self.options = options
    linked = user.snapshot.providers
    record = DeletionRecord(uid: user.uid)
  }

  mutating func perform() async throws(DeletionError) -> DeletionOutcome {
    record = await manager.client.core.deletionRecord(for: user.uid)
    do throws(AccountError) {
      if try await attempt(distrustsTheToken: false) == .tooOld {
        // The project requires a more recent sign-in than the app's options say.
        guard try await attempt(distrustsTheToken: true) == .deleted else {
          throw AccountError.client(
            .needsRecentSignIn(providers: linked.map(\.provider)))
        }
      }
    } catch .client(.sessionEnded(.deleted)) {
      // Already deleted: the response to an earlier call was lost, or another device deleted the
      // account.
      if manager.client.currentUser?.uid == user.uid { try? await manager.client.core.signOut() }
    } catch {
      if error.isCancellation { return .cancelled(completed: completed) }
      throw DeletionError(step, DeletionError.Failure(cause: error, completed: completed))
    }
    return await finish()
  }

  private enum AttemptOutcome { case deleted, tooOld }

  private mutating func attempt(distrustsTheToken: Bool) async throws(AccountError)
    -> AttemptOutcome
  {
    step = .prepare
    let facts: DeletionFacts
    do throws(AccountError) {
      facts = try await self.facts(distrustsTheToken: distrustsTheToken)
    } catch .client(.sessionEnded(.revoked)) {
      // An earlier call may have scheduled the deletion, which ends the session, and the response was
      // lost. Then the server repeats the response for the same session's ID token.
      guard let repeated = try? await user.delete() else {
        throw AccountError.client(.sessionEnded(.revoked))
      }
      confirmation = repeated
      return .deleted
    }
    let plan = DeletionPlan(facts)
    if plan.proof != .appleSheet { try await prove(by: plan.proof) }
    let code = plan.showsAppleSheet ? try await appleCodeIfPossible(plan) : nil
    // Another user may have signed in while a sheet was open.
    guard manager.client.currentUser === user else { throw .client(.notSignedIn) }
    if plan.revokesApple, let code { try await revokeApple(code) }
    if plan.revokesGoogle { try await revokeGoogle() }
    step = .delete
    do {
      confirmation = try await user.delete()
      return .deleted
    } catch .needsRecentSignIn(let providers) {
      if plan.proof == .none, !facts.isAnonymous, !distrustsTheToken { return .tooOld }
      throw .client(.needsRecentSignIn(providers: providers))
    } catch {
      throw .client(error)
    }
  }

  private mutating func finish() async -> DeletionOutcome {
    await manager.client.core.forgetDeletionRecord()
    manager.keptCode.forget()
    if let google = manager.devices.google, linked.contains(where: { $0.provider == .google }) {
      await google.signOut()
    }
    let byServer = linked.map(\.provider).filter {
      revokedByServer.contains($0) && !revoked.contains($0)
    }
    let others = linked.map(\.provider).filter {
      ![.password, .phone].contains($0) && !revoked.contains($0) && !byServer.contains($0)
    }
    return .deleted(
      DeletionReceipt(
        revoked: revoked, notRevoked: others, revokedByServer: byServer,
        confirmation: confirmation))
  }
}

// MARK: Before anything is shown

extension DeletionRun {
  private mutating func facts(distrustsTheToken: Bool) async throws(AccountError) -> DeletionFacts {
    // Before the first request: if the account is already deleted, the receipt names what is known.
    noteRevocations(user.heldIDToken)
    // Refreshes an expired token. If the session has ended, this fails before a sheet is shown.
    let token: IDToken
    do {
      token = try await user.idToken()
    } catch {
      throw .client(error)
    }
    try await readAccount()
    noteRevocations(token)
    let devices = manager.devices
    var facts = DeletionFacts(
      linked: linked.map(\.provider), isRecent: !distrustsTheToken && isRecent(token), sheets: [])
    facts.isAnonymous = user.snapshot.isAnonymous
    facts.wish = wish.fact
    if devices.apple != nil { facts.sheets.insert(.apple) }
    if devices.google != nil { facts.sheets.insert(.google) }
    if devices.passwords != nil { facts.sheets.insert(.password) }
    facts.hasBrowser = devices.web != nil
    facts.revoking = options.revoking
    facts.revoked = Set(revoked)
    facts.revokedByServer = revokedByServer
    facts.standing = await standing(but: facts.revoked)
    for (provider, state) in facts.standing where state == .revoked {
      // The user revoked the authorization themselves.
      revoked.append(provider)
      complete(.revoke(provider))
    }
    return facts
  }

  /// Notes the providers at which an earlier call revoked, and those at which the server revokes when
  /// the account is deleted.
  private mutating func noteRevocations(_ token: IDToken?) {
    revoked = token.map { record.revoked(consideringSignIn: $0) } ?? []
    for provider in revoked { complete(.revoke(provider)) }
    revokedByServer = Set(
      user.snapshot.providers.filter { $0.isRevokedOnDeletion == true }.map(\.provider))
  }

  /// Reads the profile again. Another device may have linked Apple, which then has to be revoked, or
  /// deleted the account. The server exchanges a sign-in's authorization code only after it has
  /// responded, so the profile from that sign-in may not show yet that the server can revoke.
  ///
  /// - Throws: Errors after which the deletion can't work. Other errors leave the known profile.
  private mutating func readAccount() async throws(AccountError) {
    do {
      try await user.reload()
    } catch {
      switch error {
      case .sessionEnded, .notSignedIn, .network, .cancelled: throw .client(error)
      default: return
      }
    }
    linked = user.snapshot.providers
  }

  private func standing(but revoked: Set<Provider>) async -> [Provider: ProviderCredentialState] {
    var standing: [Provider: ProviderCredentialState] = [:]
    for provider in [Provider.apple, .google]
    where options.revoking.contains(provider) && !revoked.contains(provider) {
      standing[provider] = await manager.standing(of: provider, in: linked)
    }
    return standing
  }

  private func isRecent(_ token: IDToken) -> Bool {
    token.isRecent(within: options.recentSignIn, now: manager.client.serverNow)
  }

  private mutating func complete(_ step: DeletionStep) {
    if !completed.contains(step) { completed.append(step) }
  }
}

// MARK: Re-authentication

extension DeletionRun {
  private mutating func prove(by proof: DeletionPlan.Proof) async throws(AccountError) {
    let manager = manager
    switch proof {
    case .none, .appleSheet: return
    case .googleSheet:
      step = .reauthenticate(.google)
      let (user, credential) = try await manager.askGoogle(hint: linkedProvider(.google)?.email)
      try requireOwn(user, at: .google)
      try await reauthenticate(with: credential)
    case .browser(let provider):
      step = .reauthenticate(provider)
      try await reauthenticate(
        with: try await manager.askBrowser(provider, scopes: [], customParameters: [:]))
    case .savedPassword:
      step = .reauthenticate(.password)
      try await reauthenticate(with: try await savedPassword())
    case .given(let provider):
      step = .reauthenticate(provider)
      guard case .with(let credential) = wish else { return }
      try await reauthenticate(with: credential)
    case .askApp:
      step = .reauthenticate(.password)
      guard case .asking(let ask) = wish else { return }
      guard let credential = await ask(linked.map(\.provider)) else { throw .client(.cancelled) }
      step = .reauthenticate(credential.provider)
      try await reauthenticate(with: credential)
    case .impossible:
      step = .reauthenticate(wish.provider ?? linked.first?.provider ?? .custom)
      throw .client(.needsRecentSignIn(providers: linked.map(\.provider)))
    }
  }

  /// Nil also if the sheet was only for the revocation and gave no code, and the account may be deleted
  /// without the revocation.
  private mutating func appleCodeIfPossible(_ plan: DeletionPlan) async throws(AccountError)
    -> String?
  {
    do {
      return try await appleCode(plan)
    } catch {
      if plan.proof == .appleSheet { throw error }
      _ = try mayGoOn(after: error)
      return nil
    }
  }

  /// The authorization code of Apple's sheet, or one that is kept from an earlier call. The sheet
  /// also re-authenticates the user if the sign-in isn't recent.
  private mutating func appleCode(_ plan: DeletionPlan) async throws(AccountError) -> String? {
    step = plan.proof == .appleSheet ? .reauthenticate(.apple) : .revoke(.apple)
    if plan.proof != .appleSheet, let code = keptCode() {
      isCodeKept = true
      return code
    }
    let answer = try await manager.askApple()
    if await manager.standing(of: .apple, in: linked) != .transferred {
      try requireOwn(answer.authorization.user, at: .apple)
    }
    // Without a code nothing can be revoked: throw before the identity token is used.
    var code: String?
    if plan.revokesApple {
      step = .revoke(.apple)
      code = try answer.authorizationCode()
    }
    // The sheet may have been open for minutes.
    if let token = user.heldIDToken, plan.proof != .appleSheet, isRecent(token) { return code }
    step = .reauthenticate(.apple)
    try await reauthenticate(with: try answer.proof())
    return code
  }

  /// - Throws: ``ClientError/needsRecentSignIn(providers:)`` if no password is saved, and also if the
  ///   user closed the sheet, because the system doesn't distinguish the two. The outcome
  ///   ``DeletionOutcome/cancelled(completed:)`` would tell a user without a saved password nothing.
  private func savedPassword() async throws(AccountError) -> Credential {
    do throws(AccountError) {
      return try await manager.askOffered(withApple: false)
    } catch {
      switch error {
      case .device(.unavailable), .device(.cancelled):
        if Task.isCancelled { throw error }
        throw .client(.needsRecentSignIn(providers: linked.map(\.provider)))
      default: throw error
      }
    }
  }

  private func keptCode() -> String? {
    manager.keptCode.take(for: user.uid, now: manager.client.clock.now)
  }

  /// - Throws: ``ClientError/needsRecentSignIn(providers:)`` also if the new sign-in isn't recent: the
  ///   server doesn't count the sign-ins of an identity that was linked in an old session. Nothing
  ///   may be revoked then.
  private mutating func reauthenticate(with credential: Credential) async throws(AccountError) {
    do {
      _ = try await user.reauthenticate(with: credential)
    } catch {
      throw .client(error)
    }
    forgetRevocation(of: credential.provider)
    // With a shorter limit of the app's, not even a new sign-in might seem recent.
    let limit = max(options.recentSignIn, DeletionOptions().recentSignIn)
    guard let token = user.heldIDToken,
      token.isRecent(within: limit, now: manager.client.serverNow)
    else { throw .client(.needsRecentSignIn(providers: linked.map(\.provider))) }
    complete(.reauthenticate(credential.provider))
  }

  /// The user authorized the app again, so an earlier revocation no longer counts. In the store the
  /// client has forgotten it.
  private mutating func forgetRevocation(of provider: Provider) {
    record.remove(provider)
    revoked.removeAll { $0 == provider }
    completed.removeAll { $0 == .revoke(provider) }
  }

  private func requireOwn(_ user: String?, at provider: Provider) throws(AccountError) {
    guard let user, let own = linkedProvider(provider)?.uid else { return }
    if !user.utf8.elementsEqual(own.utf8) { throw .answer(.anotherUser) }
  }

  private func linkedProvider(_ provider: Provider) -> LinkedProvider? {
    linked.first { $0.provider == provider }
  }
}

// MARK: Revocation

extension DeletionRun {
  private mutating func revokeApple(_ code: String) async throws(AccountError) {
    step = .revoke(.apple)
    await begin(.apple)
    do {
      try await user.revokeApple(authorizationCode: code)
    } catch {
      // If the server got no response from Apple, Apple may have revoked.
      if case .server(let refusal) = error, refusal.code != ErrorCode.invalidIDPResponse.rawValue {
        await abandon(.apple)
      }
      keep(code, after: error)
      if try mayGoOn(after: .client(error)) { return }
    }
    await didRevoke(.apple)
  }

  /// Keeps a code with which the revocation may still succeed, so that a retry shows no second sheet.
  private func keep(_ code: String, after error: ClientError) {
    switch error {
    // If only the response was lost, the server accepts the same code again.
    case .network: break
    // Apple may have failed, or the code is invalid. After a second refusal only a new one can help.
    case .server: if isCodeKept { return }
    default: return
    }
    manager.keptCode.keep(code, for: user.uid, now: manager.client.clock.now)
  }

  private mutating func revokeGoogle() async throws(AccountError) {
    step = .revoke(.google)
    guard let google = manager.devices.google, let own = linkedProvider(.google) else { return }
    await begin(.google)
    do {
      try await google.disconnect(userID: own.uid)
    } catch {
      if try mayGoOn(after: .device(error)) { return }
    }
    await didRevoke(.google)
  }

  /// - Returns: True if the account may be deleted without the revocation. Otherwise throws
  ///   `error`.
  private func mayGoOn(after error: AccountError) throws(AccountError) -> Bool {
    guard options.ifRevocationFails == .deleteAnyway else { throw error }
    switch error {
    case .client(.server), .device(.unavailable), .device(.failed), .answer: return true
    default: throw error
    }
  }

  /// Notes the revocation before it happens: if the app is killed meanwhile, the next launch must not take
  /// it for the user's own.
  private mutating func begin(_ provider: Provider) async {
    record.begin(provider, at: manager.client.serverNow)
    await manager.client.core.keep(record)
  }

  private mutating func abandon(_ provider: Provider) async {
    record.abandon(provider)
    await manager.client.core.keep(record)
  }

  private mutating func didRevoke(_ provider: Provider) async {
    revoked.removeAll { $0 == provider }
    revoked.append(provider)
    complete(.revoke(provider))
    record.add(provider, at: manager.client.serverNow)
    await manager.client.core.keep(record)
  }
}

extension Reauthentication {
  fileprivate var fact: DeletionFacts.Wish {
    switch self {
    case .automatic: .automatic
    case .by(let provider): .by(provider)
    case .with(let credential): .given(credential.provider)
    case .asking: .asking
    }
  }

  fileprivate var provider: Provider? {
    if case .by(let provider) = self { provider } else { nil }
  }
}
