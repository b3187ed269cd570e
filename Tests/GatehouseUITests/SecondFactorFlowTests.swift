import Foundation
import GatehouseClient
import GatehouseProtocol
import GatehouseTesting
import Testing

@testable import GatehouseUI

/// What each press of the pages for second factors does, with the server in memory.
@Suite @MainActor struct SecondFactorFlowTests {
  private let server = AuthTestServer()
  private let flow = SignInFlow()

  private func page() -> SignInPage {
    SignInPage(
      manager: AccountManager(client: AuthClient(testing: server)), options: [.password],
      language: .english, secondFactors: [.authenticatorApp, .textMessage])
  }

  private func user() -> TestUser {
    server.createUser(email: "ana@example.com", password: "secret", isEmailVerified: true)
  }

  private func signIn(on page: SignInPage) async throws -> SecondFactorFlow {
    flow.askPassword()
    #expect(await flow.signIn(email: "ana@example.com", password: "secret", on: page) == nil)
    #expect(flow.failure == nil)
    #expect(flow.isShowingSheet)
    return try #require(flow.secondFactor)
  }

  @Test func `the only authenticator app is asked for at once`() async throws {
    let user = user()
    let factor = try #require(server.addAuthenticator(to: user.uid))
    let page = page()
    let second = try await signIn(on: page)
    #expect(second.step == .authenticator(factor))
    #expect(!second.hasOtherFactors)
    #expect(await second.submit("000000") == nil)
    #expect(
      second.failure?.suggestion(in: .english)
        == "The code isn't right. Try again, with the latest one.")
    let code = try #require(server.authenticatorCode(of: user.uid))
    let result = await second.submit("\(code.prefix(3)) \(code.suffix(3))")
    #expect(result?.user.uid == user.uid)
    flow.endSecondFactor(result)
    #expect(!flow.isShowingSheet)
    #expect(page.manager.client.currentUser?.uid == user.uid)
  }

  @Test func `a user chooses a phone, and gets a message only then`() async throws {
    let user = user()
    server.addAuthenticator(to: user.uid)
    let phone = try #require(server.addPhone("+15555550100", to: user.uid))
    let second = try await signIn(on: page())
    #expect(second.step == .choose)
    #expect(
      second.resolver.factors.map { $0.title(in: .english) } == [
        "Authenticator App", "+*******0100",
      ])
    #expect(server.textMessages.isEmpty)
    await second.choose(phone)
    #expect(second.hasOtherFactors)
    let message = try #require(server.textMessages.last)
    #expect(await second.submit(message.code)?.user.uid == user.uid)
  }

  @Test func `a message that isn't sent keeps the choice`() async throws {
    let user = user()
    let phone = try #require(server.addPhone("+15555550100", to: user.uid))
    let second = try await signIn(on: page())
    // A message may cost the user something, so it isn't sent unasked.
    #expect(second.step == .choose)
    server.fail(.startMFASignIn, with: .tooManyAttempts)
    await second.choose(phone)
    #expect(second.step == .choose)
    #expect(
      second.failure?.suggestion(in: .english)
        == "There were too many attempts. Wait a few minutes, then try again.")
  }

  @Test func `a recovery code`() async throws {
    let user = user()
    server.requiresSecondFactor = true
    let page = page()
    let enrollment = try #require(try await signIn(on: page).enrollment)
    await enrollment.choose(.authenticatorApp)
    guard case .authenticator(let secret) = enrollment.step else {
      Issue.record("\(enrollment.step)")
      return
    }
    let code = try #require(server.code(ofSecret: secret.sharedSecretKey))
    #expect(await enrollment.submit(code) == nil)
    guard case .recoveryCodes(let codes) = enrollment.step else {
      Issue.record("\(enrollment.step)")
      return
    }
    #expect(codes.count == 10)
    let result = enrollment.finish()
    #expect(result?.user.uid == user.uid)
    flow.endSecondFactor(result)
    try page.manager.client.signOut()
    let second = try await signIn(on: page)
    #expect(second.canUseRecoveryCode)
    second.chooseRecoveryCode()
    #expect(await second.submit(codes[0])?.user.uid == user.uid)
    #expect(server.user(user.uid)?.recoveryCodes?.count == 9)
  }

  @Test func `a user who cancels is asked for the password again`() async throws {
    server.addAuthenticator(to: user().uid)
    _ = try await signIn(on: page())
    flow.endSecondFactor(nil)
    #expect(flow.secondFactor == nil)
    #expect(flow.isAskingPassword)
    flow.closeSheet()
    #expect(!flow.isShowingSheet)
  }

  @Test func `a phone is added, and without recovery codes the form ends at once`() async throws {
    let user = user()
    let client = AuthClient(testing: server, signedInAs: user.uid)
    let session = try #require(client.currentUser).secondFactorSession
    let first = EnrollmentFlow(session, accountName: "ana@example.com")
    await first.choose(.textMessage)
    #expect(first.step == .phoneNumber)
    await first.sendCode(to: "nobody")
    #expect(first.step == .phoneNumber)
    #expect(first.failure != nil)
    await first.sendCode(to: "+15555550100")
    #expect(first.failure == nil)
    #expect(await first.submit(try #require(server.textMessages.last).code) == nil)
    #expect(first.finish()?.user.uid == user.uid)
    let second = EnrollmentFlow(session, accountName: "ana@example.com")
    await second.choose(.textMessage)
    await second.sendCode(to: "+15555550101")
    let result = await second.submit(try #require(server.textMessages.last).code)
    #expect(result?.snapshot.secondFactors.count == 2)
  }

  // MARK: Passkeys

  /// A user without another factor signs in with a password, and has a passkey.
  private func passkeyFlow(
    _ device: (any PasskeyAuthorizing)?
  ) async throws -> SecondFactorFlow {
    _ = user()
    let client = AuthClient(
      configuration: try ClientConfiguration(
        serverURL: server.url, apiKey: "test", projectID: "demo"),
      store: MemoryStore(), transport: PasskeyTransport(server: server), clock: server.clock)
    let manager = AccountManager(client: client, devices: AccountDevices(passkeys: device))
    return try await signIn(
      on: SignInPage(manager: manager, options: [.password], language: .english))
  }

  @Test func `a passkey is offered, also if the account has no other factor`() async throws {
    let second = try await passkeyFlow(OnePasskey())
    #expect(second.step == .choose)
    #expect(second.resolver.factors == [] && second.enrollment == nil)
    #expect(second.canUsePasskey)
    let result = await second.usePasskey()
    #expect(second.failure == nil)
    #expect(result?.snapshot.email == "ana@example.com")
    flow.endSecondFactor(result)
    #expect(!flow.isShowingSheet)
  }

  @Test(arguments: [nil, DeviceFault.cancelled, .failed(detail: "test")])
  func `a passkey is the factor that the project requires`(_ fault: DeviceFault?) async throws {
    server.requiresSecondFactor = true
    _ = user()
    let device = TestAuthenticator()
    device.fault = fault
    let manager = AccountManager(
      client: AuthClient(testing: server), devices: AccountDevices(passkeys: device))
    let second = try await signIn(
      on: SignInPage(
        manager: manager, options: [.password], language: .english,
        secondFactors: [.authenticatorApp, .passkey]))
    let enrollment = try #require(second.enrollment)
    #expect(enrollment.offered([.textMessage, .passkey]) == [.textMessage, .passkey])
    let result = await enrollment.choose(.passkey)
    #expect(result?.snapshot.email == (fault == nil ? "ana@example.com" : nil))
    #expect(enrollment.failure == (fault == nil || fault == .cancelled ? nil : .device(fault!)))
    #expect(enrollment.step == .choose)
  }

  @Test func `a closed sheet keeps the choice`() async throws {
    let second = try await passkeyFlow(OnePasskey(fault: .cancelled))
    #expect(await second.usePasskey() == nil)
    #expect(second.step == .choose && second.failure == nil)
  }

  @Test func `a sheet that fails is reported`() async throws {
    let second = try await passkeyFlow(OnePasskey(fault: .failed(detail: "test")))
    #expect(await second.usePasskey() == nil)
    #expect(second.failure == .device(.failed(detail: "test")))
  }

  @Test func `a device without passkeys offers none`() async throws {
    let second = try await passkeyFlow(nil)
    #expect(!second.canUsePasskey)
    #expect(await second.usePasskey() == nil)
  }
}

/// A device whose sheet answers at once.
private struct OnePasskey: PasskeyAuthorizing {
  var fault: DeviceFault?

  func create(
    _ creation: PasskeyCreation, quietly: Bool
  ) async throws(DeviceFault) -> PasskeyRegistration { throw .cancelled }

  func sign(
    _ request: PasskeyRequest, _ style: PasskeySignInStyle
  ) async throws(DeviceFault) -> PasskeyAssertion {
    if let fault { throw fault }
    return PasskeyAssertion(
      credentialID: Data([1]), clientDataJSON: request.challenge, authenticatorData: Data([2]),
      signature: Data([3]), userHandle: Data([4]))
  }

  func keep(_ passkeys: [Passkey], of relyingPartyID: String) async {}
}

/// The server in memory, but a password needs a passkey as the second factor: any one.
private struct PasskeyTransport: Transport {
  let server: AuthTestServer
  private let password = Locked<TransportRequest?>(nil)

  init(server: AuthTestServer) { self.server = server }

  func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
    switch request.url.lastPathComponent {
    case "accounts:signInWithPassword":
      password.withLock { $0 = request }
      var pending = PendingSecondFactor(credential: "pending", factors: [])
      pending.isPasskeyAvailable = true
      return Self.response(FirstFactorOutcome.secondFactorNeeded(pending))
    case "passkeySignIn:start":
      return Self.response(
        StartPasskeySignInResponse(relyingPartyID: "example.com", challenge: [9]))
    case "mfaSignIn:finalize":
      return try await server.send(password.withLock(\.self) ?? request)
    default: return try await server.send(request)
    }
  }

  private static func response(_ message: some WireMessage) -> TransportResponse {
    TransportResponse(status: 200, headers: [:], body: Data(message.json()))
  }
}
