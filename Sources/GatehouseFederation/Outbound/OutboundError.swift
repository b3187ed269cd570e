/// Why no answer came. Details name hosts and numbers, never what was sent.
package enum OutboundError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Not an absolute URL of the form that ``OutboundURL`` takes.
  case malformedURL
  /// Plain http to something other than loopback in development.
  case insecure(host: String)
  case unresolvable(host: String)
  /// The host has an address that the outbound rule refuses.
  case refusedAddress(host: String, address: String)
  case notConnected(host: String)
  /// The host's certificate isn't accepted.
  case certificate(host: String, CertificateFault)
  /// The host doesn't speak TLS at the port, plain HTTP for instance.
  case notTLS(host: String)
  /// The connection broke, or what came wasn't HTTP.
  case broken(host: String)
  case timedOut(host: String)
  case tooLarge(host: String, limitBytes: Int)
  /// As many calls as the transport allows are under way.
  case busy
  /// The caller was cancelled.
  case cancelled

  package var description: String {
    switch self {
    case .malformedURL: "the URL is malformed"
    case .insecure(let host): "\(host) must be reached by https"
    case .unresolvable(let host): "\(host) has no address"
    case .refusedAddress(let host, let address):
      "\(host) has the address \(address), which is not a public one"
    case .notConnected(let host): "\(host) accepts no connection"
    case .certificate(let host, let fault): "the certificate of \(host) \(fault.description)"
    case .notTLS(let host): "\(host) does not speak TLS at this port, perhaps plain HTTP"
    case .broken(let host): "\(host) broke the connection off"
    case .timedOut(let host): "\(host) did not answer in time"
    case .tooLarge(let host, let limit): "\(host) answered more than \(limit) bytes"
    case .busy: "too many outbound calls are under way"
    case .cancelled: "the caller gave up"
    }
  }
}
