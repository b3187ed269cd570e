import Foundation
import GatehouseURLSession

/// A ``Transport`` that uses `URLSession`: no cookies, no cache, no stored credentials, no
/// redirects.
///
/// Several clients may share one. Its session ends with it.
public final class URLSessionTransport: Transport {
  /// A longer answer ends the request.
  public static let maximumAnswerBytes = 1 << 20

  private let session = ExchangeSession()

  public init() {}

  public func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
    let exchange = ExchangeRequest(
      request.method == .post ? .post : .get, request.url,
      headers: request.headers.map { (name: $0.key, value: $0.value) }, body: request.body,
      maximumBytes: Self.maximumAnswerBytes, timeout: request.timeout)
    let response: ExchangeResponse
    do {
      response = try await session.send(exchange, stopsIfCancelled: true)
    } catch {
      throw TransportFault(error)
    }
    return TransportResponse(
      status: response.status, headers: response.headers, body: response.body)
  }
}

extension TransportFault {
  init(_ fault: ExchangeFault) {
    self =
      switch fault.kind {
      case .cancelled: .cancelled
      case .tooLong: .network(NetworkFault(.other, detail: "The answer is longer than 1 MiB."))
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
