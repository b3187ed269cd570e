import GatehouseAuth
import GatehouseCore
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct UserTests {
  @Test func `a user has the server's profile`() async throws {
    let test = try TestApp()
    test.server.setProfile(
      "ann@example.com",
      [
        "email": "ann@example.com", "displayName": "Ann", "photoUrl": "https://example.com/a.png",
        "emailVerified": "true",
        "providerUserInfo":
          #"[{"providerId":"apple.com","rawId":"001.abc","email":"x@privaterelay.appleid.com"},"#
          + #"{"providerId":"password","rawId":"ann@example.com","email":"ann@example.com"}]"#,
      ])
    let user = try await test.signedIn()
    #expect(user.providerID == "Firebase")
    #expect(user.email == "ann@example.com" && user.isEmailVerified && !user.isAnonymous)
    #expect(user.displayName == "Ann")
    #expect(user.photoURL == URL(string: "https://example.com/a.png"))
    #expect(user.phoneNumber == nil && user.tenantID == nil)
    #expect(user.providerData.map(\.providerID) == ["apple.com", "password"])
    #expect(user.providerData.first { $0.providerID == "apple.com" }?.uid == "001.abc")
    #expect(user.metadata.creationDate == Date(timeIntervalSince1970: 1))
    #expect(user.metadata.lastSignInDate == Date(timeIntervalSince1970: 2))
    #expect(user.refreshToken == "ann@example.com")
    #expect(user.multiFactor.enrolledFactors.isEmpty)
  }

  @Test func `the current user is the same object until the session changes`() async throws {
    let test = try TestApp()
    let user = try await test.signedIn()
    _ = try await user.getIDToken(forcingRefresh: true)
    try await user.reload()
    let linked = try await user.link(
      with: GoogleAuthProvider.credential(withIDToken: "g", accessToken: "a"))
    #expect(linked.user === user)
    #expect(test.auth.currentUser === user)
    try test.auth.signOut()
    #expect(try await test.signedIn() !== user)
  }

  @Test func `a user who was signed in continues with their own session`() async throws {
    let test = try TestApp()
    let ann = try await test.signedIn()
    let bob = try await test.signedIn("bob@example.com")
    try await ann.reload()
    _ = try await ann.getIDToken(forcingRefresh: true)
    #expect(test.auth.currentUser === bob)
    test.server.refuse("accounts:lookup", "USER_DISABLED")
    #expect(await authError { try await ann.reload() }?.authCode == .userDisabled)
    #expect(test.auth.currentUser === bob)
  }

  @Test func `a name and picture that are set stay on the object until a reload`() async throws {
    let test = try TestApp()
    let user = try await test.signedIn()
    user.displayName = "Local"
    user.photoURL = URL(string: "https://example.com/local.png")
    #expect(user.displayName == "Local" && user.photoURL != nil)
    #expect(!test.server.paths.contains("accounts:update"))
    try await user.reload()
    #expect(user.displayName == nil && user.photoURL == nil)
  }

  @Test func `an archived user can be made the current one by another launch`() async throws {
    let test = try TestApp()
    test.server.setProfile("ann@example.com", ["displayName": "Ann"])
    let user = try await test.signedIn()
    let data = try NSKeyedArchiver.archivedData(withRootObject: user, requiringSecureCoding: true)
    try test.auth.signOut()

    let back = try #require(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: User.self, from: data))
    #expect(back.uid == user.uid && back.displayName == "Ann")
    #expect(test.auth.currentUser == nil, "an archive signs no user in")
    try await test.auth.updateCurrentUser(back)
    #expect(test.auth.currentUser?.uid == user.uid)
  }

  @Test func `an archive of an app that isn't configured gives no user`() async throws {
    let test = try TestApp()
    let user = try await test.signedIn()
    let data = try NSKeyedArchiver.archivedData(withRootObject: user, requiringSecureCoding: true)
    await test.app.delete()
    let back = try? NSKeyedUnarchiver.unarchivedObject(ofClass: User.self, from: data)
    #expect(back == nil)
  }

  @Test func `a launch has the same user without a request`() async throws {
    let test = try TestApp()
    let uid = try await test.signedIn().uid
    await test.app.delete()
    let next = try TestApp(store: test.store, name: test.app.name)
    #expect(next.auth.currentUser?.uid == uid)
    #expect(try await next.auth.currentUser?.getIDToken() != nil)
    #expect(next.server.calls.isEmpty)
  }
}
