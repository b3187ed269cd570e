import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

/// The use cases at the world's time, in its project unless another is given.
extension World {
  func signIn(
    _ identity: ExternalIdentity, ifNew: IfNew = .create, linkingTo idToken: String? = nil,
    nonce: String? = nil, sessionID: String? = nil, consent: GivenConsent? = nil,
    takesPendingToken: Bool = false, code: AuthorizationCode? = nil, in project: Project? = nil
  ) async throws -> IdentitySignIn.Result {
    let project = project ?? self.project
    let linking = try idToken.map { try accounts.facts(ofIDToken: $0, in: project, now: now) }
    let accepted = try accounts.accept(
      nonce: nonce, sessionID: sessionID, linking: linking, in: project, now: now)
    return try await accounts.signIn(
      IdentitySignIn(
        identity, .verified(accepted), in: project, now: now, from: .unknown, ifNew: ifNew,
        linking: linking, consent: consent, takesPendingToken: takesPendingToken,
        authorizationCode: code))
  }

  /// A user who signed in `age` seconds ago and unlinked every credential: the account is
  /// anonymous, but its session didn't begin anonymously.
  func signInAndUnlinkEverything(age: Double) async throws -> SignedIn {
    let ann = try await signIn(identity()).signedIn()
    defer { advance(age) }
    let updated = try await update(ann.tokens.idToken) { $0.unlinkedProviders = [.google] }
    #expect(updated.account.isAnonymous)
    return ann
  }

  func repeatSignIn(
    _ pendingToken: String, ifNew: IfNew = .create, linkingTo idToken: String? = nil,
    consent: GivenConsent? = nil, of provider: String? = nil, in project: Project? = nil
  ) async throws -> IdentitySignIn.Result {
    let project = project ?? self.project
    let linking = try idToken.map { try accounts.facts(ofIDToken: $0, in: project, now: now) }
    let (identity, proof) = try accounts.identity(
      inPendingToken: pendingToken, of: provider, in: project, now: now)
    return try await accounts.signIn(
      IdentitySignIn(
        identity, proof, in: project, now: now, from: .unknown, ifNew: ifNew, linking: linking,
        consent: consent))
  }

  func signIn(
    _ address: String, password: String = "notasecret", from client: ClientAddress = .unknown,
    in project: Project? = nil
  ) async throws -> SignedIn {
    try await accounts.signIn(
      email: try email(address), password: Secret(password), from: client,
      in: project ?? self.project, now: now
    ).signedIn()
  }

  func signUp(
    _ address: String, password: String = "notasecret", name: String? = nil,
    photo: String? = nil, from client: ClientAddress = .unknown, in project: Project? = nil
  ) async throws -> SignedIn {
    let signedIn = try await accounts.signUp(
      email: try email(address), password: Secret(password), displayName: name, from: client,
      in: project ?? self.project, now: now
    ).signedIn()
    if let photo {
      var changes = ProfileChanges()
      changes.photoURL = .set(photo)
      _ = try await accounts.update(
        idToken: signedIn.tokens.idToken, with: changes, from: client,
        in: project ?? self.project, now: now)
    }
    return signedIn
  }

  func signUpAnonymously(
    from client: ClientAddress = .unknown, in project: Project? = nil
  ) async throws -> SignedIn {
    try await accounts.signUpAnonymously(from: client, in: project ?? self.project, now: now)
  }

  func upgrade(
    _ idToken: String, _ address: String, password: String = "notasecret",
    consent: GivenConsent? = nil, in project: Project? = nil
  ) async throws -> SignedIn {
    try await accounts.upgrade(
      idToken: idToken, email: try email(address), password: Secret(password), displayName: nil,
      consent: consent, from: .unknown, link: Self.link, in: project ?? self.project,
      now: now
    ).signedIn()
  }

  func refresh(_ token: String, in project: Project? = nil) async throws -> Refreshed {
    try await accounts.refresh(token, in: project ?? self.project, now: now)
  }

  func currentUser(_ idToken: String, in project: Project? = nil) async throws -> CurrentUser {
    try await accounts.currentUser(ofIDToken: idToken, in: project ?? self.project, now: now)
  }

  func update(
    _ idToken: String, consent: GivenConsent? = nil, in project: Project? = nil,
    _ change: (inout ProfileChanges) throws -> Void
  ) async throws -> (account: Account, tokens: Tokens?) {
    var changes = ProfileChanges()
    try change(&changes)
    let (account, tokens) = try await accounts.update(
      idToken: idToken, with: changes, consent: consent, from: .unknown, link: Self.link,
      in: project ?? self.project, now: now)
    return (account, tokens.map { ($0.idToken, $0.refreshToken, $0.expiresInSeconds) })
  }

  func administer(
    _ uid: UID, in project: Project? = nil,
    _ change: (inout AdministratorChanges) throws -> Void
  ) async throws -> Account {
    var changes = AdministratorChanges()
    try change(&changes)
    return try await accounts.updateAccount(
      uid, with: changes, in: project ?? self.project, now: now)
  }

  func create(
    _ uid: UID? = nil, _ change: (inout AdministratorChanges) throws -> Void = { _ in }
  ) async throws -> Account {
    var changes = AdministratorChanges()
    try change(&changes)
    return try await accounts.createAccount(uid: uid, changes, in: project, now: now)
  }

  /// The account as the store has it.
  func stored(_ uid: UID) async throws -> Account {
    let project = project.id
    return try #require(try await store.read { try $0.account(uid, in: project) })
  }

  func storedSession(_ id: SessionID) async throws -> Session {
    let project = project.id
    return try #require(try await store.read { try $0.session(id, in: project) })
  }

  func count() async throws -> Int {
    try await accounts.accounts(after: nil, pageSize: 1000, in: project).accounts.count
  }

  /// An account whose address an administrator marked as verified.
  func verifiedAccount(_ address: String) async throws -> SignedIn {
    let signedIn = try await signUp(address)
    _ = try await administer(signedIn.account.uid) { $0.isEmailVerified = true }
    return signedIn
  }
}

typealias Tokens = (idToken: String, refreshToken: String, expiresInSeconds: Int)

extension IdentitySignIn.Result {
  func signedIn() throws -> SignedIn { try signedInWithPending().0 }

  func signedInWithPending() throws -> (SignedIn, pendingToken: String) {
    (try ended().signedIn(), pendingToken)
  }

  /// The end of a sign-in that is unfinished if the account has a second factor.
  func ended() throws -> SignInResult {
    guard case .ended(let result) = outcome else { throw Unexpected(outcome: "\(self)") }
    return result
  }

  /// The pending token of a response that requires asking the user first.
  func asked() throws -> String {
    guard case .isNew = outcome else { throw Unexpected(outcome: "\(self)") }
    return pendingToken
  }

  func consentRequired() throws -> (joins: [String], pendingToken: String) {
    guard case .consentRequired(let parts) = outcome else {
      throw Unexpected(outcome: "\(self)")
    }
    return (parts.map(\.name), pendingToken)
  }

  typealias Confirmation = (
    account: Account?, verifiedProviders: [ProviderID], pendingToken: String, isRecycled: Bool
  )

  func confirmation() throws -> Confirmation {
    guard case .needsConfirmation(let account, let isRecycled) = outcome else {
      throw Unexpected(outcome: "\(self)")
    }
    return (account, account?.identities.map(\.provider) ?? [], pendingToken, isRecycled)
  }

  func conflict() throws -> (error: AccountsError, pendingToken: String) {
    guard case .conflict(let error) = outcome else {
      throw Unexpected(outcome: "\(self)")
    }
    return (error, pendingToken)
  }

  struct Unexpected: Error { let outcome: String }
}

/// Runs `work` `count` times concurrently and returns all results.
func atOnce<Success: Sendable>(
  _ count: Int, _ work: @escaping @Sendable (Int) async throws -> Success
) async -> [Result<Success, any Error>] {
  await withTaskGroup(of: Result<Success, any Error>.self) { group in
    for index in 0..<count {
      group.addTask {
        do { return .success(try await work(index)) } catch { return .failure(error) }
      }
    }
    return await group.reduce(into: []) { $0.append($1) }
  }
}

extension Array {
  func successes<Success>() -> [Success] where Element == Result<Success, any Error> {
    compactMap { try? $0.get() }
  }

  /// The domain's errors among the results.
  func refusals<Success>() -> [AccountsError] where Element == Result<Success, any Error> {
    compactMap { if case .failure(let error) = $0 { error as? AccountsError } else { nil } }
  }
}
