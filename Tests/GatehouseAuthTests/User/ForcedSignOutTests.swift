import GatehouseAuth
import Foundation
import Testing

/// The refusals that end the session on this device, for every request: as in Google's SDK.
@Suite(.timeLimit(.minutes(5)))
struct ForcedSignOutTests {
  /// A request of a user, and its path.
  struct Call: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let path: String
    let make: @Sendable (User) async throws -> Void
  }

  static let calls: [Call] = [
    Call(testDescription: "getIDToken", path: "token") {
      _ = try await $0.getIDToken(forcingRefresh: true)
    },
    Call(testDescription: "getIDTokenResult", path: "token") {
      _ = try await $0.getIDTokenResult(forcingRefresh: true)
    },
    Call(testDescription: "reload", path: "accounts:lookup") { try await $0.reload() },
    Call(testDescription: "updatePassword", path: "accounts:update") {
      try await $0.updatePassword(to: "secret-2")
    },
    Call(testDescription: "commitChanges", path: "accounts:update") {
      let request = $0.createProfileChangeRequest()
      request.displayName = "Ann"
      try await request.commitChanges()
    },
    Call(testDescription: "unlink", path: "accounts:update") {
      try await $0.unlink(fromProvider: "apple.com")
    },
    Call(testDescription: "link Google", path: "accounts:signInWithIdp") {
      try await $0.link(with: GoogleAuthProvider.credential(withIDToken: "g", accessToken: "a"))
    },
    Call(testDescription: "link a password", path: "accounts:signUp") {
      try await $0.link(
        with: EmailAuthProvider.credential(withEmail: "a@example.com", password: "secret-1"))
    },
    Call(testDescription: "sendEmailVerification", path: "accounts:sendOobCode") {
      try await $0.sendEmailVerification()
    },
    Call(testDescription: "verify before updating", path: "accounts:sendOobCode") {
      try await $0.sendEmailVerification(beforeUpdatingEmail: "b@example.com")
    },
    Call(testDescription: "delete", path: "accounts:delete") { try await $0.delete() },
  ]

  static let endings: [(String, AuthErrorCode)] = [
    ("USER_NOT_FOUND", .userNotFound), ("USER_DISABLED", .userDisabled),
    ("INVALID_ID_TOKEN", .invalidUserToken), ("TOKEN_EXPIRED", .userTokenExpired),
  ]

  /// Refusals that don't concern the session.
  static let others: [(String, AuthErrorCode)] = [
    ("CREDENTIAL_TOO_OLD_LOGIN_AGAIN", .requiresRecentLogin),
    ("OPERATION_NOT_ALLOWED", .operationNotAllowed),
    ("TOO_MANY_ATTEMPTS_TRY_LATER", .tooManyRequests),
  ]

  static func signedIn() async throws -> (TestApp, User) {
    let test = try TestApp()
    test.server.setProfile(
      "ann@example.com", ["providerUserInfo": #"[{"providerId":"apple.com","rawId":"1"}]"#])
    return (test, try await test.signedIn())
  }

  @Test(arguments: calls, endings)
  func `a session that the server has ended ends here, and listeners are called`(
    call: Call, ending: (String, AuthErrorCode)
  ) async throws {
    let (test, user) = try await Self.signedIn()
    let heard = Heard<String>()
    _ = test.auth.addStateDidChangeListener { _, user in heard(user?.uid ?? "nobody") }
    await TestApp.mainQueueIsEmpty()
    test.server.refuse(call.path, ending.0)
    // If only the ID token is refused, the refresh decides.
    if call.path != "token" { test.server.refuse("token", ending.0) }
    let error = await authError { try await call.make(user) }
    #expect(error?.authCode == ending.1)
    #expect(test.auth.currentUser == nil)
    await TestApp.mainQueueIsEmpty()
    #expect(heard.all == [user.uid, "nobody"])
  }

  @Test(arguments: endings)
  func `a notification says why the user was signed out`(ending: (String, AuthErrorCode))
    async throws
  {
    let (test, user) = try await Self.signedIn()
    let faults = Heard<Int>()
    let observer = NotificationCenter.default.addObserver(
      forName: Auth.sessionFaultNotification, object: test.auth, queue: nil
    ) { faults(($0.userInfo?[NSUnderlyingErrorKey] as? NSError)?.code ?? 0) }
    defer { NotificationCenter.default.removeObserver(observer) }
    test.server.refuse("token", ending.0)
    _ = await authError { _ = try await user.getIDToken(forcingRefresh: true) }
    await TestApp.mainQueueIsEmpty()
    #expect(faults.all == [ending.1.rawValue])
  }

  @Test func `no notification is posted when the app signs the user out`() async throws {
    let (test, _) = try await Self.signedIn()
    let faults = Heard<Int>()
    let observer = NotificationCenter.default.addObserver(
      forName: Auth.sessionFaultNotification, object: test.auth, queue: nil
    ) { _ in faults(1) }
    defer { NotificationCenter.default.removeObserver(observer) }
    try test.auth.signOut()
    await TestApp.mainQueueIsEmpty()
    #expect(faults.all.isEmpty)
  }

  @Test(arguments: calls.filter { $0.path != "token" }, ["INVALID_ID_TOKEN", "TOKEN_EXPIRED"])
  func `a refused token is replaced, and the request repeated`(call: Call, code: String)
    async throws
  {
    let (test, user) = try await Self.signedIn()
    test.server.refuse(call.path, code)
    let error = await authError { try await call.make(user) }
    #expect(error == nil)
    #expect(test.server.count("token") == 1)
    #expect(test.auth.currentUser === (call.path == "accounts:delete" ? nil : user))
  }

  @Test(arguments: calls.filter { $0.path != "token" }, ["INVALID_ID_TOKEN", "TOKEN_EXPIRED"])
  func `a refused token signs no user out while the network is lost`(
    call: Call, code: String
  ) async throws {
    let (test, user) = try await Self.signedIn()
    test.server.refuse(call.path, code)
    test.server.lose("token")
    let error = await authError { try await call.make(user) }
    #expect(error?.authCode == .networkError)
    #expect(test.auth.currentUser === user)
  }

  @Test(arguments: calls, others)
  func `another refusal signs no user out`(call: Call, other: (String, AuthErrorCode)) async throws
  {
    let (test, user) = try await Self.signedIn()
    test.server.refuse(call.path, other.0)
    let error = await authError { try await call.make(user) }
    #expect(error?.authCode == other.1)
    #expect(test.auth.currentUser === user)
  }

  @Test(arguments: calls)
  func `a lost network signs no user out`(call: Call) async throws {
    let (test, user) = try await Self.signedIn()
    test.server.lose(call.path)
    let error = await authError { try await call.make(user) }
    #expect(error?.authCode == .networkError)
    #expect(test.auth.currentUser === user)
  }

  @Test(arguments: endings)
  func `a refusal for a user who signed out doesn't affect the present user`(
    ending: (String, AuthErrorCode)
  ) async throws {
    let (test, ann) = try await Self.signedIn()
    let bob = try await test.signedIn("bob@example.com")
    test.server.refuse("accounts:lookup", ending.0)
    test.server.refuse("token", ending.0)
    #expect(await authError { try await ann.reload() }?.authCode == ending.1)
    #expect(test.auth.currentUser === bob)
  }
}
