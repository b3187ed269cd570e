/// How much of the server one connection, one address and all connections together may use.
package struct ConnectionLimits: Hashable, Sendable {
  /// Connections open at once. A new connection waits until another one closes.
  package var connections = 2048
  /// Connections open at once from one address. Another one is closed immediately. Trusted proxies
  /// are exempt.
  package var connectionsPerAddress = 256
  /// How long a connection may be idle between two requests. Longer than proxies keep their
  /// connections open. Seconds.
  package var idleSeconds = 120
  /// How long a request's body may take after its head, and how long the head of a connection's
  /// first request (with TLS, including the handshake) may take after the connection opened. The
  /// connection is closed five seconds later. Seconds.
  package var requestSeconds = 20
  /// How long a client may take to read each response, from its beginning. Seconds.
  package var responseSeconds = 60
  /// Requests of one connection that are parsed before their turn. At least 2. The bytes of further
  /// requests wait, and nothing more is read from the client.
  package var requestsWaiting = 8

  package init() {}
}
