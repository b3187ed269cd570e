import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

/// What a project requires of passwords, and where the policy applies.
@Suite struct PasswordPolicyTests {
  /// All requirements.
  private static func strict(_ policies: inout ProjectPolicies) {
    policies.passwordPolicy.isEnforced = true
    policies.passwordPolicy.minimumLength = 8
    policies.passwordPolicy.maximumLength = 20
    policies.passwordPolicy.requiresLowercase = true
    policies.passwordPolicy.requiresUppercase = true
    policies.passwordPolicy.requiresDigit = true
    policies.passwordPolicy.requiresSymbol = true
  }

  private static let good = "Correct-h0rse!"

  @Test(
    arguments: [
      ("aB1!xyz", [.minimumLength(8)]),
      ("aB1!" + String(repeating: "x", count: 17), [.maximumLength(20)]),
      ("CORRECT-H0RSE!", [.lowercase]), ("correct-h0rse!", [.uppercase]),
      ("Correct-horse!", [.digit]), ("Correct h0rse", [.symbol]),
      // Letters and digits of other scripts, and a middle dot, don't count.
      ("àéîöü·٣·ÀÉÎÖÜ", [.lowercase, .uppercase, .digit, .symbol]),
      ("", [.minimumLength(8), .lowercase, .uppercase, .digit, .symbol]),
    ] as [(String, [PasswordRequirement])])
  func `the requirements that a password doesn't meet are listed in order`(
    password: String, missing: [PasswordRequirement]
  ) async throws {
    try await withWorld(Self.strict) { world in
      _ = try await world.signUp("good@example.com", password: Self.good)
      await #expect(throws: AccountsError.passwordRequirements(missing)) {
        try await world.signUp("bad@example.com", password: password)
      }
    }
  }

  @Test func `the bounds of the length are inclusive`() async throws {
    try await withWorld(Self.strict) { world in
      _ = try await world.signUp("a@example.com", password: "aB1!xyzw")
      _ = try await world.signUp(
        "b@example.com", password: "aB1!" + String(repeating: "x", count: 16))
    }
  }

  @Test(arguments: ["-", "`"]) func `a hyphen and a backtick are symbols`(
    symbol: String
  ) async throws {
    try await withWorld(Self.strict) { world in
      _ = try await world.signUp("ann@example.com", password: "Correct" + symbol + "h0rse")
    }
  }

  @Test func `a policy that isn't enforced requires nothing`() async throws {
    try await withWorld { policies in
      Self.strict(&policies)
      policies.passwordPolicy.isEnforced = false
    } body: { world in
      _ = try await world.signUp("ann@example.com", password: "simple")
    }
  }

  @Test func `the policy applies wherever a password is set`() async throws {
    try await withWorld(Self.strict) { world in
      let refusal = AccountsError.passwordRequirements([.uppercase])
      let bad = "correct-h0rse!"
      let anonymous = try await world.signUpAnonymously()
      await #expect(throws: refusal) {
        try await world.upgrade(anonymous.tokens.idToken, "ann@example.com", password: bad)
      }
      let ann = try await world.upgrade(
        anonymous.tokens.idToken, "ann@example.com", password: Self.good)
      await #expect(throws: refusal) {
        try await world.update(ann.tokens.idToken) { $0.password = .set(Secret(bad)) }
      }
      await #expect(throws: refusal) {
        try await world.administer(ann.account.uid) { $0.profile.password = .set(Secret(bad)) }
      }
      await #expect(throws: refusal) {
        try await world.create { $0.profile.password = .set(Secret(bad)) }
      }
      _ = try await world.update(ann.tokens.idToken) { $0.password = .set(Secret(Self.good + "2")) }
    }
  }

  @Test func `an older password still signs in, unless the policy is forced on sign-ins`()
    async throws
  {
    try await withWorld { world in
      _ = try await world.signUp("ann@example.com", password: "simple")
      _ = try await world.signIn(
        "ann@example.com", password: "simple", in: world.project(Self.strict))
      let forced = world.project {
        Self.strict(&$0)
        $0.passwordPolicy.isForcedOnSignIn = true
      }
      await #expect(
        throws: AccountsError.passwordRequirements([
          .minimumLength(8), .uppercase, .digit, .symbol,
        ])
      ) {
        try await world.signIn("ann@example.com", password: "simple", in: forced)
      }
      // A caller who doesn't know the password learns nothing about the policy.
      await #expect(throws: AccountsError.invalidPassword) {
        try await world.signIn("ann@example.com", password: "simpel", in: forced)
      }
    }
  }

  @Test func `policies stored before the password policy existed get its defaults`() throws {
    let stored = Data(#"{"allowsAnonymous": true, "passwordPolicy": {"isEnforced": true}}"#.utf8)
    let policies = try JSONDecoder().decode(ProjectPolicies.self, from: stored)
    var expected = ProjectPolicies()
    expected.allowsAnonymous = true
    expected.passwordPolicy.isEnforced = true
    #expect(policies == expected)
    let again = try JSONDecoder().decode(
      ProjectPolicies.self, from: JSONEncoder().encode(policies))
    #expect(again == expected)
  }
}
