import Foundation
import GatehouseProtocol
import Testing

@testable import GatehouseServer

/// An authenticator app, as a user has it.
struct AuthenticatorApp {
  let totp: TOTP
  let id: String

  /// The code that the app shows.
  func code(at now: Date) -> Secret<String> { Secret(totp.code(at: TOTP.step(at: now))) }
}

extension World {
  /// Enrolls an authenticator app, and moves the clock to its next code.
  func enrollTOTP(
    _ user: EnrollingUser, name: String? = nil, in project: Project? = nil
  ) async throws -> (authenticator: AuthenticatorApp, enrolled: EnrolledFactor) {
    let project = project ?? self.project
    let account = try await accounts.mayEnroll(.totp, by: user, in: project, now: now)
    let begun = try accounts.beginTOTP(of: account, in: project, now: now)
    let code = begun.totp.code(at: TOTP.step(at: now))
    let enrolled = try await accounts.enroll(
      .totp(id: begun.sessionInfo, code: Secret(code)), name: name, by: user, from: .unknown,
      in: project, now: now)
    advance(TimeInterval(TOTP.period))
    return (AuthenticatorApp(totp: begun.totp, id: enrolled.factor.id), enrolled)
  }

  func enrollPhone(
    _ user: EnrollingUser, _ text: String = World.ann, consent: GivenConsent? = nil,
    in project: Project? = nil
  ) async throws -> EnrolledFactor {
    let sent = try await sent(to: text, in: project)
    return try await accounts.enroll(
      .phone(sessionInfo: sent.sessionInfo, code: Secret(sent.code)), name: nil, by: user,
      consent: consent, from: .unknown, in: project ?? self.project, now: now)
  }

  /// An account with a verified address, a password and an authenticator app.
  func protectedAccount(
    _ address: String = "ann@example.com"
  ) async throws -> (authenticator: AuthenticatorApp, enrolled: EnrolledFactor) {
    _ = try await verifiedAccount(address)
    let signedIn = try await signIn(address)
    return try await enrollTOTP(.session(idToken: signedIn.tokens.idToken))
  }

  /// Signs in with the password, and expects that a second factor is asked for.
  func demand(
    _ address: String = "ann@example.com", in project: Project? = nil
  ) async throws -> SecondFactorDemand {
    try await accounts.signIn(
      email: try email(address), password: Secret("notasecret"), from: .unknown,
      in: project ?? self.project, now: now
    ).demand()
  }

  func finish(
    _ credential: String, _ factor: ShownFactor, from client: ClientAddress = .unknown,
    in project: Project? = nil
  ) async throws -> SignedIn {
    try await accounts.signIn(
      pendingCredential: credential, with: factor, from: client, in: project ?? self.project,
      now: now)
  }

  func finish(_ credential: String, _ authenticator: AuthenticatorApp) async throws -> SignedIn {
    try await finish(credential, .totp(id: authenticator.id, code: authenticator.code(at: now)))
  }
}

extension SignInResult {
  func signedIn() throws -> SignedIn {
    guard case .signedIn(let signedIn) = self else {
      throw IdentitySignIn.Result.Unexpected(outcome: "\(self)")
    }
    return signedIn
  }

  func demand() throws -> SecondFactorDemand {
    guard case .secondFactorNeeded(let demand) = self else {
      throw IdentitySignIn.Result.Unexpected(outcome: "\(self)")
    }
    return demand
  }
}
