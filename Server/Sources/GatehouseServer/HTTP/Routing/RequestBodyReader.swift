import HTTPTypes
import Hummingbird
import NIOCore

/// Reads a body within limits of size and time.
///
/// The time is checked when bytes arrive: that stops a body that arrives slowly. The server closes
/// connections on which nothing arrives.
struct RequestBodyReader: Sendable {
  let limits: APIConfiguration.Limits

  /// - Throws: ``APIError/payloadTooLarge``, ``APIError/requestTimeout``, and
  ///   ``APIError/brokenBody`` if the body breaks off or its chunks are malformed. That isn't a
  ///   failure of the server, so it isn't logged as one.
  func body(of request: Request) async throws -> ByteBuffer {
    do {
      return try await collect(request)
    } catch let error as APIError {
      throw error
    } catch let error as CancellationError {
      throw error
    } catch {
      throw APIError.brokenBody
    }
  }

  private func collect(_ request: Request) async throws -> ByteBuffer {
    if let declared = request.headers[.contentLength].flatMap({ Int($0) }),
      declared > limits.bodyBytes
    {
      throw APIError.payloadTooLarge
    }
    let deadline = ContinuousClock.now + .seconds(limits.bodySeconds)
    var body = ByteBuffer()
    for try await var piece in request.body {
      guard piece.readableBytes <= limits.bodyBytes - body.readableBytes else {
        throw APIError.payloadTooLarge
      }
      if body.readableBytes == 0 { body = piece } else { body.writeBuffer(&piece) }
      if ContinuousClock.now > deadline { throw APIError.requestTimeout }
    }
    return body
  }
}
