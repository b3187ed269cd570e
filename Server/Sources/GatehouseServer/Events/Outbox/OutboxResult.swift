/// The result of one attempt.
enum OutboxResult: Sendable {
  /// The work is done. The closure runs in the transaction that removes the entry. Its parameter is false
  /// if the entry had been deleted meanwhile, by an operator or because its work became pointless.
  case done(@Sendable (Transaction, _ isQueued: Bool) throws -> Void)
  /// The closure is the work. It runs in the transaction that removes the entry, and only if the entry still
  /// belongs to this attempt: a later attempt may have done the work already.
  case work(@Sendable (Transaction) throws -> Void)
  /// It may succeed later. The reason is for operators and contains no secret.
  case retry(String)
  /// It can't succeed.
  case failed(String)

  static let done = OutboxResult.done { _, _ in }
}
