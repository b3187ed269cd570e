import GatehouseProtocol

/// `mfa` of a project's configuration.
///
/// Source: Identity Platform, `MultiFactorAuthConfig`. `requiredClaim` and `requiredFrom` are extensions.
struct MFAConfig: WireRequest, WireResponse {
  /// `DISABLED`, `ENABLED` or `MANDATORY`.
  var state: String?
  /// `PHONE_SMS`, or none.
  var enabledProviders: [String]?
  /// Whether `providerConfigs` enables authenticator apps; nil if it is absent.
  var offersTOTP: Bool?
  /// Of authenticator apps; nil if `providerConfigs` names none.
  var adjacentIntervals: Int64?
  var requiredClaim: String?
  var requiredFrom: String?

  init() {}

  init(_ fields: WireFields) throws(WireError) {
    state = try fields.string("state")
    enabledProviders =
      fields.contains("enabledProviders") ? try fields.strings("enabledProviders") : nil
    if fields.contains("providerConfigs") {
      offersTOTP = false
      for config in try fields.messages("providerConfigs") {
        guard let totp = try config.message("totpProviderConfig") else { continue }
        offersTOTP = try config.string("state") != "DISABLED"
        adjacentIntervals = try totp.int64("adjacentIntervals")
      }
    }
    requiredClaim = try fields.string("requiredClaim")
    requiredFrom = try fields.string("requiredFrom")
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("state", ifPresent: state)
    writer.member("enabledProviders", enabledProviders ?? [])
    writer.array("providerConfigs") { list in
      list.object { config in
        config.member("state", offersTOTP == true ? "ENABLED" : "DISABLED")
        config.object("totpProviderConfig") {
          $0.member("adjacentIntervals", adjacentIntervals ?? 0)
        }
      }
    }
    writer.member("requiredClaim", ifPresent: requiredClaim)
    writer.member("requiredFrom", ifPresent: requiredFrom)
  }
}

extension MFAConfig {
  private static let messages = "PHONE_SMS"
  /// In Google's resource they name nothing.
  private static let unspecified = "PROVIDER_UNSPECIFIED"

  init(_ policy: SecondFactorPolicy) {
    state = policy.isEnabled ? (policy.isRequired ? "MANDATORY" : "ENABLED") : "DISABLED"
    enabledProviders = policy.offersMessages ? [Self.messages] : []
    offersTOTP = policy.offersTOTP
    adjacentIntervals = Int64(policy.adjacentIntervals)
    requiredClaim = policy.requiredClaim
    requiredFrom = policy.requiredFrom
  }

  /// Applies the settings that the mask names; without a mask, those in the resource.
  ///
  /// - Throws: ``APIError`` with `INVALID_CONFIG`.
  func apply(to policy: inout SecondFactorPolicy, under mask: FieldMask) throws(APIError) {
    if mask.covers("mfa.state", presentInBody: state != nil) {
      guard let states = Self.states(state ?? "") else {
        throw .invalidConfiguration(
          .invalidConfig, "mfa.state is one of DISABLED, ENABLED, MANDATORY.")
      }
      (policy.isEnabled, policy.isRequired) = states
    }
    if mask.covers("mfa.enabledProviders", presentInBody: enabledProviders != nil) {
      let names = (enabledProviders ?? []).filter { $0 != Self.unspecified }
      guard names.allSatisfy({ $0 == Self.messages }) else {
        throw .invalidConfiguration(
          .invalidConfig, "mfa.enabledProviders holds PHONE_SMS or nothing.")
      }
      policy.offersMessages = !names.isEmpty
    }
    if mask.covers("mfa.providerConfigs", presentInBody: offersTOTP != nil) {
      let standard = SecondFactorPolicy()
      policy.offersTOTP = offersTOTP ?? standard.offersTOTP
      policy.adjacentIntervals =
        adjacentIntervals.map { Int(clamping: $0) } ?? standard.adjacentIntervals
    }
    if mask.covers("mfa.requiredClaim", presentInBody: requiredClaim != nil) {
      policy.requiredClaim = requiredClaim ?? ""
    }
    if mask.covers("mfa.requiredFrom", presentInBody: requiredFrom != nil) {
      policy.requiredFrom = requiredFrom ?? ""
    }
  }

  private static func states(_ state: String) -> (isEnabled: Bool, isRequired: Bool)? {
    switch state {
    case "", "STATE_UNSPECIFIED", "DISABLED": (false, false)
    case "ENABLED": (true, false)
    case "MANDATORY": (true, true)
    default: nil
    }
  }
}
