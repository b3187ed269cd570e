import Foundation
import GatehouseClient
import Testing

/// The core of the SDK against the real server, with the simulator's native sheets.
@Suite(.developmentServer) struct ClientStoryTests {
  @Test func `a user signs in with Apple, and is signed in after a launch`() async throws {
    let device = try ClientDevice()
    let email = Unique.email()
    let person = try await device.providers.person(email: email)
    let name = PersonName(givenName: "Zoë & Co", familyName: "O'Neil+")
    let result = try await device.client.signIn(
      with: try await device.apple(person, fullName: name))
    #expect(result.isNewUser)
    #expect(result.provider == .apple)
    #expect(result.snapshot.email == email)
    #expect(result.snapshot.displayName == "Zoë & Co O'Neil+")
    #expect(!result.snapshot.isAnonymous)

    let later = try device.relaunched()
    #expect(later.client.state == .signedIn(result.snapshot))
    let user = try #require(later.client.currentUser)
    let held = try #require(user.heldIDToken)
    #expect(try await user.idToken() == held)
    _ = try await user.idToken(forcingRefresh: true)
  }

  @Test func `a user sees the other device, names it and signs it out`() async throws {
    let (phone, tablet) = (try ClientDevice(), try ClientDevice())
    let person = try await phone.providers.person(email: Unique.email())
    try await phone.client.signIn(with: try await phone.apple(person))
    let user = try await tablet.client.signIn(with: try await tablet.apple(person)).user
    let sessions = try await user.deviceSessions()
    #expect(sessions.map(\.isCurrent) == [true, false])
    #expect(sessions.allSatisfy { $0.app == SimulatedProviders.bundleID && $0.provider == .apple })
    let other = try #require(sessions.last)
    try await user.name(other, "Phone")
    #expect(try await user.deviceSessions().last?.name == "Phone")
    try await user.end(other)
    #expect(try await user.deviceSessions().count == 1)
    // The phone notices it when it requests its next token.
    await #expect(throws: ClientError.self) {
      try await phone.client.currentUser?.idToken(forcingRefresh: true)
    }
    #expect(phone.client.currentUser == nil)
    try await phone.client.signIn(with: try await phone.apple(person))
    try await user.endOtherSessions()
    #expect(try await user.deviceSessions().map(\.isCurrent) == [true])
  }

  @Test func `a token can't be used twice`() async throws {
    let device = try ClientDevice()
    let credential = try await device.apple(try await device.providers.person())
    try await device.client.signIn(with: credential)
    try device.client.signOut()
    await #expect {
      try await device.client.signIn(with: credential)
    } throws: { error in
      guard case .nonce(let detail) = error as? ClientError else { return false }
      return detail.hasPrefix("Duplicate credential")
    }
  }

  @Test func `an anonymous account gets an identity`() async throws {
    let device = try ClientDevice()
    let anonymous = try await device.client.signInAnonymously()
    #expect(anonymous.snapshot.isAnonymous)
    #expect(try await device.client.signInAnonymously().user == anonymous.user)
    let person = try await device.providers.person(email: Unique.email())
    let linked = try await anonymous.user.link(try await device.apple(person))
    #expect(linked.user.uid == anonymous.user.uid)
    #expect(!linked.user.snapshot.isAnonymous)
    #expect(linked.user.snapshot.provider(.apple) != nil)
    #expect(linked.user.heldIDToken?.signInProvider == .apple)
  }

  @Test func `another account's identity leads to that account without a second sheet`()
    async throws
  {
    let device = try ClientDevice()
    let person = try await device.providers.person(email: Unique.email())
    let owner = try await device.client.signIn(with: try await device.apple(person))
    try device.client.signOut()
    let anonymous = try await device.client.signInAnonymously()
    let credential = try await device.apple(person)
    do {
      _ = try await anonymous.user.link(credential)
      Issue.record("It was linked twice.")
    } catch .credentialInUse(let updated, _, let code) {
      #expect(code == "FEDERATED_USER_ID_ALREADY_LINKED")
      let result = try await device.client.signIn(
        with: .identityProvider(try #require(updated)))
      #expect(result.user.uid == owner.user.uid)
    }
  }

  @Test func `re-authentication needs the same person`() async throws {
    let device = try ClientDevice()
    let person = try await device.providers.person()
    let user = try await device.client.signIn(with: try await device.apple(person)).user
    let stranger = try await device.providers.person()
    await #expect(throws: ClientError.userMismatch) {
      try await user.reauthenticate(with: try await device.apple(stranger))
    }
    let before = try #require(user.heldIDToken)
    try await user.reauthenticate(with: try await device.apple(person))
    #expect(try #require(user.heldIDToken).authenticatedAt >= before.authenticatedAt)
    #expect(user.heldIDToken != before)
    #expect(device.client.currentUser == user)
  }

  @Test func `Apple's tokens are revoked, and the account and its data deleted`() async throws {
    let device = try ClientDevice()
    let person = try await device.providers.person()
    let user = try await device.client.signIn(with: try await device.apple(person)).user
    let sheet = try await device.providers.apple(person)
    try await user.revokeApple(authorizationCode: sheet.authorizationCode)
    try await user.revokeApple(authorizationCode: sheet.authorizationCode)
    #expect(try await device.providers.appleCredentialState(sheet.user) == "revoked")
    try await user.delete()
    #expect(device.client.state == .signedOut)
    #expect(try device.relaunched().client.load() == .signedOut)
    await #expect(throws: ClientError.sessionEnded(.deleted)) {
      try await user.idToken(forcingRefresh: true)
    }
  }

  @Test func `a user who is deleted elsewhere is signed out`() async throws {
    let device = try ClientDevice()
    let user = try await device.client.signIn(
      with: try await device.apple(try await device.providers.person())
    ).user
    let tablet = try device.relaunched()
    try await #require(tablet.client.currentUser).delete()
    await #expect(throws: ClientError.sessionEnded(.deleted)) { try await user.reload() }
    #expect(device.client.state == .signedOut)
  }

  @Test func `a password is added and removed`() async throws {
    let device = try ClientDevice()
    let email = Unique.email()
    let user = try await device.client.createUser(email: email, password: "first secret").user
    #expect(user.snapshot.provider(.password)?.uid == email)
    try await user.update(password: "second secret")
    try await user.reload()
    try await user.reauthenticate(with: .password(email: email, password: "second secret"))
    await #expect(
      throws: ClientError.server(
        ServerRefusal(status: 400, code: "INVALID_PASSWORD", reason: "invalid"))
    ) {
      try await device.client.signIn(with: .password(email: email, password: "first secret"))
    }
    await #expect(
      throws: ClientError.credentialInUse(updated: nil, email: email, code: "EMAIL_EXISTS")
    ) {
      try await device.client.createUser(email: email, password: "third secret")
    }
    var change = ProfileChange()
    change.displayName = .set("Ana")
    try await user.update(profile: change)
    #expect(user.snapshot.displayName == "Ana")
    change.displayName = .remove
    try await user.update(profile: change)
    #expect(user.snapshot.displayName == nil)
  }

  @Test func `a new user is asked before an account is created`() async throws {
    let device = try ClientDevice()
    let person = try await device.providers.person(email: Unique.email())
    let outcome = try await device.client.signInAsking(with: try await device.apple(person))
    guard case .newAccount(let offer) = outcome else {
      Issue.record("The user was not asked.")
      return
    }
    #expect(device.client.state == .signedOut)
    #expect(offer.provider == .apple)
    let result = try await offer.continue()
    #expect(result.isNewUser)
    #expect(result.snapshot.provider(.apple) != nil)
  }

  @Test func `a server's nonce signs in once`() async throws {
    let device = try ClientDevice()
    let nonce = try await device.client.issueNonce()
    let person = try await device.providers.person()
    let sheet = try await device.providers.apple(person, nonce: nonce.nonce.raw)
    var credential = IdentityProviderCredential(provider: .apple)
    credential.idToken = sheet.credential.idToken
    credential.rawNonce = nonce.nonce.raw
    credential.nonceSessionID = nonce.sessionID
    try await device.client.signIn(with: .identityProvider(credential))
  }

  @Test func `two processes on one store don't sign each other out`() async throws {
    let device = try ClientDevice()
    let user = try await device.client.signIn(
      with: try await device.apple(try await device.providers.person())
    ).user
    let other = try #require(try device.relaunched().client.currentUser)
    for _ in 0..<10 {
      async let mine = user.idToken(forcingRefresh: true)
      async let theirs = other.idToken(forcingRefresh: true)
      _ = try await (mine, theirs)
    }
    try await user.reload()
    try await other.reload()
  }
}
