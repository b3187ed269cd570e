/// Why a nonce is rejected.
package enum NonceFault: Hashable, Sendable {
  /// Altered, forged, or issued for another project.
  case notIssued
  case expired
  /// Issued to another session than the one that uses it.
  case otherSession
  case used
  /// The project requires nonces of the server, and the client created this one.
  case ofClient
  /// The project requires nonces of the server, and the request has none.
  case missing
}
