import Foundation
import Testing

@testable import GatehouseURLSession

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The limit of what waits for a stream's reader. The test calls the delegate's functions itself, in
/// place of a `URLSession`.
@Suite struct StreamsTests {
  private let streams = Streams()
  private let session = URLSession(configuration: .isolated)
  /// Never started.
  private let task: URLSessionDataTask
  private let head: HTTPURLResponse

  init() throws {
    let url = try #require(URL(string: "http://127.0.0.1:1/"))
    task = session.dataTask(with: url)
    head = try #require(
      HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: nil))
  }

  /// A stream whose head has arrived, of which 100 bytes may be unread.
  private func open() async throws -> ExchangeStream {
    let outcome: Streams.Outcome = await withCheckedContinuation { waiter in
      streams.begin(task, maximumBytes: 100, waiter)
      streams.urlSession(session, dataTask: task, didReceive: head) { _ in }
    }
    return try outcome.get()
  }

  private func receive(_ bytes: Int) {
    streams.urlSession(session, dataTask: task, didReceive: Data(count: bytes))
  }

  @Test func `a stream ends if more bytes than its limit wait for the reader`() async throws {
    let stream = try await open()
    for _ in 0..<10 { receive(30) }
    var count = 0
    do {
      for try await piece in stream.pieces { count += piece.count }
      Issue.record("The stream ended without a fault.")
    } catch let fault as ExchangeFault {
      #expect(fault.kind == .tooLong)
    }
    // The piece with which the limit is exceeded is the last one.
    #expect(count == 120)
  }

  @Test func `a stream that is read in time may be longer than its limit`() async throws {
    let stream = try await open()
    var pieces = stream.pieces.makeAsyncIterator()
    for _ in 0..<3 { receive(30) }
    for _ in 0..<10 {
      #expect(try await pieces.next()?.count == 30)
      receive(30)
    }
    for _ in 0..<3 { #expect(try await pieces.next()?.count == 30) }
    streams.urlSession(session, task: task, didCompleteWithError: nil)
    #expect(try await pieces.next() == nil)
  }

  @Test func `a piece that is longer than the limit ends the stream`() async throws {
    let stream = try await open()
    receive(101)
    do {
      for try await _ in stream.pieces { Issue.record("The piece was accepted.") }
      Issue.record("The stream ended without a fault.")
    } catch let fault as ExchangeFault {
      #expect(fault.kind == .tooLong)
    }
  }
}
