import GatehouseAuth
import GatehouseTesting
import TestedApp
import Testing

@MainActor struct SignInModelTests {
  let server = AuthTestServer()
  let model: SignInModel

  init() {
    server.createUser(uid: "ana", email: "ana@example.com", password: "correct horse")
    // Tests run at the same time, so each one has an app of its own.
    let app = FirebaseApp.configure(testing: server, name: "\(UInt64.random(in: 0 ... .max))")
    model = SignInModel(auth: .auth(app: app))
  }

  @Test func `a user signs in`() async {
    await model.signIn(email: "ana@example.com", password: "correct horse")
    #expect(model.userID == "ana")
    #expect(server.calls == [.signInWithPassword, .lookup])
  }

  @Test func `an error is shown`() async {
    await model.signIn(email: "ana@example.com", password: "wrong horse")
    #expect(model.message == "The email or the password is wrong.")

    server.fail(.signInWithPassword, with: .tooManyAttempts)
    await model.signIn(email: "ana@example.com", password: "correct horse")
    #expect(model.message == "Too many attempts. Try again later.")

    server.isOffline = true
    await model.signIn(email: "ana@example.com", password: "correct horse")
    #expect(model.message == "You are offline.")
  }

  @Test func `a slow sign-in is shown`() async throws {
    server.hold(.signInWithPassword)
    let signIn = Task { await model.signIn(email: "ana@example.com", password: "correct horse") }
    try await server.waitUntilHeld(.signInWithPassword)
    #expect(model.isBusy)
    server.release(.signInWithPassword)
    await signIn.value
    #expect(!model.isBusy)
  }

  @Test func `a deletion needs a recent sign-in`() async {
    await model.signIn(email: "ana@example.com", password: "correct horse")
    server.clock.advance(by: 10 * 60)
    await model.deleteAccount()
    #expect(model.message == "Sign in again to delete the account.")
    #expect(server.user("ana") != nil)
  }
}
