/// Where accounts live. Everything inside one ``write(_:)`` happens or nothing does.
///
/// Databases differ behind this and behave alike: `StorageTests` is one suite that every
/// implementation passes.
package protocol Store: Sendable {
  /// Runs `body` in a transaction and answers when its effects are durable: they survive `kill -9`
  /// and a power cut.
  ///
  /// - `body` may run more than once (a database may refuse a serialization), so it has no effect
  ///   beyond the transaction. It runs on a thread of the store's and must not block.
  /// - An error that `body` throws undoes its changes and is thrown here as it is.
  /// - Transactions are serializable: a rule that reads and then writes needs no lock of its own.
  func write<Result: Sendable>(
    _ body: @escaping @Sendable (any StoreTransaction) throws -> Result
  ) async throws -> Result

  /// Runs `body` on one consistent snapshot. Throws ``StoreError/readOnly`` if it tries to write.
  func read<Result: Sendable>(
    _ body: @escaping @Sendable (any StoreTransaction) throws -> Result
  ) async throws -> Result

  /// A number that grows whenever a project, provider, API key, administrator's key, service account
  /// or signing key changes, by whichever process. Cheap: asked every second.
  func changeCounter() async throws -> Int64

  /// Waits for writes under way and closes. Afterwards every call throws ``StoreError/closed``.
  func close() async
}

/// One transaction's view of the records.
package protocol StoreTransaction: Undoing, AccountRecords, SessionRecords, OneTimeRecords,
  ActionCodeRecords, ProjectRecords, AppRecords, AndroidAppRecords, ProviderRecords, KeyRecords,
  AdminKeyRecords,
  ServiceAccountRecords, ConsentRecords, ServerRecords, AttemptRecords, PasswordKeyRecords,
  PhoneVerificationRecords, CodeWebhookRecords
{}

/// A part of a transaction that can fail by itself.
package protocol Undoing {
  /// Runs `body`. An error that it throws undoes what it wrote, and is answered: what the
  /// transaction wrote before stays.
  ///
  /// - Throws: ``StoreError``, also where `body` threw one: then nothing of the transaction may stay.
  func attempt<Value>(_ body: () throws -> Value) throws -> Result<Value, any Error>
}

/// What a store refuses by itself.
package enum StoreError: Error, Hashable, Sendable {
  /// A uniqueness rule: the identity, email address, phone number or name is taken.
  case conflict(Unique)
  case readOnly
  case closed
  /// The disk is full or failing, or another process holds the database: nothing was written.
  case unavailable(String)
  /// What is stored can't be read: damaged, or sealed under another master key.
  case damaged(String)

  package enum Unique: String, Hashable, Sendable {
    case uid, email, phoneNumber, identity, project, apiKey, provider, serviceAccount, other
  }
}

extension StoreError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .conflict(let unique): "the \(unique.rawValue) is taken"
    case .readOnly: "the transaction only reads"
    case .closed: "the database is closed"
    case .unavailable(let detail), .damaged(let detail): detail
    }
  }
}
