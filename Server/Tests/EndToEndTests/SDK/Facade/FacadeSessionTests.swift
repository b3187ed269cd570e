import GatehouseAuth
import Foundation
import Testing

/// The signed-in user: at launches, on two devices, and after changes on the server.
@Suite(.developmentServer, .timeLimit(.minutes(5)))
struct FacadeSessionTests {
  @Test
  func
    `the state changes at a sign-in, another user's sign-in and a sign-out; a launch restores it`()
    async throws
  {
    let device = try FacadeApp(try suiteServer())
    var changes = device.auth.authStateChanges.makeAsyncIterator()
    #expect(await changes.next() == .some(nil))
    let ann = try await device.auth.signInAnonymously().user
    #expect(await changes.next() == ann)
    let email = Unique.email("bob")
    let bob = try await device.auth.createUser(withEmail: email, password: "notasecret").user
    #expect(await changes.next() == bob)

    let relaunched = try await device.launchedAgain()
    var later = relaunched.auth.authStateChanges.makeAsyncIterator()
    #expect(await later.next()??.uid == bob.uid)
    #expect(relaunched.auth.currentUser?.email == email)
    try relaunched.auth.signOut()
    #expect(await later.next() == .some(nil))
  }

  @Test func `an account deleted on one device signs the other out at its next forced refresh`()
    async throws
  {
    let first = try FacadeApp(try suiteServer())
    let second = try FacadeApp(try suiteServer())
    let email = Unique.email("two")
    let user = try await first.auth.createUser(withEmail: email, password: "notasecret").user
    let other = try await second.auth.signIn(withEmail: email, password: "notasecret").user
    try await user.delete()
    #expect(second.auth.currentUser === other, "the second device doesn't know yet")
    let error = await authError { _ = try await other.getIDTokenResult(forcingRefresh: true) }
    #expect(error?.userInfo[AuthErrorUserInfoNameKey] as? String == "ERROR_USER_NOT_FOUND")
    #expect(second.auth.currentUser == nil)
  }

  @Test func `a disabled account is signed out with its own code`() async throws {
    let device = try FacadeApp(try suiteServer())
    let user = try await device.auth.signInAnonymously().user
    let disabled = try await device.server.administrator.call(
      .post, "accounts:update", ["localId": .string(user.uid), "disableUser": true])
    #expect(disabled.status == 200)
    #expect(await authCode { try await user.reload() } == .userDisabled)
    #expect(device.auth.currentUser == nil)
  }

  @Test func `custom claims show in a refreshed token`() async throws {
    let device = try FacadeApp(try suiteServer())
    let user = try await device.auth.signInAnonymously().user
    _ = try await device.server.administrator.call(
      .post, "accounts:update",
      ["localId": .string(user.uid), "customAttributes": #"{"role":"admin"}"#])
    let held = try await user.getIDTokenResult()
    #expect(held.claims["role"] == nil)
    let fresh = try await user.getIDTokenResult(forcingRefresh: true)
    #expect(fresh.claims["role"] as? String == "admin")
    #expect(fresh.signInProvider == "anonymous")
  }

  @Test func `useEmulator selects a development server without other configuration`() async throws {
    let server = try suiteServer()
    let device = try FacadeApp(server, knowsServer: false)
    let port = try #require(URL(string: server.baseURL)?.port)
    device.auth.useEmulator(withHost: "127.0.0.1", port: port)
    let user = try await device.auth.signInAnonymously().user
    #expect(try await server.administrator.account(user.uid)["localId"].string == user.uid)
  }

  @Test func `updateCurrentUser moves a user to another app of the device, also from an archive`()
    async throws
  {
    let one = try FacadeApp(try suiteServer())
    let other = try FacadeApp(try suiteServer())
    let user = try await one.auth.signInAnonymously().user
    try await other.auth.updateCurrentUser(user)
    #expect(other.auth.currentUser?.uid == user.uid)

    let data = try NSKeyedArchiver.archivedData(withRootObject: user, requiringSecureCoding: true)
    let back = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: User.self, from: data))
    try one.auth.signOut()
    try await one.auth.updateCurrentUser(back)
    #expect(one.auth.currentUser?.uid == user.uid)
  }
}
