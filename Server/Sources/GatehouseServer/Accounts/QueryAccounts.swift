import Foundation
import GatehouseProtocol

/// How a list of accounts is ordered.
package struct AccountOrder: Hashable, Sendable {
  package var key: Key = .uid
  package var isDescending = false

  package enum Key: Hashable, Sendable {
    case uid, displayName, createdAt, lastLoginAt, email
  }

  package init() {}
}

extension AccountsService {
  /// How many accounts the project has. The number is stored, so the cost doesn't depend on it.
  package func countAccounts(in project: Project) async throws -> Int {
    try await store.read { try $0.accountCount(in: project.id) }
  }

  /// Accounts of the project's list, from `offset` on.
  ///
  /// The order by ids uses an index. Any other order sorts in memory, and only for projects with at
  /// most ``AccountListLimits/sorted`` accounts. So the cost of a query is bounded for every project.
  ///
  /// - Parameters:
  ///   - offset: 0…``AccountListLimits/offset``, checked by the caller.
  ///   - limit: 1…``AccountListLimits/page``, checked by the caller.
  /// - Throws: ``AccountsError/tooManyToSort``.
  package func accounts(
    in order: AccountOrder, offset: Int, limit: Int, of project: Project
  ) async throws -> [Account] {
    try await store.read { transaction in
      if order.key == .uid {
        return try transaction.accounts(
          offset: offset, limit: limit, isDescending: order.isDescending, in: project.id)
      }
      let all = try transaction.accounts(
        after: nil, limit: AccountListLimits.sorted + 1, in: project.id)
      guard all.count <= AccountListLimits.sorted else { throw AccountsError.tooManyToSort }
      return Array(order.sorted(all).dropFirst(offset).prefix(limit))
    }
  }
}

package enum AccountListLimits {
  package static let page = 500
  package static let offset = 10_000
  package static let sorted = 1000
}

extension AccountOrder {
  /// Accounts without the value come first, or last in descending order. Accounts with equal values
  /// are ordered by their ids in both directions.
  ///
  /// - Parameter accounts: In the order of their ids.
  fileprivate func sorted(_ accounts: [Account]) -> [Account] {
    let precedes = { (left: Account, right: Account) in
      switch key {
      case .uid: Self.precedes(left.uid.text, right.uid.text)
      case .displayName: Self.precedes(left.displayName ?? "", right.displayName ?? "")
      case .email: Self.precedes(left.email?.text ?? "", right.email?.text ?? "")
      case .createdAt: left.createdAt < right.createdAt
      case .lastLoginAt:
        (left.lastLoginAt ?? .distantPast) < (right.lastLoginAt ?? .distantPast)
      }
    }
    // The sort is stable.
    return accounts.sorted { isDescending ? precedes($1, $0) : precedes($0, $1) }
  }

  private static func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }
}
