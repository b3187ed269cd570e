import Foundation
import GatehouseModel

/// A server's URL that keys may be believed from.
struct ServerAddress: Sendable {
  /// Without a slash at its end.
  let text: String
  let url: URL
  let isLoopback: Bool

  /// - Throws: ``VerifierConfigurationFault`` for anything but `https`, or `http` on this machine,
  ///   with a host, and perhaps a port and a path.
  init(_ given: String) throws(VerifierConfigurationFault) {
    let text = String(given.reversed().drop { $0 == "/" }.reversed())
    guard let url = URL(string: text), let parts = URLComponents(string: text),
      let host = parts.host, !host.isEmpty
    else {
      throw VerifierConfigurationFault("this is no URL of a server: \(given)")
    }
    guard parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil else {
      throw VerifierConfigurationFault(
        "a server's URL has no user, no query and no fragment: \(given)")
    }
    isLoopback = LoopbackName.isLoopback(host)
    guard parts.scheme == "https" || (parts.scheme == "http" && isLoopback) else {
      throw VerifierConfigurationFault(
        "keys are believed over https, or over http from this machine: \(given)")
    }
    self.text = text
    self.url = url
  }
}
