import GatehouseServer
import GatehouseProtocol

/// Checks that users of Sign in with Apple are asked for consent before identifying data is joined
/// to an anonymized Apple identity.
enum ConsentCheck {
  /// - Returns: Nil if `apple.com` isn't enabled.
  static func finding(
    for project: Project, providers: [ProviderConfiguration]
  ) -> Finding? {
    guard providers.contains(where: { $0.id == .apple && $0.isEnabled }) else { return nil }
    let policy = project.policies.linkConsent
    guard policy == .off else {
      return Finding("\(project.id) consent", .ok, "linkConsent=\(policy.rawValue)")
    }
    return Finding(
      "\(project.id) consent",
      .warning(
        remedy: "If the app doesn't ask by itself: gatehouse projects set \(project.id) "
          + "linkConsent=anonymized"),
      "apple.com is on and linkConsent is off: a hidden Apple account may be linked to an email, a "
        + "phone number or another provider without the user's consent")
  }
}
