import GatehouseAuth
import Foundation
import Testing

/// A feature that the server doesn't have fails with an error that says so, and never blocks.
@Suite("Features that the server doesn't have", .timeLimit(.minutes(5))) struct NotOfferedTests {
  private func refused(
    _ call: () async throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await #expect(throws: AuthErrorCode.operationNotAllowed, sourceLocation: sourceLocation) {
      try await call()
    }
  }

  @Test func `Game Center`() async {
    await refused { _ = try await GameCenterAuthProvider.getCredential() }
    let error = await withCheckedContinuation { continuation in
      GameCenterAuthProvider.getCredential { credential, error in
        #expect(credential == nil)
        continuation.resume(returning: error)
      }
    }
    #expect((error as? AuthErrorCode)?.code == .operationNotAllowed)
    #expect((error as NSError?)?.localizedFailureReason?.contains("Game Center") == true)
  }

  @Test func `text messages for a second factor`() async throws {
    let phone = PhoneAuthProvider.provider(auth: Auth.auth(app: try makeApp()))
    let session = MultiFactorSession()
    await refused {
      _ = try await phone.verifyPhoneNumber("+15555550100", multiFactorSession: session)
    }
    let error = await withCheckedContinuation { continuation in
      phone.verifyPhoneNumber("+15555550100", multiFactorSession: session) { _, error in
        MainActor.assertIsolated()
        continuation.resume(returning: error)
      }
    }
    #expect((error as? AuthErrorCode)?.code == .operationNotAllowed)
    let info = PhoneMultiFactorInfo(
      uid: "1", displayName: nil, enrollmentDate: .distantPast, phoneNumber: "+1***00")
    await refused {
      _ = try await phone.verifyPhoneNumber(with: info, multiFactorSession: nil)
    }
  }

  @Test func `second factors`() async {
    let factors = MultiFactor()
    let assertion = PhoneMultiFactorGenerator.assertion(
      with: PhoneAuthCredential(verificationID: "id", verificationCode: "1"))
    #expect(assertion.factorID == "phone")
    #expect(factors.enrolledFactors.isEmpty)
    await refused { _ = try await factors.session() }
    await refused { try await factors.enroll(with: assertion, displayName: nil) }
    await refused { try await factors.unenroll(withFactorUID: "1") }
    await refused {
      _ = try await TOTPMultiFactorGenerator.generateSecret(with: MultiFactorSession())
    }
  }

  @Test func `second factors, by completion handler`() async {
    let factors = MultiFactor()
    let session = await withCheckedContinuation { continuation in
      factors.getSessionWithCompletion { _, error in continuation.resume(returning: error) }
    }
    #expect((session as? AuthErrorCode)?.code == .operationNotAllowed)
    let unenrolment = await withCheckedContinuation { continuation in
      factors.unenroll(withFactorUID: "1") { continuation.resume(returning: $0) }
    }
    #expect((unenrolment as? AuthErrorCode)?.code == .operationNotAllowed)
  }

  @Test func `a sign-in's resolver`() async throws {
    let resolver = MultiFactorResolver(
      session: MultiFactorSession(), hints: [], auth: Auth.auth(app: try makeApp()))
    let assertion = TOTPMultiFactorGenerator.assertionForSignIn(
      withEnrollmentID: "1", oneTimePassword: "000000")
    #expect(assertion.factorID == "totp")
    await refused { _ = try await resolver.resolveSignIn(with: assertion) }
  }

  @Test func `the description of a second factor can be archived`() throws {
    let info = PhoneMultiFactorInfo(
      uid: "1", displayName: "My phone", enrollmentDate: Date(timeIntervalSince1970: 1),
      phoneNumber: "+1***00")
    let read = try archived(info)
    #expect(read.uid == "1")
    #expect(read.displayName == "My phone")
    #expect(read.enrollmentDate == Date(timeIntervalSince1970: 1))
    #expect(read.factorID == "phone")
    #expect(read.phoneNumber == "+1***00")
    #expect(try archived(MultiFactor()).enrolledFactors.isEmpty)
  }
}
