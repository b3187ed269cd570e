import GatehouseProtocol

/// What an administrator searches for.
package struct AccountSearch: Sendable {
  /// Nil: every account.
  package var query: SearchQuery?
  package var filter: AccountFilter

  package init(query: SearchQuery? = nil, filter: AccountFilter = AccountFilter()) {
    self.query = query
    self.filter = filter
  }
}

package struct AccountSearchPage: Sendable {
  package var accounts: [Account]
  /// Where the next page begins. Nil: this is the last one. A page with a token may have few accounts,
  /// or none (AIP-158).
  package var nextPageToken: String?
}

package enum SearchLimits {
  package static let page = 100
  package static let defaultPage = 20
  /// How many accounts a search examines for one page. So the time of a page is bounded, whatever the
  /// number of accounts is.
  static let examined = 3000
  /// The same with a query: the words of each account are read too.
  static let compared = 1500
  /// How many are read at once, at most.
  static let portion = 1000
  /// How far the accounts of a range are counted, to find out which word has the fewest.
  static let counted = 1000
  /// How many providers' subjects are compared.
  static let providers = 64
}

extension AccountsService {
  /// A page of the accounts that a search finds, in the order of the index in which they are found.
  ///
  /// An account is returned once, and the order of the accounts between pages doesn't change. An account
  /// that appears or disappears meanwhile, or whose name or address changes, may be missing.
  ///
  /// - Parameters:
  ///   - pageSize: 1…``SearchLimits/page``, checked by the caller.
  ///   - token: ``AccountSearchPage/nextPageToken`` of the same search in the same project.
  /// - Throws: ``SearchTokenError`` for any other token.
  package func accounts(
    matching search: AccountSearch, pageSize: Int, after token: String? = nil,
    in project: Project
  ) async throws -> AccountSearchPage {
    let binding = SearchPosition.Binding(search, in: project.id)
    let position = try token.map { try SearchPosition($0, of: binding) }
    let page = try await store.read { transaction -> (accounts: [Account], next: SearchPosition?) in
      guard let key = try transaction.key(of: project.id) else { return ([], nil) }
      var run = try SearchRun(
        search, from: position, pageSize: pageSize, in: (project.id, key), transaction)
      return try run.page()
    }
    return AccountSearchPage(
      accounts: page.accounts, nextPageToken: page.next.map { $0.token(of: binding) })
  }
}

/// The search for one page.
private struct SearchRun {
  private let search: AccountSearch
  private let pageSize: Int
  private let project: (id: ProjectID, key: Int64)
  private let transaction: Transaction
  /// The part of the query, and its word, by which accounts are found. The others are compared.
  private let choice: SearchPosition.Choice
  private let ranges: [SearchRange]
  private let comparesSubjects: Bool
  /// Where the page begins: a range, and a place in it.
  private let first: (range: Int, place: (value: SQLValue, key: Int64)?)

  /// How many more accounts may be examined.
  private var rest: Int
  private var found: [Account] = []

  init(
    _ search: AccountSearch, from position: SearchPosition?, pageSize: Int,
    in project: (id: ProjectID, key: Int64), _ transaction: Transaction
  ) throws {
    self.search = search
    self.pageSize = pageSize
    self.project = project
    self.transaction = transaction
    rest = search.query == nil ? SearchLimits.examined : SearchLimits.compared
    guard let query = search.query else {
      choice = SearchPosition.Choice()
      ranges = search.filter.ranges
      comparesSubjects = false
      first = try position?.place(in: ranges) ?? (0, nil)
      return
    }
    comparesSubjects = query.parts.count == 1
    choice = try position?.choice ?? Self.choice(for: query, in: project.key, transaction)
    guard query.parts.indices.contains(choice.part) else { throw SearchTokenError() }
    let part = query.parts[choice.part]
    let subjects =
      comparesSubjects
      ? SearchRange.subjects(
        beginningWith: part.text,
        at: try transaction.identityProviders(limit: SearchLimits.providers, in: project.key))
      : []
    ranges = part.ranges(word: choice.word) + subjects
    first = try position?.place(in: ranges) ?? (0, nil)
  }

  /// The part and the word with the fewest accounts.
  private static func choice(
    for query: SearchQuery, in project: Int64, _ transaction: Transaction
  ) throws -> SearchPosition.Choice {
    let choices = query.parts.indices.flatMap { part in
      (0..<max(1, query.parts[part].words.count)).map {
        SearchPosition.Choice(part: part, word: $0)
      }
    }
    guard choices.count > 1 else { return SearchPosition.Choice() }
    let counts = try transaction.counts(
      choices.map { query.parts[$0.part].ranges(word: $0.word) }, limit: SearchLimits.counted,
      in: project)
    return zip(choices, counts).min { $0.1 < $1.1 }?.0 ?? SearchPosition.Choice()
  }

  mutating func page() throws -> (accounts: [Account], next: SearchPosition?) {
    var portion = pageSize + 1
    for index in ranges.indices.dropFirst(first.range) {
      var place = index == first.range ? first.place : nil
      while true {
        guard rest > 0 else { return (found, position(index, place)) }
        let limit = min(portion, rest)
        let candidates = try transaction.candidates(
          ranges[index], after: place, limit: limit, withTerms: search.query != nil,
          withIdentities: comparesSubjects || search.filter.needsIdentities, in: project.key)
        // An empty range costs time too.
        rest -= max(1, candidates.count)
        let isEnd = candidates.count < limit
        if let last = try add(candidates.filter { isFound($0, in: index) }) {
          let isAll =
            isEnd && last.key == candidates.last?.key && index == ranges.indices.last
          return (found, isAll ? nil : position(index, (last.value, last.key)))
        }
        guard !isEnd, let last = candidates.last else { break }
        place = (last.value, last.key)
        portion = min(portion * 4, SearchLimits.portion)
      }
    }
    return (found, nil)
  }

  /// Whether the search finds the account, and not already in an earlier range.
  private func isFound(_ candidate: SearchCandidate, in index: Int) -> Bool {
    guard search.filter.matches(candidate), ranges[index].isFirstPlace(of: candidate) else {
      return false
    }
    let isMatch =
      search.query?.parts.allSatisfy {
        $0.matches(candidate, comparesSubjects: comparesSubjects)
      } ?? true
    return isMatch && !ranges[..<index].contains { $0.contains(candidate) }
  }

  /// Reads the accounts and adds them to the page.
  ///
  /// - Returns: The last candidate that was read, if the page is full.
  private mutating func add(_ candidates: [SearchCandidate]) throws -> SearchCandidate? {
    var rest = candidates[...]
    while !rest.isEmpty {
      let portion = rest.prefix(pageSize - found.count)
      rest = rest.dropFirst(portion.count)
      found += try transaction.accounts(keys: portion.map(\.key), in: project.id).filter {
        search.filter.matches($0)
      }
      if found.count >= pageSize { return portion.last }
    }
    return nil
  }

  private func position(
    _ range: Int, _ place: (value: SQLValue, key: Int64)?
  ) -> SearchPosition {
    SearchPosition(choice, ranges, range, place)
  }
}

extension SearchQuery.Part {
  /// The ranges that contain every account in which the part is found, except those that have only a
  /// subject of it.
  ///
  /// - Parameter word: Which of ``words`` the accounts are found by. Any other number is as the first.
  func ranges(word index: Int) -> [SearchRange] {
    let word = words.indices.contains(index) ? words[index] : words.first
    let beginnings =
      addresses
      + [word].compactMap(\.self).filter { word in
        !addresses.contains { word.begins(with: $0) }
      }
    let terms =
      beginnings + (words.isEmpty || !isAddress ? [domain].compactMap(\.self) : [])
      + [number?.end].compactMap(\.self)
    return [SearchRange(source: .uid, beginning: text)]
      + beginnings.map { SearchRange(source: .email, beginning: $0) }
      + (number.map { [SearchRange(source: .phoneNumber, beginning: $0.beginning)] } ?? [])
      + terms.map { SearchRange(source: .term, beginning: $0) }
  }
}
