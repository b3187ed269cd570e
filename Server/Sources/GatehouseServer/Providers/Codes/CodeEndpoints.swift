/// The endpoints that exchange codes and revoke tokens, and the client credentials for them.
struct CodeEndpoints: Sendable {
  var token: OutboundURL?
  var revoke: OutboundURL?
  var credentials: ClientCredentials
}
