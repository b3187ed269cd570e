import GatehouseAccounts
import GatehouseWire

/// v2's `GET passwordPolicy`: the rules that a client checks before it sends a new password.
struct GetPasswordPolicy: Endpoint {
  var routes: [Route] {
    [.client(.get, "v2/passwordPolicy", "passwordPolicy", answer)]
  }

  func answer(_ call: Call) throws -> Answer {
    let policy = try call.requireProject().policies.passwordPolicy
    return Answer(
      PasswordPolicyResponse(
        options: PasswordStrengthOptions(policy),
        allowedNonAlphanumericCharacters: PasswordPolicy.symbols.map { String($0) },
        isEnforced: policy.isEnforced, forceUpgradeOnSignin: policy.isForcedOnSignIn))
  }
}
