import GatehouseFederation
import GatehouseModel

/// The rules for a webhook's address, which only an operator sets, on the command line.
package enum CodeWebhookAddress {
  /// Checks and normalizes the address.
  ///
  /// - Throws: ``Fault`` for a text that isn't a URL, and for plain http to another machine: anyone
  ///   who can read the connection could sign in with the code.
  package static func checked(_ text: String) throws(Fault) -> String {
    guard let url = OutboundURL(text) else { throw .form }
    guard url.isSecure || url.namesLoopback else { throw .insecure }
    return url.text
  }

  package enum Fault: Error, Hashable, Sendable {
    case form, insecure
  }
}
