/// Why there is no response. The details contain hosts, addresses and numbers, but nothing of the
/// request's content.
///
/// The descriptions contain no address. A project's administrator may read them, for example with the
/// deliveries of a hook, and must not learn the addresses of the operator's network.
package enum OutboundError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Not an absolute URL of the form that ``OutboundURL`` accepts.
  case malformedURL
  /// Plain http, which is allowed only to loopback, and only if the outbound rule allows loopback.
  case insecure(host: String)
  case unresolvable(host: String)
  /// The host has an address that the outbound rule refuses.
  case refusedAddress(host: String, address: String)
  case notConnected(host: String)
  /// The host's certificate isn't accepted.
  case certificate(host: String, CertificateFault)
  /// The host doesn't speak TLS at the port, but for instance plain HTTP.
  case notTLS(host: String)
  /// The connection broke, or the response wasn't HTTP.
  case broken(host: String)
  case timedOut(host: String)
  case tooLarge(host: String, limitBytes: Int)
  /// The response is compressed, although the request asked for none of it.
  case compressed(host: String)
  /// The maximum of calls or of look-ups of host names is in progress, in all or for the project or the
  /// host.
  case busy
  /// The caller was cancelled.
  case cancelled

  /// What the operator can do about it.
  ///
  /// - Parameter called: What was called, such as `the receiver`.
  package func remedy(for called: String) -> String {
    if case .refusedAddress(let host, _) = self {
      return "If this address is in your own network, allow it: outbound.privateHosts=\(host)"
    }
    return "Is \(called) running, and can this server reach it?"
  }

  package var description: String {
    switch self {
    case .malformedURL: "the URL is malformed"
    case .insecure(let host): "\(host) must be called over https"
    case .unresolvable(let host): "\(host) has no address"
    case .refusedAddress(let host, _): "\(host) has an address which is not public"
    case .notConnected(let host): "\(host) accepts no connection"
    case .certificate(let host, let fault): "the certificate of \(host) \(fault.description)"
    case .notTLS(let host): "\(host) does not speak TLS at this port, but perhaps plain HTTP"
    case .broken(let host): "\(host) broke the connection"
    case .timedOut(let host): "\(host) did not respond in time"
    case .tooLarge(let host, let limit): "\(host) responded with more than \(limit) bytes"
    case .compressed(let host):
      "\(host) compressed its response, although the request has Accept-Encoding: identity"
    case .busy: "too many outbound calls are in progress"
    case .cancelled: "the caller was cancelled"
    }
  }
}
