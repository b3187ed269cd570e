/// What one connection, one address and all together may take of the server.
package struct ConnectionLimits: Hashable, Sendable {
  /// Open at once. Who comes then waits until one closes.
  package var connections = 2048
  /// Open at once from one address. One more is closed as soon as it is there. Trusted proxies are
  /// exempt.
  package var connectionsPerAddress = 256
  /// A connection between two requests is closed after so long. Longer than proxies keep theirs
  /// open. Seconds.
  package var idleSeconds = 120
  /// A request's body has to be there so long after its head, and the head of a connection's first
  /// request (with TLS, the handshake before it) so long after the connection. Seconds.
  package var requestSeconds = 20

  package init() {}
}
