package import Hummingbird
import HTTPTypes
import NIOCore

/// `GET /metrics` for a separate port, which isn't public.
package struct MetricsResponder: HTTPResponder {
  package typealias Context = BasicRequestContext

  private let factory: PrometheusFactory

  package init(factory: PrometheusFactory) { self.factory = factory }

  package func respond(to request: Request, context: BasicRequestContext) async throws -> Response {
    guard request.method == .get, request.uri.path == "/metrics" else {
      return Response(status: .notFound)
    }
    return Response(
      status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: factory.text())))
  }
}
