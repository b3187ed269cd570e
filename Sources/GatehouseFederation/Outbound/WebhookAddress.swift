import GatehouseModel

/// The rules for the address of a webhook or a blocking function: a program of the team that gets what is
/// about its users.
package enum WebhookAddress {
  /// Checks and normalizes the address.
  ///
  /// The connection is checked again when it is made: see ``OutboundRule``.
  ///
  /// - Parameter allowsLoopback: Whether the address may be on this machine, also with plain http. True on
  ///   the command line and with `--dev`. False for an administrator's request: the administrator may be
  ///   on another machine, and must not reach programs that listen only here.
  /// - Throws: ``Fault`` for a text that isn't a URL, for plain http to another machine, whose connection
  ///   others can read, and for this machine if it isn't allowed.
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
