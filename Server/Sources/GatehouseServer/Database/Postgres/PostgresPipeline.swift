import CPostgres
import Foundation

/// libpq's pipeline: statements that are sent together, and their results in the same order.
@safe final class PostgresPipeline {
  private let handle: OpaquePointer
  private var prepared: Set<String> = []
  /// The statements that were given to libpq since the last ``run()`` or ``sendWithoutWaiting()``.
  private var sent: [Sent] = []
  /// The statements that were sent without waiting. Their results come first.
  private var unread: [Sent] = []
  private(set) var isBroken = false
  /// The time at which the connection is given up if the server hasn't responded. Nil: never.
  var limit: ContinuousClock.Instant?

  private enum Sent {
    case preparation(name: String)
    case statement
    case end
  }

  init(_ handle: OpaquePointer) { unsafe self.handle = unsafe handle }

  /// - Parameter name: The name of the prepared statement, which is prepared here if necessary. If
  ///   nil, the server parses the statement each time.
  func add(_ sql: String, _ values: [SQLValue], named name: String?) {
    guard !isBroken else { return }
    if let name, !prepared.contains(name) {
      keep(
        .preparation(name: name),
        unsafe PQsendPrepare(
          handle, name, PostgresStatement.text(sql), 0, nil))
      prepared.insert(name)
    }
    let parameters = PostgresParameters(values)
    let code = unsafe parameters.with { pointers, lengths, formats in
      if let name {
        return unsafe PQsendQueryPrepared(
          handle, name, Int32(values.count), pointers, lengths, formats, 0)
      }
      return unsafe PQsendQueryParams(
        handle, PostgresStatement.text(sql), Int32(values.count), nil, pointers, lengths, formats,
        0)
    }
    keep(.statement, code)
  }

  /// Sends everything, and waits for the results.
  ///
  /// - Returns: The results of the statements that were added.
  /// - Throws: The loss of the connection; otherwise the first failure. The server ignored the
  ///   statements after it.
  func run() throws(PostgresFailure) -> [PostgresResult] {
    end()
    drain()
    if isBroken {
      sent = []
      throw .lost(unsafe PostgresFailure.line(PQerrorMessage(handle)))
    }
    var results: [PostgresResult] = []
    var first: PostgresFailure?
    while !sent.isEmpty {
      do throws(PostgresFailure) {
        if let result = try next(of: &sent) { results.append(result) }
      } catch {
        if error.isConnectionLost {
          sent = []
          throw error
        }
        if first == nil { first = error }
      }
    }
    if let first { throw first }
    return results
  }

  /// Sends everything; the results are read and dropped by the next ``run()``.
  func sendWithoutWaiting() {
    end()
    unread += sent
    sent = []
    _ = unsafe PQflush(handle)
  }

  /// Reads the results of the statements that were sent without waiting.
  func drain() { while !unread.isEmpty, !isBroken { _ = try? next(of: &unread) } }

  private func end() {
    guard !isBroken else { return }
    keep(.end, unsafe PQpipelineSync(handle))
  }

  private func keep(_ what: Sent, _ code: Int32) {
    if code == 1 { sent.append(what) } else { isBroken = true }
  }

  /// - Returns: The result of a statement. Nil for a preparation, for the end of the pipeline, and
  ///   for a statement that the server ignored.
  private func next(of list: inout [Sent]) throws(PostgresFailure) -> PostgresResult? {
    guard !isBroken else { throw .lost(unsafe PostgresFailure.line(PQerrorMessage(handle))) }
    let what = list.removeFirst()
    try awaitResult()
    let result = unsafe PostgresResult(PQgetResult(handle))
    if let failure = unsafe result.failure(of: handle) {
      if case .preparation(let name) = what { prepared.remove(name) }
      if failure.isConnectionLost { isBroken = true } else { skipEnd() }
      throw failure
    }
    switch what {
    case .end: return nil
    case .preparation(let name):
      if result.isAborted { prepared.remove(name) }
      skipEnd()
      return nil
    case .statement:
      skipEnd()
      return result.isAborted ? nil : result
    }
  }

  /// Waits until libpq has the next result. libpq itself would wait without a limit.
  ///
  /// Polling the socket isn't enough: libpq may read only a part of a large TLS record, and the
  /// rest then waits in OpenSSL. So libpq is asked again after each read, and at least every
  /// ``longestPoll``.
  ///
  /// When the limit is reached, the server isn't asked to cancel the statement. A cancel request
  /// needs another connection, which would wait too. And if a commit waits for a standby, a cancel
  /// request would confirm it without the standby. The server ends statements by its own limit.
  private func awaitResult() throws(PostgresFailure) {
    var pause = Duration.zero
    while true {
      let unsent = unsafe PQflush(handle)
      if unsent >= 0, unsafe PQisBusy(handle) == 0 { return }
      guard unsent >= 0, let isReady = try poll(for: pause, toSend: unsent > 0),
        unsafe PQconsumeInput(handle) == 1
      else {
        isBroken = true
        throw .lost(unsafe PostgresFailure.line(PQerrorMessage(handle)))
      }
      pause = isReady ? .zero : Self.longestPoll
    }
  }

  private static let longestPoll = Duration.milliseconds(20)

  /// - Returns: Whether the socket is ready; nil if it failed.
  private func poll(for pause: Duration, toSend: Bool) throws(PostgresFailure) -> Bool? {
    let rest = limit.map { $0 - .now } ?? pause
    guard limit == nil || rest > .zero else {
      isBroken = true
      throw .lost("the server didn't answer in time")
    }
    var descriptor = pollfd(
      fd: unsafe PQsocket(handle), events: Int16(POLLIN) | (toSend ? Int16(POLLOUT) : 0), revents: 0
    )
    let milliseconds = Int32((min(rest, pause) / .milliseconds(1)).rounded(.up))
    let count = unsafe Foundation.poll(&descriptor, 1, milliseconds)
    if count < 0, errno != EINTR { return nil }
    return count > 0
  }

  /// libpq ends the results of each statement with a null.
  private func skipEnd() {
    while let more = unsafe PQgetResult(handle) { unsafe PQclear(more) }
  }
}

extension PostgresFailure {
  static func lost(_ message: String) -> PostgresFailure {
    PostgresFailure(state: "08006", message: message, constraint: nil)
  }

  static let atStandby = PostgresFailure(
    state: "25006", message: "the server is a standby", constraint: nil)

  /// PostgreSQL rolled the transaction back when it was told to commit.
  static let rolledBack = PostgresFailure(
    state: "40000", message: "the transaction was rolled back instead of committed", constraint: nil
  )
}

/// A statement as PostgreSQL reads it.
enum PostgresStatement {
  /// Replaces placeholders such as `?` and `?2` with `$1` and `$2`. Texts in quotes are unchanged.
  static func text(_ sql: String) -> String {
    var text: [UInt8] = []
    var count = 0
    var isQuoted = false
    var rest = Array(sql.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "'") { isQuoted.toggle() }
      guard byte == UInt8(ascii: "?"), !isQuoted else {
        text.append(byte)
        continue
      }
      let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      rest = rest.dropFirst(digits.count)
      count += 1
      text.append(UInt8(ascii: "$"))
      text += digits.isEmpty ? Array("\(count)".utf8) : Array(digits)
    }
    return String(decoding: text, as: UTF8.self)
  }
}
