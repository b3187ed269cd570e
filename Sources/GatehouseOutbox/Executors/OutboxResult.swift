import GatehouseAccounts

/// The result of one attempt.
enum OutboxResult: Sendable {
  /// The work is done. The closure runs in the transaction that removes the entry.
  case done(@Sendable (any StoreTransaction) throws -> Void)
  /// It may succeed later. The reason is for operators and contains no secret.
  case retry(String)
  /// It can't succeed.
  case failed(String)

  static let done = OutboxResult.done { _ in }
}
