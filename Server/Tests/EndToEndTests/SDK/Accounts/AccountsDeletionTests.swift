import GatehouseClient
import Testing

/// Account deletion by the SDK, against the real server and providers that check their tokens.
@Suite(.developmentServer) struct AccountsDeletionTests {
  /// Signs in with Google, and links Apple.
  private func googleAndApple() async throws -> (device: AccountDevice, uid: String, user: String) {
    let device = try await AccountDevice()
    // Here the device revokes, so the server keeps no token of Apple. With a kept token the SDK would show
    // no sheet; `ProviderTokenTests` tests that.
    let configured = try await device.server.administrator.call(
      .patch, "defaultSupportedIdpConfigs/apple.com", ["keepRefreshToken": false], version: "v2")
    try #require(configured.status == 200)
    let user = try await device.signIn(with: .google)
    let answer = try await device.manager.link(.apple)
    #expect(answer.result?.user.uid == user.uid)
    let apple = try #require(user.snapshot.provider(.apple)?.uid)
    return (device, user.uid, apple)
  }

  @Test(arguments: [false, true])
  func `one call revokes at both providers and deletes the account`(isOld: Bool) async throws {
    let (device, uid, apple) = try await googleAndApple()
    #expect(try await device.server.providers.appleCredentialState(apple) == "authorized")
    let google = try #require(device.manager.authState.user?.provider(.google)?.uid)
    let sheetsBefore = device.apple.sheetCount

    let outcome = try await device.manager.deleteAccount(
      options: isOld ? AccountDevice.asIfOld : DeletionOptions())
    #expect(
      outcome.revocations == DeletionReceipt(revoked: [.apple, .google], notRevoked: []))
    #expect(device.apple.sheetCount == sheetsBefore + 1)
    #expect(device.manager.authState == .signedOut)
    #expect(try await device.server.providers.appleCredentialState(apple) == "revoked")
    #expect(try await device.google.credentialState(forUserID: google) == .notFound)
    #expect(try await device.server.administrator.account(uid).isNull)

    // The user returns as a new user, and Apple returns the name again.
    let reborn = try #require(try await device.manager.signIn(with: .apple).result)
    #expect(reborn.isNewUser)
    #expect(reborn.user.uid != uid)
    #expect(reborn.snapshot.displayName?.hasPrefix("Ada") == true)
  }

  @Test func `an interrupted deletion continues in a later launch, without a second sheet`()
    async throws
  {
    let (device, uid, apple) = try await googleAndApple()
    device.google.failDisconnecting(times: 1)
    do throws(DeletionError) {
      _ = try await device.manager.deleteAccount(options: AccountDevice.asIfOld)
      Issue.record("deleted")
    } catch {
      #expect(error.step == .revoke(.google))
      #expect(error.completed == [.reauthenticate(.apple), .revoke(.apple)])
    }
    #expect(try await device.server.providers.appleCredentialState(apple) == "revoked")
    #expect(try await !device.server.administrator.account(uid).isNull)

    let later = try device.relaunched()
    #expect(later.manager.authState.user?.uid == uid)
    #expect(
      try await later.manager.deleteAccount().revocations
        == DeletionReceipt(revoked: [.apple, .google], notRevoked: []))
    #expect(later.apple.sheetCount == 0)
    #expect(try await device.server.administrator.account(uid).isNull)
  }

  @Test func `another user's Apple account deletes nothing`() async throws {
    let device = try await AccountDevice()
    let user = try await device.signIn()
    let other = try await device.server.providers.person()
    device.apple.set { $0.person = other }
    do throws(DeletionError) {
      _ = try await device.manager.deleteAccount(options: AccountDevice.asIfOld)
      Issue.record("deleted")
    } catch {
      #expect(error.step == .reauthenticate(.apple))
      #expect(error.cause == .answer(.anotherUser))
    }
    #expect(try await !device.server.administrator.account(user.uid).isNull)
  }

  @Test func `a password re-authenticates for a deletion`() async throws {
    let device = try await AccountDevice()
    let email = Unique.email()
    let user = try await device.manager.client.createUser(email: email, password: "long enough")
      .user
    let outcome = try await device.manager.deleteAccount(
      reauthenticatingWith: .with(.password(email: email, password: "long enough")),
      options: AccountDevice.asIfOld)
    #expect(outcome.revocations == DeletionReceipt(revoked: [], notRevoked: []))
    #expect(try await device.server.administrator.account(user.uid).isNull)
  }

  @Test func `an anonymous account is deleted`() async throws {
    let device = try await AccountDevice()
    let user = try await device.manager.client.signInAnonymously().user
    #expect(
      try await device.manager.deleteAccount().revocations
        == DeletionReceipt(revoked: [], notRevoked: []))
    #expect(try await device.server.administrator.account(user.uid).isNull)
  }

  @Test func `Google is disconnected, and the account remains with Apple`() async throws {
    let (device, uid, _) = try await googleAndApple()
    #expect(
      try await device.manager.disconnect(.google) == .disconnected(wasRevoked: true))
    #expect(device.manager.authState.user?.providers.map(\.provider) == [.apple])
    try device.manager.client.signOut()
    #expect(try await device.signIn().uid == uid)
  }
}

extension DeletionOutcome {
  /// The receipt without the server's confirmation, which differs each time. Nil if the account wasn't
  /// deleted, or the server returned no signed receipt.
  fileprivate var revocations: DeletionReceipt? {
    guard case .deleted(var receipt) = self, receipt.confirmation.receipt != nil else { return nil }
    receipt.confirmation = DeletionConfirmation()
    return receipt
  }
}
