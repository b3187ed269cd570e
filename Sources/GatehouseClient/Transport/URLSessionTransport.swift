import Foundation
import GatehouseURLSession

/// A ``Transport`` that uses `URLSession`: no cookies, no cache, no stored credentials, no
/// redirects.
///
/// Several clients may share one. When it is released, its requests end.
public final class URLSessionTransport: StreamingTransport {
  /// A longer response ends the request. For a stream, this limits what has arrived and isn't read
  /// yet.
  public static let maximumAnswerBytes = 1 << 20

  /// A stream on which nothing arrives for this time is lost: the server sends something every 20
  /// seconds.
  private static let idleTime: TimeInterval = 60

  private let session = ExchangeSession()
  private let streams = StreamSession()

  public init() {}

  public func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
    let response: ExchangeResponse
    do {
      response = try await session.send(Self.exchange(request), stopsIfCancelled: true)
    } catch {
      throw TransportFault(error)
    }
    return TransportResponse(
      status: response.status, headers: response.headers, body: response.body)
  }

  public func stream(_ request: TransportRequest) async throws(TransportFault) -> TransportStream {
    let stream: ExchangeStream
    do {
      stream = try await streams.open(Self.exchange(request), idle: Self.idleTime)
    } catch {
      throw TransportFault(error)
    }
    return TransportStream(
      status: stream.status, headers: stream.headers, pieces: stream.pieces)
  }

  private static func exchange(_ request: TransportRequest) -> ExchangeRequest {
    ExchangeRequest(
      request.method == .post ? .post : .get, request.url,
      headers: request.headers.map { (name: $0.key, value: $0.value) }, body: request.body,
      maximumBytes: maximumAnswerBytes, timeout: request.timeout)
  }
}

extension TransportFault {
  init(_ fault: ExchangeFault) {
    self =
      switch fault.kind {
      case .cancelled: .cancelled
      case .tooLong: .network(NetworkFault(.other, detail: "The response is too long."))
      case .offline: .network(NetworkFault(.offline, detail: fault.detail))
      case .timedOut: .network(NetworkFault(.timedOut, detail: fault.detail))
      case .cannotConnect: .network(NetworkFault(.cannotConnect, detail: fault.detail))
      case .secureConnectionFailed:
        .network(NetworkFault(.secureConnectionFailed, detail: fault.detail))
      case .lost, .noAnswer: .network(NetworkFault(.lost, detail: fault.detail))
      case .other: .network(NetworkFault(.other, detail: fault.detail))
      }
  }
}
