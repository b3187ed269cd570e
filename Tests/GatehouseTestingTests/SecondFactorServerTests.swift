import Foundation
import GatehouseAuth
import GatehouseClient
import GatehouseCore
import GatehouseTesting
import Testing

struct SecondFactorServerTests {
  @Test(arguments: ServerStory.secondFactors)
  func `the server in memory asks for second factors as the real one does`(
    _ story: ServerStory
  ) async throws {
    try await story.run(.inMemory())
  }

  @Test func `a test reads the code of the current step`() async throws {
    let server = AuthTestServer()
    let user = server.createUser(
      email: "ana@example.com", password: "secret", isEmailVerified: true)
    let factor = try #require(server.addAuthenticator(to: user.uid, displayName: "App"))
    let auth = Auth.auth(app: FirebaseApp.configure(testing: server, name: "totp"))
    do {
      try await auth.signIn(withEmail: "ana@example.com", password: "secret")
      Issue.record("No second factor was asked for.")
    } catch let error as NSError where error.code == AuthErrorCode.secondFactorRequired.rawValue {
      let resolver = try #require(
        error.userInfo[AuthErrors.userInfoMultiFactorResolverKey] as? MultiFactorResolver)
      #expect(resolver.hints.map(\.uid) == [factor.id])
      let code = try #require(server.authenticatorCode(of: user.uid))
      let result = try await resolver.resolveSignIn(
        with: TOTPMultiFactorGenerator.assertionForSignIn(
          withEnrollmentID: factor.id, oneTimePassword: code))
      #expect(result.user.uid == user.uid)
    }
  }

  @Test func `a step can be used once`() async throws {
    let server = AuthTestServer()
    let user = server.createUser(
      email: "ana@example.com", password: "secret", isEmailVerified: true)
    let factor = try #require(server.addAuthenticator(to: user.uid))
    let story = StoryServer.inMemory(server)
    let device = try story.device()
    let code = try #require(server.authenticatorCode(of: user.uid))
    let proof = SecondFactorProof.totp(code: code, factorID: factor.id)
    try await story.resolver(device, "ana@example.com").resolve(with: proof)
    let second = try await story.resolver(device, "ana@example.com")
    await expect("INVALID_CODE") { try await second.resolve(with: proof) }
    server.clock.advance(by: 30)
    let next = try #require(server.authenticatorCode(of: user.uid))
    try await second.resolve(with: .totp(code: next, factorID: factor.id))
    server.clock.advance(by: 601)
    let third = try await story.resolver(device, "ana@example.com")
    server.clock.advance(by: 601)
    await expect("INVALID_MFA_PENDING_CREDENTIAL") { try await third.resolve(with: proof) }
  }

  @Test func `a phone gets text messages`() async throws {
    let server = AuthTestServer()
    let user = server.createUser(
      email: "ana@example.com", password: "secret", isEmailVerified: true)
    server.addPhone("+15555550100", to: user.uid)
    let story = StoryServer.inMemory(server)
    let device = try story.device()
    let resolver = try await story.resolver(device, "ana@example.com")
    let phone = try #require(resolver.factors.first)
    #expect(phone.kind == .phone(number: "+*******0100"))
    let id = try await resolver.session.sendCode(to: phone)
    let message = try #require(server.textMessages.last)
    #expect(message.to == "+15555550100")
    await expect("INVALID_CODE") {
      try await resolver.resolve(with: .phone(code: "000000", verificationID: id))
    }
    let result = try await resolver.resolve(
      with: .phone(code: message.code, verificationID: id))
    #expect(result.user.heldIDToken?.secondFactor == "phone")
    await expect("SECOND_FACTOR_EXISTS") {
      try await result.user.secondFactorSession.sendCode(toNew: "+1 555 555 0100")
    }
    let other = try await result.user.secondFactorSession.sendCode(toNew: "+15555550101")
    let enrollment = try await result.user.secondFactorSession.enroll(
      .phone(code: try #require(server.textMessages.last).code, verificationID: other))
    #expect(enrollment.recoveryCodes.count == 10)
    #expect(result.user.snapshot.secondFactors.count == 2)
    #expect(server.user(user.uid)?.secondFactors.count == 2)
  }

  @Test func `a required factor is added before the user is signed in`() async throws {
    let server = AuthTestServer()
    server.requiresSecondFactor = true
    let user = server.createUser(
      email: "ana@example.com", password: "secret", isEmailVerified: true)
    let story = StoryServer.inMemory(server)
    let device = try story.device()
    let resolver = try await story.resolver(device, "ana@example.com")
    #expect(resolver.isEnrollmentRequired)
    let secret = try await resolver.session.createAuthenticatorSecret()
    let code = try #require(server.code(ofSecret: secret.sharedSecretKey))
    let enrollment = try await resolver.session.enroll(.totp(secret, code: code))
    #expect(enrollment.recoveryCodes.count == 10)
    #expect(device.client.currentUser?.uid == user.uid)
    #expect(try await device.client.currentUser?.idToken().secondFactor == "totp")
  }
}
