import GatehouseModel
import Metrics

/// Counts what became of sign-ins, by provider and outcome.
struct SignInMetrics: Sendable {
  enum Outcome: String, CaseIterable {
    case signedIn = "signed_in"
    case signedUp = "signed_up"
    case asked
    case needsConfirmation = "needs_confirmation"
    case needsConsent = "needs_consent"
    case conflict
    case refused
  }

  private let counters: [String: Counter]

  init() {
    var counters: [String: Counter] = [:]
    for provider in ["apple.com", "google.com", "facebook.com", "oidc", "other"] {
      for outcome in Outcome.allCases {
        counters[provider + outcome.rawValue] = Counter(
          label: "gatehouse_sign_ins_total",
          dimensions: [("provider", provider), ("outcome", outcome.rawValue)])
      }
    }
    self.counters = counters
  }

  /// All OpenID Connect providers are one label: their names are the operator's, and many.
  func count(_ outcome: Outcome, _ provider: ProviderID?) {
    let label =
      switch provider {
      case .apple?: "apple.com"
      case .google?: "google.com"
      case .facebook?: "facebook.com"
      case let provider?: provider.isOpenIDConnect ? "oidc" : "other"
      case nil: "other"
      }
    counters[label + outcome.rawValue]?.increment()
  }
}
