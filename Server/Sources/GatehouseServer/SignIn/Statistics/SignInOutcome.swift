import GatehouseProtocol
import Metrics

/// How a sign-in went, for the metric of that name.
enum SignInOutcome: String, CaseIterable {
  case signedIn = "signed_in"
  case signedUp = "signed_up"
  case secondFactorNeeded = "second_factor_needed"
  /// The app is asked whether to create an account.
  case asked
  case needsConfirmation = "needs_confirmation"
  /// Only for a client that sent `returnIdpCredential`. For other clients it is ``refused``.
  case needsConsent = "needs_consent"
  /// Only for a client that sent `returnIdpCredential`. For other clients it is ``refused``.
  case conflict
  case refused

  /// - Parameter method: A provider's id, or a method of the server itself.
  func count(_ method: ProviderID?) {
    Self.counters[method.map { Self.label(of: $0) } ?? Self.other]?[self]?.increment()
  }

  private static let other = "other"
  /// By method. Series that begin with 0 show their first increase.
  static let counters: [String: [SignInOutcome: Counter]] = {
    let providers = IdentityProviders.builtIn.map { $0.id?.text ?? $0.name }
    let labels = own.map(\.text) + providers + ["oidc", other]
    return Dictionary(
      labels.map { label in
        let counters = allCases.map {
          ($0, Metric.signIns.counter(("method", label), ("outcome", $0.rawValue)))
        }
        return (label, Dictionary(counters, uniquingKeysWith: { first, _ in first }))
      }, uniquingKeysWith: { first, _ in first })
  }()

  private static let own: [ProviderID] = [
    .password, .phone, .passkey, .custom, .anonymous,
  ]

  private static func label(of method: ProviderID) -> String {
    own.contains(method) ? method.text : IdentityProviders.metricsLabel(of: method)
  }
}
