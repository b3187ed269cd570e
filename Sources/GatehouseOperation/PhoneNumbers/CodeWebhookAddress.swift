import GatehouseFederation
import GatehouseModel

/// Where a webhook may be: the operator names it, on the command line alone.
package enum CodeWebhookAddress {
  /// The address in the form that is sent to.
  ///
  /// - Throws: ``Fault`` for what is no URL, and for plain http to another machine: a code that anybody
  ///   on the way can read signs anybody in.
  package static func checked(_ text: String) throws(Fault) -> String {
    guard let url = OutboundURL(text) else { throw .form }
    guard url.isSecure || url.namesLoopback else { throw .insecure }
    return url.text
  }

  package enum Fault: Error, Hashable, Sendable {
    case form, insecure
  }
}
