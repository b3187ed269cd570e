import Foundation
import GatehouseURLSession

/// A transport for verifiers that uses URLSession. Many verifiers can share one.
///
/// The time limit is for the whole exchange. `URLSession` restarts its own timeout at each byte, so
/// with it alone a server that sends a byte now and then could hold a request forever. A cancelled
/// task still waits for the response, at most until the time limit. A redirect is thrown as
/// ``ServerFault/status(_:)``.
public final class URLSessionServerTransport: ServerTransport {
  private let session = ExchangeSession()

  public init() {}

  public func send(_ request: ServerRequest) async throws(ServerFault) -> ServerResponse {
    let response: ExchangeResponse
    do {
      response = try await session.send(ExchangeRequest(request), stopsIfCancelled: false)
    } catch {
      throw ServerFault(error)
    }
    // Only the configuration decides where keys come from.
    if response.isRedirect { throw .status(response.status) }
    return ServerResponse(
      status: response.status, cacheControl: response.headers["cache-control"],
      age: response.headers["age"].flatMap { Int($0) }, body: response.body)
  }
}

extension ExchangeRequest {
  fileprivate init(_ request: ServerRequest) {
    var headers = [(name: "Accept", value: "application/json")]
    headers += request.headers.map { (name: $0.key, value: $0.value) }
    if request.body != nil { headers.append((name: "Content-Type", value: "application/json")) }
    self.init(
      request.body == nil ? .get : .post, request.url, headers: headers, body: request.body,
      maximumBytes: request.maximumBytes, timeout: request.timeout)
  }
}

extension ServerFault {
  fileprivate init(_ fault: ExchangeFault) {
    self =
      switch fault.kind {
      case .timedOut: .timedOut
      case .tooLong: .tooLarge
      case .noAnswer: .malformed
      case .offline, .cannotConnect, .secureConnectionFailed, .lost, .cancelled, .other:
        .connection(fault.detail)
      }
  }
}
