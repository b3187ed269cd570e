import Foundation
import GatehouseProtocol
import GatehouseTokens

/// Whether users have second factors, and who must have one.
///
/// Stored with the project's policies: a key that is missing in a stored document gets its default.
package struct SecondFactorPolicy: Hashable, Sendable, Codable {
  /// Off, as in Identity Platform. While it is off, nobody is asked for a factor that was enrolled before.
  package var isEnabled = false
  /// Codes of an authenticator app (RFC 6238).
  package var offersTOTP = false
  /// Codes in text messages. They need a webhook, and prefixes that ``PhonePolicy`` allows.
  package var offersMessages = false
  /// How many codes before and after the present one of an authenticator app are accepted.
  package var adjacentIntervals = 1
  /// Everyone must have a second factor, except in anonymous accounts and with custom tokens.
  package var isRequired = false
  /// Accounts with this custom claim must have one, unless its value is `false` or `null`. Empty: none.
  package var requiredClaim = ""
  /// The day from which one is required, in UTC, as `2027-06-30`. Empty: at once.
  package var requiredFrom = ""

  /// Those that Identity Platform allows.
  package static let adjacentIntervalsRange = 0...10

  package init() {}

  /// For `--dev`, as developers who know the emulator expect it.
  package static var development: SecondFactorPolicy {
    var policy = SecondFactorPolicy()
    policy.isEnabled = true
    policy.offersTOTP = true
    policy.offersMessages = true
    return policy
  }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    isEnabled = try values.value(.isEnabled, or: isEnabled)
    offersTOTP = try values.value(.offersTOTP, or: offersTOTP)
    offersMessages = try values.value(.offersMessages, or: offersMessages)
    adjacentIntervals = try values.value(.adjacentIntervals, or: adjacentIntervals)
    isRequired = try values.value(.isRequired, or: isRequired)
    requiredClaim = try values.value(.requiredClaim, or: requiredClaim)
    requiredFrom = try values.value(.requiredFrom, or: requiredFrom)
  }

  /// Whether the account's user has to show a second factor, or enrol one first.
  ///
  /// - Parameter claims: Those that only the session gets.
  func demandsFactor(of account: Account, with claims: CustomClaims? = nil, now: Date) -> Bool {
    guard isEnabled else { return false }
    return account.secondFactors?.factors.isEmpty == false
      || requiresFactor(of: account, with: claims, now: now)
  }

  /// Whether the account must have a second factor.
  func requiresFactor(of account: Account, with claims: CustomClaims? = nil, now: Date) -> Bool {
    guard isEnabled, isRequired || !requiredClaim.isEmpty else { return false }
    if let start = Date(day: requiredFrom), now < start { return false }
    return isRequired
      || [account.customClaims, claims].contains { $0?.names(requiredClaim) ?? false }
  }

  /// Why the policy can't be stored.
  ///
  /// - Parameter offersPasskeys: Whether the project has passkeys, which can be the required factor.
  func fault(offersPasskeys: Bool) -> String? {
    if !Self.adjacentIntervalsRange.contains(adjacentIntervals) {
      return "adjacentIntervals: \(adjacentIntervals) is not from 0 to 10"
    }
    let offersFactor = isEnabled && (offersTOTP || offersMessages || offersPasskeys)
    if isRequired || !requiredClaim.isEmpty, !offersFactor {
      return "isRequired: no second factor is offered"
    }
    return !requiredFrom.isEmpty && Date(day: requiredFrom) == nil
      ? "requiredFrom: “\(requiredFrom)” is not a date such as 2027-06-30" : nil
  }
}

extension CustomClaims {
  /// Whether there is such a claim, and its value isn't `false` or `null`.
  fileprivate func names(_ claim: String) -> Bool {
    guard let value = (try? JSONObject(parsing: jsonText))?[claim] else { return false }
    return value != .bool(false) && value != .null
  }
}
