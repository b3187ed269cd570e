import Foundation
import GatehouseProtocol

/// A server's URL from which keys can be trusted.
struct ServerAddress: Sendable {
  /// Without a slash at the end.
  let text: String
  let url: URL
  let isLoopback: Bool

  /// - Throws: ``VerifierConfigurationFault`` unless `given` is an `https` URL, or an `http` URL on
  ///   this machine, with a host and optionally a port and a path.
  init(_ given: String) throws(VerifierConfigurationFault) {
    let text = String(given.reversed().drop { $0 == "/" }.reversed())
    guard let url = URL(string: text), let parts = URLComponents(string: text),
      let host = parts.host, !host.isEmpty
    else {
      throw VerifierConfigurationFault("this isn't the URL of a server: \(given)")
    }
    guard parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil else {
      throw VerifierConfigurationFault(
        "a server's URL must not have a user, a query or a fragment: \(given)")
    }
    isLoopback = LoopbackName.isLoopback(host)
    guard parts.scheme == "https" || (parts.scheme == "http" && isLoopback) else {
      throw VerifierConfigurationFault(
        "a server's URL must use https, or http on this machine: \(given)")
    }
    self.text = text
    self.url = url
  }
}
