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
  /// A client has to take each answer so long after its beginning. Seconds.
  package var responseSeconds = 60
  /// Requests of one connection that are parsed before their turn. At least 2. The bytes of more
  /// wait, and nothing more is read from the client.
  package var requestsWaiting = 8

  package init() {}
}
