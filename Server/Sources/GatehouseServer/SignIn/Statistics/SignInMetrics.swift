import GatehouseProtocol
import Metrics

/// Counts the outcomes of sign-ins, by provider.
struct SignInMetrics: Sendable {
  enum Outcome: String, CaseIterable {
    case signedIn = "signed_in"
    case signedUp = "signed_up"
    case secondFactorNeeded = "second_factor_needed"
    case asked
    case needsConfirmation = "needs_confirmation"
    /// Only for a client that sent `returnIdpCredential`. For other clients it is ``refused``.
    case needsConsent = "needs_consent"
    /// Only for a client that sent `returnIdpCredential`. For other clients it is ``refused``.
    case conflict
    case refused
  }

  private static let builtIn = IdentityProviders.builtIn.compactMap(\.id?.text)

  private let counters: [String: Counter]

  init() {
    var counters: [String: Counter] = [:]
    for provider in Self.builtIn + ["oidc", "other"] {
      for outcome in Outcome.allCases {
        counters[provider + outcome.rawValue] = Counter(
          label: "gatehouse_sign_ins_total",
          dimensions: [("provider", provider), ("outcome", outcome.rawValue)])
      }
    }
    self.counters = counters
  }

  func count(_ outcome: Outcome, _ provider: ProviderID?) {
    let label = provider.map { IdentityProviders.metricsLabel(of: $0) } ?? "other"
    counters[label + outcome.rawValue]?.increment()
  }
}
