import GatehouseProtocol
import HTTPTypes
package import HummingbirdCore
import Logging
package import NIOCore
package import NIOHTTPTypes
import NIOSSL

/// The connections of the public port: their number, their time limits, and the certificate.
package struct Connections: Sendable {
  private let limits: ConnectionLimits
  private let proxies: TrustedProxies
  private let certificate: TLSCertificate?
  private let counts: ConnectionCounts

  private static let graceSeconds = 5

  /// - Parameter certificate: Nil for plain HTTP.
  package init(
    limits: ConnectionLimits, proxies: TrustedProxies, certificate: TLSCertificate? = nil
  ) {
    self.limits = limits
    self.proxies = proxies
    self.certificate = certificate
    counts = ConnectionCounts(limits: limits)
  }

  /// For the configuration of the HTTP server.
  package var admission: any AvailableConnectionsDelegate { ConnectionAdmission(counts: counts) }

  package var server: HTTPServerBuilder {
    HTTPServerBuilder { [self] responder in
      DeferredConnection(
        ConnectionChannel(
          http: HTTP1Channel(responder: responder, configuration: configuration),
          requestsWaiting: limits.requestsWaiting, certificate: certificate, counts: counts,
          proxies: proxies))
    }
  }

  /// For a listener on loopback, such as the one for metrics.
  package static var local: HTTPServerBuilder {
    HTTPServerBuilder { responder in DeferredConnection(HTTP1Channel(responder: responder)) }
  }

  private var configuration: HTTP1Channel.Configuration {
    // The body reader responds to slow bodies with an error. This limit closes the connections of
    // clients that continue to send.
    let requestLimit = TimeAmount.seconds(Int64(limits.requestSeconds + Self.graceSeconds))
    let responseLimit = TimeAmount.seconds(Int64(limits.responseSeconds))
    let counts = counts
    return HTTP1Channel.Configuration(
      additionalChannelHandlers: [
        RequestDeadlineHandler(limit: requestLimit) { counts.countRefusal(.slow) },
        ResponseDeadlineHandler(limit: responseLimit) { counts.countRefusal(.unread) },
        RequestCountHandler(),
      ],
      idleTimeout: .seconds(Int64(limits.idleSeconds)),
      httpDecoderConfiguration: .init(
        maxHeaderFieldSize: 32 * 1024, maxHeaderListSize: 64 * 1024, maxHeaderFieldCount: 100))
  }
}

/// One connection: it is counted, then TLS is set up, then HTTP.
private struct ConnectionChannel: ServerChildChannel {
  let http: HTTP1Channel
  let requestsWaiting: Int
  let certificate: TLSCertificate?
  let counts: ConnectionCounts
  let proxies: TrustedProxies

  /// The address has reached its limit of connections.
  private struct TooManyConnections: Error {}

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
    guard admit(channel) else {
      channel.close(promise: nil)
      return channel.eventLoop.makeFailedFuture(TooManyConnections())
    }
    return channel.eventLoop.makeCompletedFuture {
      if let certificate {
        // The current certificate: a renewed one is used from the next connection on.
        try channel.pipeline.syncOperations.addHandler(
          NIOSSLServerHandler(context: certificate.context))
      }
      try channel.pipeline.syncOperations.addHandler(RequestGate(limit: requestsWaiting))
    }.flatMap { http.setup(channel: channel, logger: logger) }
  }

  func handle(value: HTTP1Channel.Value, logger: Logger) async {
    await http.handle(value: value, logger: logger)
  }

  private func admit(_ channel: any Channel) -> Bool {
    guard let peer = channel.remoteAddress?.address, !proxies.contains(peer) else { return true }
    let address = ClientAddress(peer)
    guard counts.admit(address) else { return false }
    channel.closeFuture.whenComplete { [counts] _ in counts.leave(address) }
    return true
  }
}

/// Counts the requests of a connection that have no response yet, for ``RequestGate``. Adds
/// `Connection: close` to the last response before a shutdown (RFC 9112 §9.6).
package final class RequestCountHandler: ChannelDuplexHandler, RemovableChannelHandler {
  package typealias InboundIn = HTTPRequestPart
  package typealias InboundOut = HTTPRequestPart
  package typealias OutboundIn = HTTPResponsePart
  package typealias OutboundOut = HTTPResponsePart

  private var gate: RequestGate?
  private var requestsWaiting = 0
  private var isShuttingDown = false

  package init() {}

  package func handlerAdded(context: ChannelHandlerContext) {
    gate = try? context.pipeline.syncOperations.handler(type: RequestGate.self)
  }

  package func handlerRemoved(context: ChannelHandlerContext) { gate = nil }

  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .head = unwrapInboundIn(data) {
      requestsWaiting += 1
      gate?.requestArrived()
    }
    context.fireChannelRead(data)
  }

  package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is ChannelShouldQuiesceEvent { isShuttingDown = true }
    context.fireUserInboundEventTriggered(event)
  }

  package func write(
    context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
  ) {
    switch unwrapOutboundIn(data) {
    case .head(var response) where isShuttingDown && requestsWaiting == 1:
      response.headerFields[.connection] = "close"
      context.write(wrapOutboundOut(.head(response)), promise: promise)
    case .end:
      context.write(data, promise: promise)
      requestsWaiting -= 1
      gate?.requestAnswered()
    case .head, .body:
      context.write(data, promise: promise)
    }
  }
}
