import GatehouseProtocol

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
        allowedNonAlphanumericCharacters: policy.requiresSymbol
          ? PasswordPolicy.symbols.map { String($0) } : [],
        // Without a policy, Google's own bounds are enforced.
        isEnforced: policy.isEnforced || policy == PasswordPolicy(),
        forceUpgradeOnSignin: policy.isForcedOnSignIn))
  }
}
