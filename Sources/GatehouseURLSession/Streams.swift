import Foundation
import GatehouseProtocol

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The streams of one session: the callers that wait for a head, and the pieces that follow it.
///
/// Everything that ends a stream removes it from the table, so that its caller and its reader are told
/// exactly once.
final class Streams: NSObject, URLSessionDataDelegate {
  typealias Outcome = Result<ExchangeStream, ExchangeFault>
  typealias Waiter = CheckedContinuation<Outcome, Never>

  /// The most pieces of a stream that may wait for the reader. If more arrive, or if they have more
  /// bytes than the request allows, the stream ends.
  private static let maximumPieces = 256

  private struct Stream {
    /// Nil when the head has arrived.
    var waiter: Waiter?
    let maximumBytes: Int
    /// Kept here until the head arrives. Then only the caller keeps the sequence, and the stream
    /// ends when the caller releases it.
    var pieces: AsyncThrowingStream<Data, any Error>?
    let writer: AsyncThrowingStream<Data, any Error>.Continuation
    /// The lengths of the pieces that waited for the reader when the last one arrived, oldest first.
    var unread: [Int] = []
  }

  private let table = Locked<[Int: Stream]>([:])

  func begin(_ task: URLSessionTask, maximumBytes: Int, _ waiter: Waiter) {
    let (pieces, writer) = AsyncThrowingStream.makeStream(
      of: Data.self, throwing: (any Error).self,
      bufferingPolicy: .bufferingOldest(Self.maximumPieces))
    table.withLock {
      $0[task.taskIdentifier] = Stream(
        waiter: waiter, maximumBytes: maximumBytes, pieces: pieces, writer: writer)
    }
    writer.onTermination = { [weak self, weak task] termination in
      guard case .cancelled = termination, let task else { return }
      self?.end(task, as: .callerCancelled)
    }
  }

  /// Ends a stream with a fault, unless it has ended already.
  func end(_ task: URLSessionTask, as fault: ExchangeFault) {
    finish(take(task), fault)
    task.cancel()
  }

  /// Ends a stream with a fault if its head hasn't arrived.
  func endIfWaiting(_ task: URLSessionTask, as fault: ExchangeFault) {
    if table.withLock({ $0[task.taskIdentifier]?.waiter != nil }) { end(task, as: fault) }
  }

  private func take(_ task: URLSessionTask) -> Stream? {
    table.withLock { $0.removeValue(forKey: task.taskIdentifier) }
  }

  private func finish(_ stream: Stream?, _ fault: ExchangeFault?) {
    guard let stream else { return }
    if let waiter = stream.waiter {
      waiter.resume(
        returning: .failure(fault ?? ExchangeFault(.noAnswer, detail: "There was no answer.")))
    }
    stream.writer.finish(throwing: fault)
  }

  private func deliver(_ head: HTTPURLResponse, to task: URLSessionTask) {
    let waiting = table.withLock { table in
      let stream = table[task.taskIdentifier]
      table[task.taskIdentifier]?.waiter = nil
      table[task.taskIdentifier]?.pieces = nil
      return stream
    }
    guard let waiter = waiting?.waiter, let pieces = waiting?.pieces else { return }
    var headers: [String: String] = [:]
    for (name, value) in head.allHeaderFields {
      guard let name = name as? String, let value = value as? String else { continue }
      headers[name.lowercased()] = value
    }
    waiter.resume(
      returning: .success(
        ExchangeStream(status: head.statusCode, headers: headers, pieces: pieces)))
  }

  // MARK: URLSessionDataDelegate

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping (URLRequest?) -> Void
  ) {
    // The redirect itself is the response.
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    if let head = response as? HTTPURLResponse { deliver(head, to: dataTask) }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    guard let stream = table.withLock({ $0[dataTask.taskIdentifier] }) else { return }
    var fits = data.count <= stream.maximumBytes
    if fits {
      let result = stream.writer.yield(data)
      if case .dropped = result { fits = false }
      if case .enqueued(let free) = result {
        fits = count(data.count, waiting: Self.maximumPieces - free, in: dataTask)
      }
    }
    if !fits { end(dataTask, as: ExchangeFault(.tooLong, detail: "The reader is too slow.")) }
  }

  /// Counts a new piece.
  ///
  /// - Parameter waiting: How many pieces the reader hasn't taken. Pieces are taken in order, so these
  ///   are the newest ones.
  /// - Returns: Whether these pieces are within the stream's limit of bytes.
  private func count(_ bytes: Int, waiting: Int, in task: URLSessionTask) -> Bool {
    table.withLock { table in
      guard var stream = table[task.taskIdentifier] else { return true }
      stream.unread.append(bytes)
      stream.unread.removeFirst(max(0, stream.unread.count - waiting))
      table[task.taskIdentifier] = stream
      return stream.unread.reduce(0, +) <= stream.maximumBytes
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    // swift-corelibs-foundation doesn't call the delegate for a head without a body.
    if error == nil, let head = task.response as? HTTPURLResponse { deliver(head, to: task) }
    let stream = take(task)
    finish(stream, error.map { ExchangeFault($0, afterHead: stream?.waiter == nil) })
  }
}
