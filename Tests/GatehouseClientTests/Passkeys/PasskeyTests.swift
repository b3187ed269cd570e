import Foundation
import GatehouseClient
import GatehouseProtocol
import Testing

@Suite struct PasskeyTests {
  private static let assertion = PasskeyAssertion(
    credentialID: Data([1, 2, 3]), clientDataJSON: Data("{}".utf8),
    authenticatorData: Data([4]), signature: Data([5]), userHandle: Data([6]))
  private static let registration = PasskeyRegistration(
    credentialID: Data([1, 2, 3]), clientDataJSON: Data("{}".utf8),
    attestationObject: Data([7]))

  private func answer(_ bench: Bench) {
    bench.server.on("passkeySignIn:start") {
      var response = StartPasskeySignInResponse(
        relyingPartyID: "example.com", challenge: [9, 9])
      response.allowed = [PasskeyDescriptor(id: [1, 2, 3], transports: [])]
      return response
    }
    bench.server.on("passkeySignIn:finalize") {
      FinalizePasskeySignInResponse(
        localID: "alice",
        outcome: .signedIn(Answers.tokens(now: bench.clock.now, provider: "passkey")))
    }
    bench.server.on("passkeyEnrollment:start") {
      var response = StartPasskeyEnrollmentResponse(
        relyingPartyID: "example.com", relyingPartyName: "Example", userID: [8],
        userName: "alice@example.com", userDisplayName: "Alice", challenge: [9, 9])
      response.userVerification = "required"
      response.excluded = [PasskeyDescriptor(id: [1], transports: ["internal"])]
      return response
    }
    bench.server.on("passkeyEnrollment:finalize") {
      var response = FinalizePasskeyEnrollmentResponse(
        localID: "alice", outcome: .signedIn(Answers.tokens(now: bench.clock.now)))
      response.passkey = PasskeyInfo(name: "Phone", credentialID: "AQID")
      return response
    }
  }

  @Test func `a sign-in with a passkey`() async throws {
    let bench = try Bench()
    answer(bench)
    let request = try await bench.client.startPasskeySignIn()
    #expect(request.relyingPartyID == "example.com")
    #expect(request.challenge == Data([9, 9]))
    #expect(request.allowed == [Data([1, 2, 3])])
    #expect(!request.requiresUserVerification)
    let result = try await bench.client.signIn(with: .passkey(Self.assertion))
    #expect(result.provider == .passkey)
    #expect(bench.client.currentUser === result.user)
    let sent = try #require(bench.server.requests("passkeySignIn:finalize").first)
    #expect(
      String(decoding: sent.body ?? Data(), as: UTF8.self)
        == #"{"authenticatorAuthenticationResponse":{"id":"AQID","response":{"#
        + #""clientDataJSON":"e30=","authenticatorData":"BA==","signature":"BQ==","#
        + #""userHandle":"Bg=="}}}"#)
  }

  @Test func `a signature is sent once`() async throws {
    let bench = try Bench()
    bench.server.on("passkeySignIn:finalize", failing: .lost)
    await #expect(throws: ClientError.network(NetworkFault(.lost, detail: "scripted"))) {
      try await bench.client.signIn(with: .passkey(Self.assertion))
    }
    #expect(bench.server.requests.count == 1)
  }

  @Test func `a passkey without verification of the user can need a second factor`() async throws {
    let bench = try Bench()
    answer(bench)
    var pending = PendingSecondFactor(credential: "pending-1", factors: [])
    pending.isPasskeyAvailable = true
    let waiting = FirstFactorOutcome.secondFactorNeeded(pending)
    bench.server.on("passkeySignIn:finalize") { waiting }
    bench.server.on("mfaSignIn:finalize") {
      FinalizeMFASignInResponse(tokens: Answers.tokens(now: bench.clock.now), factor: nil)
    }
    do {
      try await bench.client.signIn(with: .passkey(Self.assertion))
      Issue.record("No second factor was asked for.")
    } catch ClientError.secondFactorRequired(let resolver) {
      #expect(resolver.isPasskeyAvailable)
      _ = try await resolver.startPasskey()
      let started = try #require(bench.server.requests("passkeySignIn:start").last)
        .message(StartPasskeySignInRequest.self)
      #expect(started.pendingCredential == "pending-1")
      try await resolver.resolve(with: .passkey(Self.assertion))
    }
    let sent = try #require(bench.server.requests("mfaSignIn:finalize").first)
      .message(FinalizeMFASignInRequest.self)
    guard case .passkey(let body) = sent.verification else {
      Issue.record("\(String(describing: sent.verification))")
      return
    }
    #expect(body["authenticatorAuthenticationResponse"]?["id"]?.string == "AQID")
  }

  @Test func `a user adds a passkey, authenticates with it, and removes it`() async throws {
    let bench = try Bench()
    let user = try await bench.signedIn()
    answer(bench)
    let creation = try await user.startPasskeyEnrollment()
    #expect(creation.userHandle == Data([8]))
    #expect(creation.userName == "alice@example.com")
    #expect(creation.excluded == [Data([1])])
    #expect(creation.requiresUserVerification)
    bench.server.on("accounts:lookup") {
      var alice = Answers.alice()
      alice.passkeys = [PasskeyInfo(name: "Phone", credentialID: "AQID")]
      return LookupResponse(users: [alice])
    }
    try await user.addPasskey(Self.registration, name: "Phone")
    #expect(user.snapshot.passkeys == [Passkey(id: "AQID", name: "Phone")])
    let sent = try #require(bench.server.requests("passkeyEnrollment:finalize").first)
      .message(FinalizePasskeyEnrollmentRequest.self)
    #expect(sent.name == "Phone")
    #expect(sent.idToken != nil)
    #expect(sent.credential?.attestationObject == "Bw==")

    _ = try await user.startPasskeyReauthentication()
    let before = user.heldIDToken
    try await user.reauthenticate(with: .passkey(Self.assertion))
    #expect(user.heldIDToken != before)
    await #expect(
      throws: ClientError.invalidArgument(
        detail: "A passkey that exists can't be linked. Use addPasskey.")
    ) { try await user.link(.passkey(Self.assertion)) }

    bench.server.on("accounts:update") {
      UpdateResponse(user: Answers.alice(), tokens: Answers.tokens(now: bench.clock.now))
    }
    bench.server.on("accounts:lookup") { LookupResponse(users: [Answers.alice()]) }
    try await user.removePasskeys(["AQID"])
    #expect(user.snapshot.passkeys == [])
    let update = try #require(bench.server.requests("accounts:update").first)
      .message(UpdateRequest.self)
    #expect(update.deletedPasskeys == ["AQID"])
  }

  @Test func `an account is created with a passkey`() async throws {
    let bench = try Bench()
    answer(bench)
    _ = try await bench.client.startPasskeyAccount(email: "alice@example.com")
    let started = try #require(bench.server.requests("passkeyEnrollment:start").first)
      .message(StartPasskeyEnrollmentRequest.self)
    #expect(started.idToken == nil)
    #expect(started.email == "alice@example.com")
    let result = try await bench.client.createUser(with: Self.registration, name: "Phone")
    #expect(result.isNewUser)
    #expect(bench.client.currentUser === result.user)
  }

  // MARK: With a device

  /// A device whose sheet answers at once.
  private final class ScriptedPasskeys: PasskeyAuthorizing {
    let fault = Locked<DeviceFault?>(nil)
    let styles = Locked<[PasskeySignInStyle]>([])
    let kept = Locked<[String]?>(nil)
    let account = Locked<PasskeyAccountAnswer?>(nil)

    func createAccount(
      _ creation: PasskeyCreation
    ) async throws(DeviceFault) -> PasskeyAccountAnswer {
      if let fault = fault.withLock(\.self) { throw fault }
      return account.withLock(\.self) ?? .created(PasskeyAccount(registration: registration))
    }

    func create(
      _ creation: PasskeyCreation, quietly: Bool
    ) async throws(DeviceFault) -> PasskeyRegistration {
      if let fault = fault.withLock(\.self) { throw fault }
      return registration
    }

    func sign(
      _ request: PasskeyRequest, _ style: PasskeySignInStyle
    ) async throws(DeviceFault) -> PasskeyAssertion {
      styles.withLock { $0.append(style) }
      if let fault = fault.withLock(\.self) { throw fault }
      return assertion
    }

    func keep(_ passkeys: [Passkey], of relyingPartyID: String) async {
      kept.withLock { $0 = passkeys.map(\.id) }
    }
  }

  @Test func `one sheet creates an account with a name`() async throws {
    let bench = try Bench()
    answer(bench)
    let device = ScriptedPasskeys()
    let manager = AccountManager(
      client: bench.client, devices: AccountDevices(passkeys: device))
    device.account.withLock {
      $0 = .created(
        PasskeyAccount(
          registration: Self.registration, email: "alice@example.com",
          name: PersonName(givenName: "Alice", familyName: "Example")))
    }
    guard case .signedIn(let result, let email) = try await manager.signUpWithPasskey() else {
      Issue.record("No account was created.")
      return
    }
    #expect(result.isNewUser)
    #expect(email == "alice@example.com")
    let sent = try #require(bench.server.requests("passkeyEnrollment:finalize").first)
      .message(FinalizePasskeyEnrollmentRequest.self)
    #expect(sent.displayName == "Alice Example")
    #expect(sent.email == "alice@example.com")
    #expect(bench.server.requests("accounts:update").isEmpty)
  }

  @Test func `a user who prefers Sign in with Apple gets no passkey`() async throws {
    let bench = try Bench()
    answer(bench)
    let device = ScriptedPasskeys()
    device.account.withLock { $0 = .prefersApple }
    let manager = AccountManager(
      client: bench.client, devices: AccountDevices(passkeys: device))
    guard case .prefersApple = try await manager.signUpWithPasskey() else {
      Issue.record("The user prefers Sign in with Apple.")
      return
    }
    device.fault.withLock { $0 = .cancelled }
    guard case .cancelled = try await manager.signUpWithPasskey() else {
      Issue.record("The sheet was closed.")
      return
    }
    #expect(bench.server.requests("passkeyEnrollment:finalize").isEmpty)
  }

  @Test func `one call each, with the device's sheet`() async throws {
    let bench = try Bench()
    answer(bench)
    let device = ScriptedPasskeys()
    let manager = AccountManager(
      client: bench.client, devices: AccountDevices(passkeys: device))
    #expect(try await manager.signInByAutoFill().result?.provider == .passkey)
    #expect(try await manager.signIn(with: .passkey).result?.provider == .passkey)
    #expect(device.styles.withLock(\.self) == [.autoFill, .sheet])
    #expect(try await manager.addPasskey(name: "Phone"))
    #expect(await manager.addPasskeyQuietly())
    device.fault.withLock { $0 = .cancelled }
    #expect(try await !manager.addPasskey())
    guard case .cancelled = try await manager.signIn(with: .passkey) else {
      Issue.record("The sheet was closed.")
      return
    }
    device.fault.withLock { $0 = .unavailable(detail: "none") }
    #expect(await !manager.addPasskeyQuietly())
    bench.server.on("accounts:update") {
      UpdateResponse(user: Answers.alice(), tokens: nil)
    }
    try await manager.removePasskey(
      Passkey(id: "AQID", name: "Phone"), relyingPartyID: "example.com")
    #expect(device.kept.withLock(\.self) == [])
    try manager.client.signOut()
    device.fault.withLock { $0 = nil }
    #expect(
      try await manager.createAccountWithPasskey(displayName: "Alice").result?.isNewUser == true)
  }
}

private let assertion = PasskeyAssertion(
  credentialID: Data([1]), clientDataJSON: Data("{}".utf8), authenticatorData: Data([4]),
  signature: Data([5]), userHandle: Data([6]))
private let registration = PasskeyRegistration(
  credentialID: Data([1]), clientDataJSON: Data("{}".utf8), attestationObject: Data([7]))
