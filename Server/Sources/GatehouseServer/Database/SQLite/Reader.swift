import GRDB

/// A thread that reads. Operations that waited together share one snapshot, which is taken after
/// the last of them arrived.
struct Reader: Sendable {
  let connection: DatabaseQueue
  let jobs: JobQueue<StoreOperation>
  let sealing: any SecretSealing
  let damage: DamageMark

  /// Small, so that a long listing delays few others.
  static let greatestBatch = 16

  /// Runs until the queue is closed and empty, then closes the connection.
  func run() {
    while let batch = jobs.take(atMost: Self.greatestBatch) {
      do {
        let answers = try connection.unsafeRead {
          try read(batch, on: Connection($0, damage: damage))
        }
        for answer in answers { answer() }
      } catch {
        let refusal = StoreError.of(error)
        for operation in batch { operation.refuse(refusal) }
      }
    }
    try? connection.close()
  }

  private func read(_ batch: [StoreOperation], on connection: Connection) throws -> [() -> Void] {
    try connection.run(TransactionSQL.beginReading)
    defer {
      if connection.isInTransaction { try? connection.run(TransactionSQL.rollback) }
    }
    let transaction = Transaction(connection, sealing: sealing)
    return batch.map { $0.run(transaction).answer }
  }
}
