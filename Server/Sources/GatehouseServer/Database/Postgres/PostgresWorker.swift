import Foundation

/// An operation, and how long it may wait and take. An operation of a command has no time limit.
struct PostgresJob: Sendable {
  let operation: StoreOperation
  let mode: PostgresTransactionMode
  /// The time until which the operation must have its first connection. Nil: no limit.
  let beginning: ContinuousClock.Instant?
  /// The time until which the caller must have a result or an error. Nil: no limit.
  let end: ContinuousClock.Instant?

  static let tooLate = StoreError.unavailable("the operation waited too long for the database")

  init(operation: StoreOperation, mode: PostgresTransactionMode, _ address: PostgresAddress) {
    self.operation = operation
    self.mode = mode
    beginning = address.statementSeconds == nil ? nil : address.deadline
    end = address.end.map { $0 + .seconds(address.waitSeconds) }
  }

  func isLate(at now: ContinuousClock.Instant) -> Bool { beginning.map { $0 <= now } ?? false }
}

/// One thread's work: takes an operation, and runs it in a transaction of its own.
struct PostgresWorker: Sendable {
  let address: PostgresAddress
  let jobs: JobQueue<PostgresJob>
  let sealing: any SecretSealing
  let shared: PostgresShared
  let primary: PostgresPrimary
  let admission: PostgresAdmission

  /// How often an operation that can't be serialized is attempted. An abort usually means that another
  /// operation has succeeded.
  private static let maximumAttempts = 20
  /// The attempts beside other operations. Later ones conflict only with those of other servers.
  private static let attemptsBesideOthers = 5
  private static let greatestPauseSeconds = 0.05
  /// The pause between two attempts to connect.
  private static let reconnectPauseSeconds = 0.1

  /// Runs until the queue is closed and empty.
  ///
  /// An operation stays in the queue until it is admitted. So operations are taken in their
  /// order, and refused when it is too late.
  func run() {
    var connection: PostgresConnection?
    while true {
      admission.enter()
      defer { admission.leave() }
      guard let job = jobs.take(atMost: 1)?.first else { return }
      admission.begin()
      defer { admission.end() }
      do {
        try perform(job, on: &connection)()
      } catch {
        job.operation.refuse(error as? StoreError ?? .unavailable("\(error)"))
      }
    }
  }

  /// - Returns: A function that tells the caller the result, which is durable.
  private func perform(
    _ job: PostgresJob, on connection: inout PostgresConnection?
  ) throws -> () -> Void {
    var savesEachStatement = false
    var conflicts = 0
    var losses = 0
    // The time from which no further attempt begins. At first it is the time until which the
    // operation must have a connection.
    var limit = job.beginning
    // The time until which another connection must have replaced a lost one. Further losses don't
    // change it: a pooler accepts connections also while it has no server, and then each attempt
    // loses its connection.
    var replacement: ContinuousClock.Instant?
    /// The operation may have run for long. So it waits as long again as for its first connection, but
    /// never beyond the end of its caller's patience.
    func waitForReplacement() {
      let end = replacement ?? job.end.map { min($0, address.deadline) } ?? address.deadline
      replacement = end
      limit = end
    }
    while true {
      if let limit, ContinuousClock.now >= limit { throw primary.refusal ?? PostgresJob.tooLate }
      let open = try connect(&connection, until: limit ?? address.deadline)
      let end = [address.end, job.end].compactMap(\.self).min()
      open.begin(
        job.mode, savesEachStatement: savesEachStatement, until: end, demanding: primary.walPrefix)
      do {
        if let answer = try run(job, on: open) {
          admission.noteSuccess()
          primary.noteAnswer()
          return answer
        }
        savesEachStatement = true
        limit = job.end
        continue
      } catch {
        guard let failure = open.failure else {
          connection = nil
          throw error
        }
        if failure.isOfAnotherTimeline {
          waitForReplacement()
          do {
            try open.rollBack()
            try primary.review(open, until: address.deadline)
          } catch {
            if open.failure?.lostPreparedStatements == true { shared.stopPreparing() }
            // Perhaps another host of the URL is the right primary.
            connection = nil
            Thread.sleep(forTimeInterval: Self.reconnectPauseSeconds)
          }
          continue
        }
        if failure.isConnectionLost || failure.needsAnotherConnection {
          let isUnknown =
            failure.isConnectionLost && open.state == .committing && job.mode == .write
          connection = nil
          primary.noteLoss()
          if isUnknown {
            throw StoreError.uncertain(
              "the connection to PostgreSQL was lost during a commit: it isn't known whether the "
                + "change was made")
          }
          waitForReplacement()
          losses += 1
          // After the first loss another connection probably works. After a failover it takes a
          // while.
          if losses > 1 { Thread.sleep(forTimeInterval: Self.reconnectPauseSeconds) }
          continue
        }
        do {
          try open.rollBack()
        } catch {
          connection = nil
        }
        if failure.lostPreparedStatements {
          shared.stopPreparing()
          connection = nil
          waitForReplacement()
          continue
        }
        guard failure.isTransient else { throw error }
        admission.noteAbort()
        conflicts += 1
        guard conflicts < Self.maximumAttempts else { throw error }
        limit = job.end
        if conflicts == Self.attemptsBesideOthers {
          // While this operation pauses, the others would wait for it.
          admission.waitForOthers()
          continue
        }
        let longest = min(Self.greatestPauseSeconds, 0.001 * Double(1 << min(conflicts, 10)))
        Thread.sleep(forTimeInterval: Double.random(in: 0...longest))
      }
    }
  }

  private func connect(
    _ connection: inout PostgresConnection?, until deadline: ContinuousClock.Instant
  ) throws -> PostgresConnection {
    if let connection, connection.isUsable { return connection }
    connection = nil
    while true {
      do {
        let new = try PostgresConnection(address, shared: shared)
        connection = new
        return new
      } catch {
        primary.noteLoss()
        guard ContinuousClock.now < deadline, !jobs.isClosed else { throw error }
        Thread.sleep(forTimeInterval: Self.reconnectPauseSeconds)
      }
    }
  }

  /// - Returns: Nil if a statement that was sent together with others violated a constraint. The
  ///   operation must then run again with each statement by itself, because it may handle the
  ///   error.
  private func run(
    _ job: PostgresJob, on connection: PostgresConnection
  ) throws -> (() -> Void)? {
    let transaction = Transaction(connection, sealing: sealing)
    let outcome = job.operation.run(transaction)
    if connection.hadConflict, !connection.savesEachStatement {
      try connection.rollBack()
      return nil
    }
    // After a failed statement, the outcome is not valid.
    if let failure = connection.failure, !failure.isConflict { throw failure.storeError }
    if outcome.failure is StoreError {
      try connection.rollBack()
      return outcome.answer
    }
    if outcome.failure != nil { try connection.undoOperation() }
    if case .read = job.mode {
      connection.endReading()
      return outcome.answer
    }
    // Commit also after an error of the domain: only a commit shows that what the operation read
    // was consistent.
    do {
      try connection.commit()
    } catch StoreError.conflict where !connection.savesEachStatement {
      try connection.rollBack()
      return nil
    }
    return outcome.answer
  }
}
