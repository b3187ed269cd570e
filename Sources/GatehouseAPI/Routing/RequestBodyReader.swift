import HTTPTypes
import Hummingbird
import NIOCore

/// Reads a body within a bound of size and one of time.
///
/// The time is looked at whenever something arrives: that is enough against a body that drips, and
/// the server closes connections on which nothing arrives at all.
struct RequestBodyReader: Sendable {
  let limits: APIConfiguration.Limits

  /// - Throws: ``APIError/payloadTooLarge``, ``APIError/requestTimeout``, and
  ///   ``APIError/brokenBody`` for one that breaks off or is malformed chunks: whoever sends it, it
  ///   is no failure of the server's and fills no log.
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
