import GatehouseAuth
import Foundation
import GatehouseClient
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SignInTests {
  /// A sign-in method, the path of its request, and the uid that it signs in.
  struct Way: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let path: String
    let uid: String
    let signIn: @Sendable (Auth) async throws -> AuthDataResult
  }

  static let link = "https://auth.example.com/__/auth/action?mode=signIn&oobCode=code-1"

  static let ways: [Way] = [
    Way(
      testDescription: "email and password", path: "accounts:signInWithPassword",
      uid: "a@example.com"
    ) {
      try await $0.signIn(withEmail: "a@example.com", password: "secret-1")
    },
    Way(
      testDescription: "a password credential", path: "accounts:signInWithPassword",
      uid: "a@example.com"
    ) {
      try await $0.signIn(
        with: EmailAuthProvider.credential(withEmail: "a@example.com", password: "secret-1"))
    },
    Way(testDescription: "email link", path: "accounts:signInWithEmailLink", uid: "a@example.com") {
      try await $0.signIn(withEmail: "a@example.com", link: link)
    },
    Way(
      testDescription: "a link credential", path: "accounts:signInWithEmailLink",
      uid: "a@example.com"
    ) {
      try await $0.signIn(
        with: EmailAuthProvider.credential(withEmail: "a@example.com", link: link))
    },
    Way(
      testDescription: "a link within a link", path: "accounts:signInWithEmailLink",
      uid: "a@example.com"
    ) {
      try await $0.signIn(
        withEmail: "a@example.com",
        link:
          "https://app.example.com/?link=https%3A%2F%2Fauth.example.com%2F%3Fmode%3DsignIn%26oobCode%3Dcode-1"
      )
    },
    Way(testDescription: "Apple", path: "accounts:signInWithIdp", uid: "apple-token") {
      try await $0.signIn(
        with: OAuthProvider.appleCredential(
          withIDToken: "apple-token", rawNonce: "nonce", fullName: nil))
    },
    Way(testDescription: "Google", path: "accounts:signInWithIdp", uid: "google-token") {
      try await $0.signIn(
        with: GoogleAuthProvider.credential(withIDToken: "google-token", accessToken: "access"))
    },
    Way(testDescription: "OpenID Connect", path: "accounts:signInWithIdp", uid: "oidc-token") {
      try await $0.signIn(
        with: OAuthProvider.credential(
          providerID: .custom("oidc.example"), idToken: "oidc-token", rawNonce: "n"))
    },
    Way(testDescription: "custom token", path: "accounts:signInWithCustomToken", uid: "carol") {
      try await $0.signIn(withCustomToken: "carol")
    },
    Way(testDescription: "anonymous", path: "accounts:signUp", uid: "nobody") {
      try await $0.signInAnonymously()
    },
    Way(testDescription: "a new account", path: "accounts:signUp", uid: "new@example.com") {
      try await $0.createUser(withEmail: "new@example.com", password: "secret-1")
    },
  ]

  @Test(arguments: ways)
  func `a sign-in sets the current user`(way: Way) async throws {
    let test = try TestApp()
    let result = try await way.signIn(test.auth)
    #expect(result.user.uid == way.uid)
    #expect(test.auth.currentUser === result.user)
    #expect(test.auth.getUserID() == way.uid)
    #expect(test.server.paths.first == way.path)
  }

  @Test(arguments: ways)
  func `a refusal is an NSError with the code and the server's message, and signs no user in`(
    way: Way
  ) async throws {
    let test = try TestApp()
    test.server.refuse(way.path, "OPERATION_NOT_ALLOWED : not enabled here")
    let error = await authError { _ = try await way.signIn(test.auth) }
    #expect(error?.domain == AuthErrorDomain)
    #expect(error?.code == AuthErrorCode.operationNotAllowed.rawValue)
    #expect(error?.userInfo[AuthErrorUserInfoNameKey] as? String == "ERROR_OPERATION_NOT_ALLOWED")
    #expect(error?.localizedDescription == "not enabled here")
    #expect(test.auth.currentUser == nil)
  }

  @Test(arguments: ways)
  func `a lost network is a network error with its cause`(way: Way) async throws {
    let test = try TestApp()
    test.server.lose(way.path)
    let error = await authError { _ = try await way.signIn(test.auth) }
    #expect(error?.authCode == .networkError)
    let cause = error?.userInfo[NSUnderlyingErrorKey] as? NSError
    #expect(cause?.domain == NSURLErrorDomain)
    #expect(cause?.code == URLError.Code.notConnectedToInternet.rawValue)
  }

  @Test func `a custom token and an anonymous sign-in have an empty provider id`() async throws {
    let test = try TestApp()
    let anonymous = try await test.auth.signInAnonymously()
    #expect(anonymous.additionalUserInfo?.providerID == "")
    #expect(anonymous.additionalUserInfo?.isNewUser == true)
    let again = try await test.auth.signInAnonymously()
    #expect(again.user === anonymous.user)
    #expect(again.additionalUserInfo == nil)
    let custom = try await test.auth.signIn(withCustomToken: "carol")
    #expect(custom.additionalUserInfo?.providerID == "")
    let password = try await test.auth.signIn(withEmail: "a@example.com", password: "secret-1")
    #expect(password.additionalUserInfo?.providerID == "password")
  }

  /// The server's responses to a sign-in, and the errors that the app gets.
  static let refusals: [(String, String, AuthErrorCode)] = [
    ("accounts:signInWithPassword", "INVALID_LOGIN_CREDENTIALS", .invalidCredential),
    ("accounts:signInWithPassword", "INVALID_PASSWORD", .wrongPassword),
    ("accounts:signInWithPassword", "EMAIL_NOT_FOUND", .userNotFound),
    ("accounts:signInWithPassword", "USER_DISABLED", .userDisabled),
    ("accounts:signInWithPassword", "TOO_MANY_ATTEMPTS_TRY_LATER", .tooManyRequests),
    ("accounts:signUp", "EMAIL_EXISTS", .emailAlreadyInUse),
    ("accounts:signUp", "WEAK_PASSWORD : Password should be at least 6 characters", .weakPassword),
    ("accounts:signUp", "INVALID_EMAIL", .invalidEmail),
    ("accounts:signUp", "ADMIN_ONLY_OPERATION", .adminRestrictedOperation),
    ("accounts:signInWithCustomToken", "INVALID_CUSTOM_TOKEN : expired", .invalidCustomToken),
    ("accounts:signInWithCustomToken", "CREDENTIAL_MISMATCH", .customTokenMismatch),
    ("accounts:signInWithEmailLink", "INVALID_OOB_CODE", .invalidActionCode),
    ("accounts:signInWithEmailLink", "EXPIRED_OOB_CODE", .expiredActionCode),
    (
      "accounts:signInWithIdp", "INVALID_IDP_RESPONSE : The audience is another's",
      .invalidCredential
    ),
    (
      "accounts:signInWithIdp", "MISSING_OR_INVALID_NONCE : Duplicate credential received.",
      .missingOrInvalidNonce
    ),
    ("accounts:signInWithIdp", "SOMETHING_NEW : of next year", .internalError),
  ]

  @Test(arguments: refusals)
  func `each refusal has its code`(path: String, message: String, code: AuthErrorCode)
    async throws
  {
    let test = try TestApp()
    test.server.refuse(path, message)
    let way = try #require(Self.ways.last { $0.path == path })
    let error = await authError { _ = try await way.signIn(test.auth) }
    #expect(error?.authCode == code)
  }

  @Test func `an empty password or address is rejected before a request`() async throws {
    let test = try TestApp()
    let codes = [
      await authError { _ = try await test.auth.signIn(withEmail: "a@example.com", password: "") },
      await authError {
        _ = try await test.auth.createUser(withEmail: "a@example.com", password: "")
      },
      await authError { _ = try await test.auth.createUser(withEmail: "", password: "secret-1") },
    ].map { $0?.authCode }
    #expect(codes == [.wrongPassword, .weakPassword, .missingEmail])
    #expect(test.server.calls.isEmpty)
  }

  @Test func `the name from Apple's sheet is sent with the token`() async throws {
    let test = try TestApp()
    var name = PersonNameComponents()
    name.givenName = "Zoë"
    name.familyName = "& Co"
    try await test.auth.signIn(
      with: OAuthProvider.appleCredential(withIDToken: "t", rawNonce: "n", fullName: name))
    let body = test.server.last("accounts:signInWithIdp")?["postBody"] ?? ""
    let form = URLComponents(string: "?" + body)?.queryItems ?? []
    #expect(form.first { $0.name == "nonce" }?.value == "n")
    let user = form.first { $0.name == "user" }?.value ?? ""
    #expect(user == #"{"name":{"firstName":"Zoë","lastName":"& Co"}}"#)
  }

  @Test func `an account with the same email is reported with a credential to link`() async throws {
    let test = try TestApp()
    test.server.next(
      "accounts:signInWithIdp",
      #"""
      {"needConfirmation":true,"email":"a@example.com","verifiedProvider":["apple.com"],
       "providerId":"google.com","oauthIdToken":"t","pendingToken":"p"}
      """#)
    let error = await authError {
      try await test.auth.signIn(
        with: GoogleAuthProvider.credential(withIDToken: "t", accessToken: "a"))
    }
    #expect(error?.authCode == .accountExistsWithDifferentCredential)
    #expect(error?.userInfo[AuthErrorUserInfoEmailKey] as? String == "a@example.com")
    #expect(error?.userInfo[AuthErrorUserInfoUpdatedCredentialKey] is OAuthCredential)
    #expect(test.auth.currentUser == nil)
  }

  @Test func `an anonymous user who signs in anonymously stays the same`() async throws {
    let test = try TestApp()
    let first = try await test.auth.signInAnonymously()
    let second = try await test.auth.signInAnonymously()
    #expect(first.user === second.user)
    #expect(test.server.count("accounts:signUp") == 1)
  }

  @Test func `signing out removes the session from this device, without a request`() async throws {
    let test = try TestApp()
    let user = try await test.signedIn()
    let before = test.server.calls.count
    try test.auth.signOut()
    #expect(test.auth.currentUser == nil)
    #expect(test.server.calls.count == before)
    #expect(user.uid == "ann@example.com", "the object stays what it was")
    try test.auth.signOut()
  }

  @Test func `a sign-out that can't be stored throws an NSError, and the user is still signed in`()
    async throws
  {
    let store = FailingStore()
    let test = try TestApp(store: store)
    _ = try await test.signedIn()
    store.fail()
    var code: AuthErrorCode?
    do {
      try test.auth.signOut()
    } catch let signOutError as NSError {
      code = signOutError.authCode
    }
    #expect(code == .keychainError)
    #expect(test.auth.currentUser != nil)
  }

  static let links: [(String, Bool)] = [
    (link, true),
    ("https://x.example.com/?link=" + encoded(link), true),
    ("https://x.example.com/?deep_link_id=" + encoded(link), true),
    // What the server's page opens: a page of the app, or the app by its scheme.
    ("https://app.example.com/in?a=1&mode=signIn&oobCode=c&apiKey=k&lang=en#top", true),
    ("com.example.app://google/link?deep_link_id=" + encoded(link), true),
    ("https://auth.example.com/__/auth/action?mode=resetPassword&oobCode=c", false),
    ("https://auth.example.com/__/auth/action?mode=signIn", false),
    ("https://auth.example.com/__/auth/action?oobCode=c", false),
    ("", false), ("no link", false),
  ]

  static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }

  @Test(arguments: links)
  func `a sign-in link is recognised by its mode and code`(link: String, signsIn: Bool) throws {
    #expect(try TestApp().auth.isSignIn(withEmailLink: link) == signsIn)
  }
}

/// Memory that can no longer be written.
final class FailingStore: SessionStore {
  private let store = MemoryStore()
  private let isBroken = LockedFlag()

  func fail() { isBroken.set() }

  func read(_ key: String) throws(StoreFault) -> Data? { try store.read(key) }
  func write(_ data: Data, for key: String) throws(StoreFault) {
    try check()
    try store.write(data, for: key)
  }
  func remove(_ key: String) throws(StoreFault) {
    try check()
    try store.remove(key)
  }
  func update(
    _ key: String, _ change: (Data?) throws(StoreFault) -> Data?
  ) throws(StoreFault) -> Data? {
    try check()
    return try store.update(key, change)
  }

  private func check() throws(StoreFault) {
    if isBroken.isSet { throw StoreFault(.unwritable, detail: "full") }
  }
}
