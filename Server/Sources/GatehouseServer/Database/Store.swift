package import Foundation

/// Stores all records. Either all changes inside one ``write(_:)`` are made, or none.
///
/// All databases behind this protocol must behave alike: `DatabaseTests` is one suite that every
/// implementation passes.
package protocol Store: Sendable {
  /// Runs `body` in a transaction and returns when its effects are durable: they survive `kill -9`
  /// and a power cut.
  ///
  /// - `body` may run more than once, because a database may fail to serialize a transaction. So it
  ///   must have no effect outside the transaction. It runs on a thread of the store and must not
  ///   block.
  /// - If `body` throws an error, its changes are undone and the same error is thrown here.
  /// - Transactions are serializable: a rule that reads and then writes needs no lock of its own.
  func write<Result: Sendable>(
    _ body: @escaping @Sendable (Transaction) throws -> Result
  ) async throws -> Result

  /// Runs `body` on one consistent snapshot. Throws ``StoreError/readOnly`` if it tries to write.
  func read<Result: Sendable>(
    _ body: @escaping @Sendable (Transaction) throws -> Result
  ) async throws -> Result

  /// A number that increases whenever any process changes a setting: a project, app, provider, key,
  /// service account, hook, email template or webhook for codes. Reading it must be cheap: a server
  /// does so ten times a second.
  func changeCounter() async throws -> Int64

  /// The time of the database's own clock; nil if this machine's clock is its clock.
  func databaseTime() async throws -> Date?

  /// Why an operator must act before the database can be used: an operation has met a damage, or the primary
  /// lacks what was committed before. Other operations may succeed nevertheless. Nil if nothing is known.
  var fault: StoreError? { get }

  /// Since when no operation has reached a database that servers on other machines use too: perhaps they reach
  /// it. Nil if the last operation has reached it.
  var unreachableSince: ContinuousClock.Instant? { get }

  /// Waits for pending writes and closes. Afterwards every call throws ``StoreError/closed``.
  func close() async
}

extension Store {
  package func databaseTime() async throws -> Date? { nil }
  package var fault: StoreError? { nil }
  package var unreachableSince: ContinuousClock.Instant? { nil }
}

/// The errors of a store.
package enum StoreError: Error, Hashable, Sendable {
  /// A uniqueness rule: the identity, email address, phone number or name is taken.
  case conflict(Unique)
  case readOnly
  case closed
  /// A text to be stored contains the character U+0000, which PostgreSQL can't store. A read with such a
  /// text finds nothing.
  case zeroCharacter
  /// The database can't run the transaction: for example, the disk is full, another process holds the
  /// database, or PostgreSQL can't be reached. Nothing was written.
  case unavailable(String)
  /// The connection to the database was lost during the commit. It isn't known whether the transaction was
  /// committed.
  case uncertain(String)
  /// Stored data can't be read: it is damaged, or encrypted under another master key.
  case damaged(String)

  package enum Unique: String, Hashable, Sendable {
    case uid, email, phoneNumber, identity, project, apiKey, provider, serviceAccount, other
  }
}

extension StoreError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .conflict(let unique): "the \(unique.rawValue) is taken"
    case .readOnly: "the transaction is read-only"
    case .closed: "the database is closed"
    case .zeroCharacter: "a text contains the character U+0000"
    case .unavailable(let detail), .uncertain(let detail), .damaged(let detail): detail
    }
  }
}
