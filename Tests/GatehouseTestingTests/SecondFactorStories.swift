import Crypto
import Foundation
import GatehouseClient
import Testing

extension ServerStory {
  /// With second factors enabled: authenticator apps.
  static let secondFactors = [
    ServerStory("an authenticator app is a second factor") { server in
      let (device, email) = (try server.device(), server.email())
      let (user, app) = try await server.userWithAuthenticator(device, email)
      #expect(user.snapshot.secondFactors.map(\.displayName) == ["Authenticator"])
      #expect(user.snapshot.secondFactors.map(\.kind) == [.totp])
      #expect(user.snapshot.recoveryCodesLeft == 10)
      #expect(user.heldIDToken?.secondFactor == "totp")
      try device.client.signOut()
      let resolver = try await server.resolver(device, email)
      #expect(device.client.currentUser == nil)
      #expect(resolver.factors.map(\.id) == user.snapshot.secondFactors.map(\.id))
      let factor = try #require(resolver.factors.first)
      await expect("INVALID_CODE") {
        try await resolver.resolve(with: .totp(code: "000000", factorID: factor.id))
      }
      await expect("MFA_ENROLLMENT_NOT_FOUND") {
        try await resolver.resolve(
          with: .totp(code: app.code(server.clock.now, ahead: 1), factorID: "nobody"))
      }
      let again = try await resolver.resolve(
        with: .totp(code: app.code(server.clock.now, ahead: 1), factorID: factor.id))
      #expect(again.user.uid == user.uid)
      #expect(again.user.heldIDToken?.signInProvider == .password)
      let session = again.user.heldIDToken?.claims["firebase"]
      #expect(session?["sign_in_second_factor"]?.string == "totp")
      #expect(session?["second_factor_identifier"]?.string == factor.id)
      await expect("INVALID_MFA_PENDING_CREDENTIAL") {
        try await resolver.resolve(with: .recoveryCode(app.recoveryCodes[0]))
      }
    },
    ServerStory("a factor is withdrawn") { server in
      let (device, email) = (try server.device(), server.email())
      let (user, _) = try await server.userWithAuthenticator(device, email)
      let factor = try #require(user.snapshot.secondFactors.first)
      await expect("MFA_ENROLLMENT_NOT_FOUND") { try await user.withdrawSecondFactor("nobody") }
      try await user.withdrawSecondFactor(factor.id)
      #expect(user.snapshot.secondFactors == [])
      try await user.reload()
      try device.client.signOut()
      try await device.client.signIn(with: .password(email: email, password: "secret"))
    },
    ServerStory("a recovery code signs in once") { server in
      let (device, email) = (try server.device(), server.email())
      let (_, app) = try await server.userWithAuthenticator(device, email)
      #expect(app.recoveryCodes.count == 10)
      #expect(Set(app.recoveryCodes).count == 10)
      try device.client.signOut()
      let first = try await server.resolver(device, email)
      let result = try await first.resolve(with: .recoveryCode(app.recoveryCodes[0]))
      #expect(result.user.heldIDToken?.secondFactor == "recovery_code")
      #expect(result.user.snapshot.recoveryCodesLeft == 9)
      try device.client.signOut()
      let second = try await server.resolver(device, email)
      #expect(second.recoveryCodesLeft == 9)
      await expect("INVALID_RECOVERY_CODE") {
        try await second.resolve(with: .recoveryCode(app.recoveryCodes[0]))
      }
      let user = try await second.resolve(with: .recoveryCode(app.recoveryCodes[1])).user
      let codes = try await user.createRecoveryCodes()
      #expect(codes.count == 10)
      #expect(Set(codes).isDisjoint(with: app.recoveryCodes))
    },
    ServerStory("a re-authentication asks too") { server in
      let (device, email) = (try server.device(), server.email())
      let (user, app) = try await server.userWithAuthenticator(device, email)
      do {
        try await user.reauthenticate(with: .password(email: email, password: "secret"))
        Issue.record("No second factor was asked for.")
      } catch ClientError.secondFactorRequired(let resolver) {
        let result = try await resolver.resolve(with: .recoveryCode(app.recoveryCodes[0]))
        #expect(result.user == user)
        #expect(device.client.currentUser == user)
      }
    },
    ServerStory("a factor needs a verified address") { server in
      let (device, email) = (try server.device(), server.email())
      let user = try await device.client.createUser(email: email, password: "secret").user
      await expect("UNVERIFIED_EMAIL") {
        try await user.secondFactorSession.createAuthenticatorSecret()
      }
    },
  ]
}

/// The user's authenticator app, and the codes that they wrote down.
struct StoryAuthenticator {
  var secret: String
  var recoveryCodes: [String]

  /// - Parameter ahead: How many steps of 30 seconds. A step can be used once.
  func code(_ now: Date, ahead: Int64 = 0) -> String {
    var bits = 0
    var count = 0
    var key: [UInt8] = []
    for character in secret.utf8 {
      let value = character >= UInt8(ascii: "A") ? character - 65 : character - 24
      bits = bits << 5 | Int(value)
      count += 5
      guard count >= 8 else { continue }
      count -= 8
      key.append(UInt8(bits >> count & 0xFF))
      bits &= (1 << count) - 1
    }
    let step = UInt64(now.timeIntervalSince1970 / 30) + UInt64(ahead)
    let counter = (0..<8).map { UInt8(step >> (56 - 8 * $0) & 0xFF) }
    let hash = Array(
      HMAC<Insecure.SHA1>.authenticationCode(for: counter, using: SymmetricKey(data: key)))
    let offset = Int(hash[19] & 15)
    let number = hash[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
    let digits = String(number % 1_000_000)
    return String(repeating: "0", count: 6 - digits.count) + digits
  }
}

extension StoryServer {
  /// A new user with a verified address, the password `secret` and an authenticator app.
  func userWithAuthenticator(
    _ device: StoryDevice, _ email: String
  ) async throws -> (SignedInUser, StoryAuthenticator) {
    let user = try await device.client.createUser(email: email, password: "secret").user
    try await user.sendEmailVerification()
    try await device.client.apply(actionCode: try await code("VERIFY_EMAIL", email))
    let session = user.secondFactorSession
    let secret = try await session.createAuthenticatorSecret()
    var app = StoryAuthenticator(secret: secret.sharedSecretKey, recoveryCodes: [])
    app.recoveryCodes = try await session.enroll(
      .totp(secret, code: app.code(clock.now)), displayName: "Authenticator"
    ).recoveryCodes
    return (user, app)
  }

  func resolver(
    _ device: StoryDevice, _ email: String
  ) async throws -> SecondFactorResolver {
    do {
      try await device.client.signIn(with: .password(email: email, password: "secret"))
    } catch ClientError.secondFactorRequired(let resolver) {
      return resolver
    }
    Issue.record("No second factor was asked for.")
    throw ClientError.cancelled
  }
}
