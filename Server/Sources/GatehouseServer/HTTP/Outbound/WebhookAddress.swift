import GatehouseProtocol

/// The rules for the address of a webhook or a blocking function. Such a program receives data about the
/// project's users.
package enum WebhookAddress {
  /// Checks and normalizes the address.
  ///
  /// The addresses of the host are checked at each connection: see ``OutboundRule``.
  ///
  /// - Parameter allowsLoopback: Whether the address may be on this machine, also with plain http.
  ///   True on the command line and with `--dev`. Otherwise an administrator's request may come
  ///   from another machine, and must not reach programs that listen only on this one.
  /// - Throws: ``Fault``: `form` if the text isn't a URL, `insecure` for plain http to another
  ///   machine (others on the network could read the requests), `loopback` for this machine if it
  ///   isn't allowed.
  package static func checked(_ text: String, allowsLoopback: Bool) throws(Fault) -> String {
    guard let url = OutboundURL(text) else { throw .form }
    guard url.isSecure || url.namesLoopback else { throw .insecure }
    guard allowsLoopback || !url.namesLoopback else { throw .loopback }
    return url.text
  }

  package enum Fault: Error, Hashable, Sendable {
    case form, insecure, loopback
  }
}
