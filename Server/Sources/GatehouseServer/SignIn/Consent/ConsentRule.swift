import Foundation
package import GatehouseProtocol

/// Decides what a change joins in an account, and whether the user's consent is needed first. No other
/// code decides this. The rule compares the account before and after the change, so it is the same for
/// every kind of change.
///
/// Apple requires "obtaining any required user consent before you associate any directly identifying
/// personal information with an anonymized Apple ID". Such information is an email address, a phone
/// number, or a social identity that isn't anonymized. The requirement applies in either direction.
/// Source: Firebase, "Authenticate Using Apple" (comply with Apple anonymized data requirements).
enum ConsentRule {
  /// - Returns: The parts that would be joined, in the account's order; empty if no consent is
  ///   needed.
  static func joins(
    from before: Account, to after: Account, under policy: LinkConsent
  ) -> [AccountPart] {
    let parts = after.contents(since: before).map { (content: $0, isNew: !before.has($0)) }
    let (new, old) = (parts.filter(\.isNew), parts.filter { !$0.isNew })
    guard !new.isEmpty, !old.isEmpty else { return [] }
    let joined: [(content: AccountContent, isNew: Bool)]
    switch policy {
    case .off: return []
    case .always: joined = parts
    case .anonymized:
      let isAnonymizedNew = new.contains { $0.content.nature == .anonymized }
      joined = parts.filter { content, isNew in
        switch content.nature {
        case .anonymized: true
        case .identifying: isNew || isAnonymizedNew
        case .neutral: false
        }
      }
      let natures = Set(joined.map(\.content.nature))
      guard natures == [.anonymized, .identifying] else { return [] }
    }
    return joined.map(\.content.part)
  }
}

/// A part of an account, and how far it identifies the user.
private struct AccountContent {
  let part: AccountPart
  let nature: Nature
  /// Distinguishes another address, number or subject from the one before.
  let value: String

  enum Nature {
    /// A provider's identity behind a private relay address.
    case anonymized
    case identifying
    /// The sign-in with custom tokens: the project's own back end defines who the user is.
    case neutral
  }
}

extension Account {
  /// Identities in the order in which they were linked, then the email and phone number that no
  /// identity brought.
  fileprivate func contents(since before: Account) -> [AccountContent] {
    var contents = identities.map { identity in
      AccountContent(
        part: .identity(identity.provider),
        nature: identity.isPrivateEmail == true ? .anonymized : .identifying,
        value: identity.subject.text)
    }
    if isCustom {
      contents.append(AccountContent(part: .identity(.custom), nature: .neutral, value: ""))
    }
    if let email, !isCarried(email, since: before) {
      contents.append(AccountContent(part: .email, nature: .identifying, value: email.text))
    }
    for number in phoneNumbers {
      contents.append(AccountContent(part: .phone, nature: .identifying, value: number))
    }
    return contents
  }

  /// The account's own number, and those of its second factors.
  private var phoneNumbers: [String] {
    let factors = (secondFactors?.factors ?? []).compactMap { factor -> String? in
      if case .phone(let number) = factor.kind { number.text } else { nil }
    }
    guard let phoneNumber else { return factors }
    return [phoneNumber] + factors.filter { !$0.hasSameBytes(as: phoneNumber) }
  }

  /// Whether the address came with one of the identities, and so isn't a part of its own. An identity
  /// must have the address, and one of these must be true: it is a relay address; the change adds the
  /// address; the account had the identity before the change.
  private func isCarried(_ email: EmailAddress, since before: Account) -> Bool {
    identities.contains { identity in
      identity.email == email
        && (identity.isPrivateEmail == true || before.email != email
          || before.identity(of: identity.provider)?.subject == identity.subject)
    }
  }

  fileprivate func has(_ content: AccountContent) -> Bool {
    switch content.part {
    case .email: email?.text.utf8.elementsEqual(content.value.utf8) == true
    case .phone: phoneNumbers.containsBytes(of: content.value)
    case .identity(.custom): isCustom
    case .identity(let provider):
      identity(of: provider)?.subject.text.utf8.elementsEqual(content.value.utf8) == true
    }
  }
}

extension Transaction {
  /// Stores the consent that a change of the account needs, if it needs one.
  ///
  /// Call it before the account is saved, so that a rejected change writes nothing. Don't call it for
  /// an administrator's change: no user is present to be asked, and the project's own back end is
  /// responsible for what it joins.
  ///
  /// - Throws: ``AccountsError/consentRequired(_:)`` if `given` isn't enough.
  func keepConsent(
    _ given: GivenConsent?, from before: Account, to after: Account, in project: Project, now: Date
  ) throws {
    let joins = ConsentRule.joins(from: before, to: after, under: project.policies.linkConsent)
    guard !joins.isEmpty else { return }
    guard let given, given.covers(joins) else { throw AccountsError.consentRequired(joins) }
    try record(
      Consent(version: given.version, joins: joins, givenAt: now), of: after.uid, in: project.id)
  }
}

extension AccountsService {
  /// The stored consents of accounts, oldest first; accounts without one are omitted.
  package func consents(
    of uids: [UID], in project: Project
  ) async throws -> [UID: [Consent]] {
    try await store.read { transaction in
      var found: [UID: [Consent]] = [:]
      for uid in uids {
        let consents = try transaction.consents(of: uid, in: project.id)
        if !consents.isEmpty { found[uid] = consents }
      }
      return found
    }
  }
}
