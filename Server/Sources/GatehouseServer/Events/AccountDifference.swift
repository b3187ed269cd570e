import GatehouseProtocol
import GatehouseTokens

/// The events of a change of an account: the difference between its state before and after.
struct AccountDifference {
  struct Item: Hashable {
    var kind: EventKind
    var details: [String: String] = [:]
  }

  /// The name of the detail that contains the provider of an identity. A phone number counts as the
  /// identity of the provider `phone`, as in the protocol.
  static let provider = "provider"

  /// Identities and phone number come first, then email and password, then the rest.
  let items: [Item]

  /// - Parameter before: Nil for a new account.
  init(from before: Account?, to after: Account) {
    guard let before else {
      items = [Item(kind: .accountCreated, details: Self.methods(of: after))]
      return
    }
    items =
      Self.identities(before, after) + Self.addresses(before, after)
      + Self.secondFactors(before, after) + Self.states(before, after)
  }

  private static func methods(of account: Account) -> [String: String] {
    var providers = account.identities.map(\.provider.text)
    if account.phoneNumber != nil { providers.append(ProviderID.phone.text) }
    if account.password != nil { providers.append(ProviderID.password.text) }
    if account.passkeys.all > 0 { providers.append(ProviderID.passkey.text) }
    return providers.isEmpty ? [:] : [provider: providers.joined(separator: " ")]
  }

  private static func identities(_ before: Account, _ after: Account) -> [Item] {
    let old = before.identities.map { ($0.provider, $0.subject) }
    let new = after.identities.map { ($0.provider, $0.subject) }
    let added = new.filter { identity in !old.contains { $0 == identity } }.map(\.0)
    let removed = old.filter { identity in !new.contains { $0 == identity } }.map(\.0)
    var items = added.map { Item(kind: .linked, details: [provider: $0.text]) }
    items += removed.map { Item(kind: .unlinked, details: [provider: $0.text]) }
    let phone = [provider: ProviderID.phone.text]
    if before.phoneNumber != after.phoneNumber {
      if before.phoneNumber != nil { items.append(Item(kind: .unlinked, details: phone)) }
      if after.phoneNumber != nil { items.append(Item(kind: .linked, details: phone)) }
    }
    if before.passkeys.all < after.passkeys.all { items.append(Item(kind: .passkeyAdded)) }
    if before.passkeys.all > after.passkeys.all { items.append(Item(kind: .passkeyRemoved)) }
    return items
  }

  private static func addresses(_ before: Account, _ after: Account) -> [Item] {
    var items: [Item] = []
    if before.email?.text != after.email?.text { items.append(Item(kind: .emailChanged)) }
    if after.isEmailVerified, !before.isEmailVerified || before.email?.text != after.email?.text {
      items.append(Item(kind: .emailVerified))
    }
    if before.password != after.password {
      items.append(
        Item(kind: .passwordChanged, details: after.password == nil ? ["removed": "true"] : [:]))
    }
    return items
  }

  private static func secondFactors(_ before: Account, _ after: Account) -> [Item] {
    let old = before.secondFactors?.factors ?? []
    let new = after.secondFactors?.factors ?? []
    let items = { (kind: EventKind, factors: [SecondFactor], others: [SecondFactor]) in
      factors.filter { factor in !others.contains { $0.id == factor.id } }.map {
        Item(kind: kind, details: ["factor": $0.method.rawValue])
      }
    }
    return items(.secondFactorAdded, new, old) + items(.secondFactorRemoved, old, new)
  }

  private static func states(_ before: Account, _ after: Account) -> [Item] {
    var items: [Item] = []
    if before.displayName != after.displayName || before.photoURL != after.photoURL {
      items.append(Item(kind: .profileChanged))
    }
    if before.customClaims?.jsonText != after.customClaims?.jsonText {
      items.append(Item(kind: .claimsChanged))
    }
    if before.isDisabled != after.isDisabled {
      items.append(Item(kind: after.isDisabled ? .disabled : .enabled))
    }
    switch (before.deletionScheduledFor, after.deletionScheduledFor) {
    case (nil, .some): items.append(Item(kind: .deletionScheduled))
    case (.some, nil): items.append(Item(kind: .deletionCancelled))
    default: break
    }
    return items
  }
}
