package import Foundation
package import GatehouseProtocol

/// Which accounts a search returns. Nil and empty: any.
package struct AccountFilter: Sendable {
  /// Accounts with at least one of these ways to sign in: `password` (or a link by email), `phone`,
  /// `passkey`, `custom`, `anonymous` or a provider of an identity.
  package var providers: [ProviderID] = []
  package var isDisabled: Bool?
  /// Whether the account's address is verified. Accounts without an address have neither value.
  package var isEmailVerified: Bool?
  /// From the first time on, and before the second one.
  package var created: (from: Date?, before: Date?) = (nil, nil)
  /// The last sign-in. Accounts without one aren't in any interval.
  package var lastLogin: (from: Date?, before: Date?) = (nil, nil)
  package var hasSecondFactor: Bool?
  package var claim: Claim?
  package var isDeletionScheduled: Bool?

  /// A custom claim with exactly this value.
  package struct Claim: Sendable {
    package var name: String
    package var value: JSONValue

    package init(name: String, value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  package init() {}

  var needsIdentities: Bool { !providers.isEmpty }

  /// Whether the account is one that the search looks for, as far as the candidate shows:
  /// ``matches(_:)`` checks the rest.
  func matches(_ candidate: SearchCandidate) -> Bool {
    matches(candidate.isDisabled, isDisabled)
      && (isEmailVerified == nil
        || candidate.email != nil && candidate.isEmailVerified == isEmailVerified)
      && matches(candidate.createdAt, created) && matches(candidate.lastLoginAt, lastLogin)
      && (hasSecondFactor != true || candidate.hasSecondFactors)
      && matches(candidate.isScheduled, isDeletionScheduled) && hasClaim(candidate)
      && hasProvider(candidate)
  }

  /// Whether the account has second factors is encrypted.
  func matches(_ account: Account) -> Bool {
    matches(!(account.secondFactors?.factors.isEmpty ?? true), hasSecondFactor)
  }

  private func matches(_ value: Bool, _ wanted: Bool?) -> Bool { wanted == nil || wanted == value }

  private func matches(_ time: Date?, _ interval: (from: Date?, before: Date?)) -> Bool {
    if interval.from == nil && interval.before == nil { return true }
    guard let time else { return false }
    return (interval.from.map { $0 <= time } ?? true)
      && (interval.before.map { time < $0 } ?? true)
  }

  private func hasClaim(_ candidate: SearchCandidate) -> Bool {
    guard let claim else { return true }
    guard let text = candidate.customClaims, let claims = try? JSONObject(parsing: text)
    else { return false }
    return claims[claim.name] == claim.value
  }

  private func hasProvider(_ candidate: SearchCandidate) -> Bool {
    providers.isEmpty
      || providers.contains { provider in
        switch provider {
        case .password: candidate.hasPassword
        case .phone: candidate.phoneNumber != nil
        case .passkey: candidate.hasPasskeys
        case .custom: candidate.isCustom
        case .anonymous: candidate.isAnonymous
        default: candidate.identities.contains { $0.provider.hasSameBytes(as: provider.text) }
        }
      }
  }

  /// The ranges of an index that contain every account of the filter: those of the filter that is
  /// probably met by the fewest accounts.
  var ranges: [SearchRange] {
    if isDeletionScheduled == true { return [SearchRange(source: .scheduled)] }
    if isDisabled == true { return [SearchRange(source: .disabled)] }
    if hasSecondFactor == true { return [SearchRange(source: .secondFactors)] }
    if created.from != nil { return [SearchRange(source: .createdAt, times: created)] }
    if claim != nil { return [SearchRange(source: .claims)] }
    if isEmailVerified == false { return [SearchRange(source: .unverified)] }
    if let ranges = providerRanges { return ranges }
    // The order in which most accounts are stored: an examined one costs a tenth of one in the order of
    // the ids.
    return [SearchRange(source: .createdAt, times: created)]
  }

  /// Nil if no index has the accounts of one of the providers.
  private var providerRanges: [SearchRange]? {
    guard !providers.isEmpty,
      !providers.contains(where: { [.password, .custom, .anonymous].contains($0) })
    else { return nil }
    var ranges: [SearchRange] = []
    if providers.contains(.phone) { ranges.append(SearchRange(source: .phoneNumber)) }
    if providers.contains(.passkey) { ranges.append(SearchRange(source: .passkeys)) }
    let names = Set(providers).subtracting([.phone, .passkey]).map(\.text)
    return ranges + SearchRange.subjects(beginningWith: "", at: names)
  }

  /// The values, as a text that differs for different filters.
  var values: [String?] {
    let flags = [isDisabled, isEmailVerified, hasSecondFactor, isDeletionScheduled]
    let times = [created.from, created.before, lastLogin.from, lastLogin.before]
    return flags.map { $0.map { "\($0)" } } + times.map { $0.map { "\($0.milliseconds)" } }
      + [claim?.name, claim?.value.text(sortedKeys: true)] + providers.map(\.text)
  }
}

extension SearchRange {
  /// Sorted by the providers' names, so that a search can continue if there is another one.
  static func subjects(beginningWith text: String, at providers: [String]) -> [SearchRange] {
    providers.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map {
      SearchRange(source: .subject, provider: $0, beginning: text)
    }
  }
}
