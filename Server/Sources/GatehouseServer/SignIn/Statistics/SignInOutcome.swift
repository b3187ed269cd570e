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
    Metric.signIns.counter(
      ("method", method.map { Self.label(of: $0) } ?? "other"), ("outcome", rawValue)
    ).increment()
  }

  private static let own: [ProviderID] = [
    .password, .phone, .passkey, .custom, .anonymous,
  ]

  private static func label(of method: ProviderID) -> String {
    own.contains(method) ? method.text : IdentityProviders.metricsLabel(of: method)
  }
}
