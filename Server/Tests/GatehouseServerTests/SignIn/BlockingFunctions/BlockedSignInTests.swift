import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import Testing

/// Which requests blocking functions decide about, and what an answer does.
@Suite struct BlockedSignInTests {
  /// A way to get a new account and to sign in to it again.
  enum Method: String, CaseIterable {
    case provider, password, emailLink, phone

    func signUp(_ world: World, _ project: Project) async throws -> SignedIn {
      self == .password
        ? try await world.signUp("ann@example.com", in: project)
        : try await signIn(world, project)
    }

    func signIn(_ world: World, _ project: Project) async throws -> SignedIn {
      switch self {
      case .provider:
        return try await world.signIn(
          identity(.google, email: "ann@example.com"), in: project
        ).signedIn()
      case .password: return try await world.signIn("ann@example.com", in: project)
      case .emailLink:
        let code = try await world.sent(
          .emailSignIn(email("ann@example.com")), to: "ann@example.com")
        return try await world.signIn(code: code, "ann@example.com", in: project)
      case .phone: return try await world.signInByPhone(in: project)
      }
    }

    /// As Firebase names it.
    var name: String { self == .provider ? "google.com" : rawValue }
  }

  @Test(arguments: Method.allCases)
  func `both functions are asked about a new account, then one about each sign-in`(
    _ method: Method
  ) async throws {
    try await withWorld { world in
      let project = world.withFunctions()
      let ann = try await method.signUp(world, project)
      #expect(ann.isNewUser)
      #expect(world.functions.triggers == [.beforeCreate, .beforeSignIn])
      #expect(world.functions.asked.map(\.account.uid) == [ann.account.uid, ann.account.uid])
      #expect(world.functions.asked.map(\.context.method) == [method.name, method.name])
      world.advance(1)
      let again = try await method.signIn(world, project)
      #expect(again.account.uid == ann.account.uid)
      #expect(world.functions.triggers == [.beforeCreate, .beforeSignIn, .beforeSignIn])
      // When the user was here last, not now.
      #expect(world.functions.asked.last?.account.lastLoginAt == ann.account.lastLoginAt)
      #expect(try await world.count() == 1)
    }
  }

  @Test(arguments: Method.allCases)
  func `what the functions set is in the account and in the tokens of the session`(
    _ method: Method
  ) async throws {
    try await withWorld { world in
      let project = world.withFunctions()
      let role = try CustomClaims(jsonText: #"{"role":"editor","level":1}"#)
      let session = try CustomClaims(jsonText: #"{"level":2,"ip":"home"}"#)
      world.functions.answer { question in
        var changes = BlockingChanges()
        switch question.trigger {
        case .beforeCreate:
          changes.displayName = .set("Ann B")
          changes.customClaims = .set(role)
        case .beforeSignIn:
          // It sees what the first function did.
          #expect(question.account.displayName == "Ann B")
          changes.photoURL = .set("https://example.com/p.png")
          changes.sessionClaims = session
        }
        return .allowed(changes)
      }
      let ann = try await method.signUp(world, project)
      let stored = try await world.stored(ann.account.uid)
      #expect(stored.displayName == "Ann B")
      #expect(stored.photoURL == "https://example.com/p.png")
      #expect(stored.customClaims == role)
      let token = try claims(of: ann.tokens.idToken)
      #expect(token["role"]?.string == "editor")
      // The session's claims come before the account's.
      #expect(token["level"]?.int64 == 2)
      #expect(token["name"]?.string == "Ann B")
      let refreshed = try await world.refresh(ann.tokens.refreshToken, in: project)
      let later = try claims(of: refreshed.tokens.idToken)
      #expect(later["level"]?.int64 == 2)
      #expect(later["ip"]?.string == "home")
      // Another session has its own.
      world.functions.change { _ in }
      world.advance(1)
      let again = try await method.signIn(world, project)
      #expect(try claims(of: again.tokens.idToken)["level"]?.int64 == 1)
    }
  }

  /// The claims of one provider's session may be wrong for another provider's.
  @Test func `after a link, the function alone decides the session's claims`() async throws {
    try await withWorld { world in
      let project = world.withFunctions()
      let staff = try CustomClaims(jsonText: #"{"staff":true}"#)
      world.functions.change { $0.sessionClaims = staff }
      let ann = try await world.signIn(identity(.apple), in: project).signedIn()
      #expect(try claims(of: ann.tokens.idToken)["staff"]?.bool == true)
      world.functions.change { _ in }
      let linked = try await world.signIn(
        identity(.google), linkingTo: ann.tokens.idToken, in: project
      ).signedIn()
      #expect(try claims(of: linked.tokens.idToken)["staff"] == nil)
    }
  }

  /// Ann's account has an unverified address, and a recovery code can restore her verified one. So a reset
  /// for the unverified address creates an account of its own.
  private func resetForSeparateAccount(_ world: World) async throws -> String {
    let ann = try await world.accountVerifiedByCode("ann@example.com")
    _ = try await world.update(ann.tokens.idToken) {
      $0.email = .set(try email("other@example.com"))
    }
    return try await world.sent(
      .passwordReset(try email("other@example.com")), to: "other@example.com")
  }

  @Test func `a password reset that creates an account asks beforeCreate alone`() async throws {
    try await withWorld { world in
      let code = try await resetForSeparateAccount(world)
      let role = try CustomClaims(jsonText: #"{"role":"reader"}"#)
      world.functions.change { $0.customClaims = .set(role) }
      _ = try await world.resetPassword(code, in: world.withFunctions())
      #expect(world.functions.triggers == [.beforeCreate])
      let other = try await world.signIn("other@example.com", password: "freshpass")
      #expect(world.functions.asked.map(\.account.uid) == [other.account.uid])
      #expect(other.account.customClaims == role)
    }
  }

  @Test func `a password reset whose account a function refuses changes nothing`() async throws {
    try await withWorld { world in
      let code = try await resetForSeparateAccount(world)
      world.functions.refuse(.beforeCreate)
      await #expect(throws: refusedByFunction) {
        try await world.resetPassword(code, in: world.withFunctions())
      }
      #expect(try await world.count() == 1)
      _ = try await world.resetPassword(code)
      #expect(try await world.count() == 2)
    }
  }

  @Test func `a password reset for an account that exists asks no function`() async throws {
    try await withWorld { world in
      _ = try await world.accountVerifiedByCode("ann@example.com")
      let code = try await world.sent(
        .passwordReset(try email("ann@example.com")), to: "ann@example.com")
      world.functions.refuse()
      _ = try await world.resetPassword(code, in: world.withFunctions())
      #expect(world.functions.triggers.isEmpty)
    }
  }

  @Test(arguments: Method.allCases)
  func `a sign-in saves what a function changes in an account that exists`(
    _ method: Method
  ) async throws {
    try await withWorld { world in
      let ann = try await method.signUp(world, world.project)
      world.advance(1)
      world.functions.change { $0.displayName = .set("Ann B") }
      _ = try await method.signIn(world, world.withFunctions())
      #expect(try await world.stored(ann.account.uid).displayName == "Ann B")
    }
  }

  @Test(arguments: Method.allCases, BlockingFunction.Trigger.allCases)
  func `a user whom a function disables has an account and no session`(
    _ method: Method, _ trigger: BlockingFunction.Trigger
  ) async throws {
    try await withWorld { world in
      let project = world.withFunctions()
      world.functions.answer { question in
        var changes = BlockingChanges()
        changes.isDisabled = question.trigger == trigger ? true : nil
        return .allowed(changes)
      }
      await #expect(throws: AccountsError.userDisabled) {
        try await method.signUp(world, project)
      }
      let uid = try #require(world.functions.asked.first?.account.uid)
      let stored = try await world.stored(uid)
      #expect(stored.isDisabled)
      let sessions = try await world.store.read {
        try $0.countLiveSessions(of: uid, startedAfter: .distantPast, in: project.id)
      }
      #expect(sessions == 0)
      // A disabled account isn't asked about.
      #expect(
        world.functions.triggers
          == (trigger == .beforeCreate ? [.beforeCreate] : [.beforeCreate, .beforeSignIn]))
      await #expect(throws: AccountsError.userDisabled) {
        try await method.signIn(world, project)
      }
    }
  }

  @Test(arguments: Method.allCases, BlockingFunction.Trigger.allCases)
  func `a refusal creates nothing, and the user can try again`(
    _ method: Method, _ trigger: BlockingFunction.Trigger
  ) async throws {
    try await withWorld { world in
      let project = world.withFunctions()
      world.functions.refuse(trigger)
      await #expect(throws: refusedByFunction) { try await method.signUp(world, project) }
      #expect(try await world.count() == 0)
      world.functions.change { _ in }
      let ann = try await method.signUp(world, project)
      #expect(ann.isNewUser)
    }
  }

  @Test(arguments: Method.allCases)
  func `under its policy, a function that fails refuses or allows`(
    _ method: Method
  ) async throws {
    try await withWorld { world in
      world.functions.fail()
      await #expect(throws: AccountsError.blockedByFunction(.failure)) {
        try await method.signUp(world, world.withFunctions(onFailure: .refuse))
      }
      #expect(try await world.count() == 0)
      let allowing = world.withFunctions(onFailure: .allow)
      let ann = try await method.signUp(world, allowing)
      #expect(ann.isNewUser)
      world.advance(1)
      await #expect(throws: AccountsError.blockedByFunction(.failure)) {
        try await method.signIn(world, world.withFunctions(onFailure: .refuse))
      }
      #expect(try await method.signIn(world, allowing).account.uid == ann.account.uid)
    }
  }

  @Test func `a project without functions asks nobody`() async throws {
    try await withWorld { world in
      for method in [Method.password, .phone] {
        _ = try await method.signUp(world, world.project)
        _ = try await method.signIn(world, world.project)
      }
      #expect(world.functions.asked.isEmpty)
    }
  }

  @Test func `only the functions that are set are asked`() async throws {
    try await withWorld { world in
      _ = try await world.signIn(
        identity(.google, "ann"), in: world.withFunctions([.beforeCreate]))
      #expect(world.functions.triggers == [.beforeCreate])
      _ = try await world.signIn(
        identity(.google, "bob"), in: world.withFunctions([.beforeSignIn]))
      #expect(world.functions.triggers == [.beforeCreate, .beforeSignIn])
    }
  }

  @Test func `linking asks about the sign-in, not about a new account`() async throws {
    try await withWorld { world in
      let project = world.withFunctions()
      let ann = try await world.signUpAnonymously(in: project)
      #expect(world.functions.asked.isEmpty)
      let token = ann.tokens.idToken
      _ = try await world.signIn(identity(), linkingTo: token, in: project)
      #expect(world.functions.triggers == [.beforeSignIn])
      #expect(world.functions.asked.first?.account.uid == ann.account.uid)
      #expect(world.functions.asked.first?.account.identities.count == 1)
    }
  }

  @Test func `a refused link leaves the account as it was`() async throws {
    try await withWorld { world in
      let project = world.withFunctions()
      let ann = try await world.signUpAnonymously(in: project)
      world.functions.refuse()
      await #expect(throws: refusedByFunction) {
        try await world.signIn(identity(), linkingTo: ann.tokens.idToken, in: project)
      }
      #expect(try await world.stored(ann.account.uid).isAnonymous)
      _ = try await world.currentUser(ann.tokens.idToken, in: project)
    }
  }

  @Test func `nobody is asked about anonymous, upgraded, administrators' and imported accounts`()
    async throws
  {
    try await withWorld { world in
      world.functions.refuse()
      let project = world.withFunctions()
      let ann = try await world.signUpAnonymously(in: project)
      _ = try await world.upgrade(ann.tokens.idToken, "ann@example.com", in: project)
      _ = try await world.accounts.createAccount(
        uid: nil, AdministratorChanges(), in: project, now: world.now)
      #expect(world.functions.asked.isEmpty)
      #expect(try await world.count() == 2)
    }
  }

  @Test func `nobody is asked while the user is asked or has to confirm`() async throws {
    try await withWorld { world in
      let project = world.withFunctions()
      _ = try await world.signUp("ann@example.com")
      let outcome = try await world.signIn(
        identity(.facebook, "ann-f", email: "ann@example.com", .untrusted), in: project)
      _ = try outcome.confirmation()
      _ = try await world.signIn(identity(.google, "new"), ifNew: .ask, in: project).asked()
      #expect(world.functions.asked.isEmpty)
    }
  }

  @Test func `a refused takeover takes nothing over`() async throws {
    try await withWorld { world in
      let project = world.withFunctions()
      let attacker = try await world.signUp("ann@example.com")
      world.functions.refuse()
      await #expect(throws: refusedByFunction) {
        try await world.signIn(identity(.google, email: "ann@example.com"), in: project)
      }
      #expect(world.functions.triggers == [.beforeSignIn])
      #expect(try await world.stored(attacker.account.uid).password != nil)
      world.functions.change { _ in }
      let ann = try await world.signIn(identity(.google, email: "ann@example.com"), in: project)
        .signedIn()
      #expect(ann.account.uid == attacker.account.uid)
      #expect(try await world.stored(ann.account.uid).password == nil)
    }
  }

  @Test func `a function verifies an address, and takes that back`() async throws {
    try await withWorld { world in
      let project = world.withFunctions([.beforeSignIn])
      world.functions.change { $0.isEmailVerified = true }
      let ann = try await world.signIn(
        identity(.facebook, email: "ann@example.com", .untrusted), in: project
      ).signedIn()
      #expect(try await world.stored(ann.account.uid).isEmailVerified)
      #expect(try await world.stored(ann.account.uid).emailVerifiedAt != nil)
      world.functions.change { $0.isEmailVerified = false }
      _ = try await world.signIn(
        identity(.facebook, email: "ann@example.com", .untrusted), in: project)
      #expect(try await !world.stored(ann.account.uid).isEmailVerified)
      // Without an address there is nothing to verify.
      world.functions.change { $0.isEmailVerified = true }
      let bob = try await world.signInByPhone(in: project)
      #expect(try await !world.stored(bob.account.uid).isEmailVerified)
    }
  }
}
