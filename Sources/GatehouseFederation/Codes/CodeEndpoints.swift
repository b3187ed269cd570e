/// Where codes are exchanged and tokens revoked, and as which client.
struct CodeEndpoints: Sendable {
  var token: OutboundURL?
  var revoke: OutboundURL?
  var credentials: ClientCredentials
}
