/// Why a host's certificate isn't accepted.
package enum CertificateFault: String, Hashable, Sendable {
  /// The certificate, or one above it in the chain, has expired.
  case expired
  case notYetValid
  /// The certificate is for other names than the host's.
  case otherName
  /// The certificate is signed only by its own key.
  case selfSigned
  /// Neither this machine nor `outbound.caFile` trusts the certificate's authority.
  case unknownAuthority

  var description: String {
    switch self {
    case .expired: "has expired"
    case .notYetValid: "isn't valid yet, by this machine's clock"
    case .otherName: "is for another name"
    case .selfSigned: "is self-signed, and this server isn't configured to trust it"
    case .unknownAuthority: "is by an authority that this machine doesn't trust"
    }
  }
}
