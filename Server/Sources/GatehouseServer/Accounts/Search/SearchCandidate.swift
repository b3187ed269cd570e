import Foundation
import GatehouseProtocol

/// An account that a search examines, with as much of it as the search needs.
struct SearchCandidate {
  let key: Int64
  let uid: String
  let email: String?
  let phoneNumber: String?
  let isEmailVerified: Bool
  let hasPassword: Bool
  let customClaims: String?
  let isDisabled: Bool
  let isCustom: Bool
  let createdAt: Date
  let lastLoginAt: Date?
  let hasPasskeys: Bool
  /// Whether the account has, or had, second factors.
  let hasSecondFactors: Bool
  let isScheduled: Bool
  /// The value of the source's column by which the account was found.
  let value: SQLValue
  /// Empty if they weren't needed.
  var terms: [String] = []
  var identities: [(provider: String, subject: String)] = []

  init(_ row: SQLRow, from source: SearchSource) throws {
    typealias Column = SearchColumn
    key = row.integer(Column.key)
    uid = try row.text(Column.uid)
    email = try row.optionalText(Column.email)
    phoneNumber = try row.optionalText(Column.phoneNumber)
    isEmailVerified = row.flag(Column.isEmailVerified)
    hasPassword =
      email != nil && (row.flag(Column.hasPassword) || row.flag(Column.hasEmailLink))
    customClaims = try row.optionalText(Column.customClaims)
    isDisabled = row.flag(Column.isDisabled)
    isCustom = row.flag(Column.isCustom)
    createdAt = row.time(Column.createdAt)
    lastLoginAt = row.optionalTime(Column.lastLoginAt)
    hasPasskeys = row.integer(Column.passkeyCount) > 0
    hasSecondFactors = row.flag(Column.hasSecondFactors)
    isScheduled = row.flag(Column.isScheduled)
    value =
      source == .createdAt
      ? .integer(row.integer(Column.value)) : .text(try row.text(Column.value))
  }

  /// See ``Account/isAnonymous``. Needs ``identities``.
  var isAnonymous: Bool {
    email == nil && phoneNumber == nil && !hasPassword && identities.isEmpty && !isCustom
      && !hasPasskeys
  }

  func hasTerm(beginningWith text: String) -> Bool { terms.contains { $0.begins(with: text) } }

  /// Whether the account's address, another of its addresses or one of its words begins with the text.
  func hasAddress(beginningWith text: String) -> Bool {
    email?.begins(with: text) ?? false || hasTerm(beginningWith: text)
  }
}

/// A part of a source, in which a search looks for accounts.
struct SearchRange {
  let source: SearchSource
  /// Only of ``SearchSource/subject``.
  var provider: String?
  /// What the values of the source's column begin with.
  var beginning = ""
  /// Only of ``SearchSource/createdAt``: the first time, and that before which the range ends.
  var times: (from: Date?, before: Date?) = (nil, nil)

  /// Before the first value.
  var start: SQLValue {
    source == .createdAt
      ? .integer(times.from?.milliseconds ?? .min) : .text(beginning)
  }

  var end: SQLValue {
    source == .createdAt
      ? .integer(times.before?.milliseconds ?? .max)
      // The last scalar is no character.
      : .text(beginning + "\u{10FFFF}")
  }

  /// Whether the search meets the account in this range.
  func contains(_ candidate: SearchCandidate) -> Bool {
    switch source {
    case .uid: candidate.uid.begins(with: beginning)
    case .email: candidate.email?.begins(with: beginning) ?? false
    case .phoneNumber: candidate.phoneNumber?.begins(with: beginning) ?? false
    case .term: candidate.hasTerm(beginningWith: beginning)
    case .subject:
      candidate.identities.contains {
        $0.provider.hasSameBytes(as: provider ?? "") && $0.subject.begins(with: beginning)
      }
    case .passkeys: candidate.hasPasskeys
    case .createdAt, .disabled, .unverified, .secondFactors, .claims, .scheduled: true
    }
  }

  /// Whether the range has the account at this place only: of several terms that begin alike, the first
  /// one counts.
  func isFirstPlace(of candidate: SearchCandidate) -> Bool {
    guard source == .term, case .text(let value) = candidate.value else { return true }
    return !candidate.terms.contains {
      $0.begins(with: beginning) && $0.utf8.lexicographicallyPrecedes(value.utf8)
    }
  }
}

extension Transaction {
  /// At most `limit` accounts of the range, in the order of its source.
  ///
  /// - Parameter place: The value and the account's key after which the list begins.
  func candidates(
    _ range: SearchRange, after place: (value: SQLValue, key: Int64)?, limit: Int,
    withTerms: Bool, withIdentities: Bool, in project: Int64
  ) throws -> [SearchCandidate] {
    let values: [SQLValue] =
      [
        .integer(project), place?.value ?? range.start, .integer(place?.key ?? 0), range.end,
        .integer(Int64(limit)),
      ] + (range.provider.map { [.text($0)] } ?? [])
    let terms = withTerms ? SQLQuery(SearchSQL.terms(range.source), values) : nil
    let identities = withIdentities ? SQLQuery(SearchSQL.identities(range.source), values) : nil
    connection.expect([terms, identities].compactMap(\.self))
    var candidates = try connection.all(SearchSQL.candidates(range.source), values) {
      try SearchCandidate($0, from: range.source)
    }
    // An account may be met more than once, by several terms.
    let places = Dictionary(grouping: candidates.indices) { candidates[$0].key }
    if withTerms {
      let rows = try connection.all(SearchSQL.terms(range.source), values) {
        ($0.integer(0), try $0.text(1))
      }
      for (account, term) in rows {
        for index in places[account] ?? [] { candidates[index].terms.append(term) }
      }
    }
    if withIdentities {
      let rows = try connection.all(SearchSQL.identities(range.source), values) {
        ($0.integer(0), (provider: try $0.text(1), subject: try $0.text(2)))
      }
      for (account, identity) in rows {
        for index in places[account] ?? [] { candidates[index].identities.append(identity) }
      }
    }
    return candidates
  }

  /// How many accounts each of the lists of ranges has. Of each range at most `limit` are counted.
  ///
  /// - Parameter lists: Without ranges of subjects.
  func counts(_ lists: [[SearchRange]], limit: Int, in project: Int64) throws -> [Int] {
    let values = { (range: SearchRange) -> [SQLValue] in
      [.integer(project), range.start, .integer(0), range.end, .integer(Int64(limit))]
    }
    connection.expect(
      lists.joined().map { SQLQuery(SearchSQL.keys($0.source), values($0)) })
    return try lists.map { ranges in
      try ranges.reduce(0) { count, range in
        count
          + (try connection.all(SearchSQL.keys(range.source), values(range)) { _ in () }.count)
      }
    }
  }

  /// The providers that accounts of the project have identities of, by name; at most `limit`.
  func identityProviders(limit: Int, in project: Int64) throws -> [String] {
    var providers: [String] = []
    while providers.count < limit {
      let next = try connection.first(
        SearchSQL.nextProvider, .integer(project), .text(providers.last ?? "")
      ) { try $0.text(0) }
      guard let next else { break }
      providers.append(next)
    }
    return providers
  }
}
