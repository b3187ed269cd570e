import NIOSSL
import SwiftASN1
import X509

import struct Foundation.Date

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

  /// What is wrong with a chain that a connection rejected, as far as the certificates show it.
  ///
  /// - Parameter chain: The certificates as the host sent them, its own first.
  init(_ chain: [NIOSSLCertificate], now: Date) {
    let certificates = chain.compactMap { certificate in
      (try? certificate.toDERBytes()).flatMap { try? Certificate(derEncoded: $0) }
    }
    if certificates.contains(where: { $0.notValidAfter < now }) {
      self = .expired
    } else if certificates.contains(where: { $0.notValidBefore > now }) {
      self = .notYetValid
    } else if let own = certificates.first, own.issuer == own.subject {
      self = .selfSigned
    } else {
      self = .unknownAuthority
    }
  }

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

/// Certificate authorities that are trusted in addition to the machine's, such as a company's.
package struct PrivateAuthorities: Sendable {
  let certificates: [NIOSSLCertificate]

  /// No authorities.
  package init() { certificates = [] }

  /// Reads certificates in PEM.
  ///
  /// - Throws: ``Unreadable`` if the file doesn't exist or contains no certificate.
  package init(file: String) throws(Unreadable) {
    do {
      certificates = try NIOSSLCertificate.fromPEMFile(file)
    } catch {
      throw Unreadable()
    }
    guard !certificates.isEmpty else { throw Unreadable() }
  }

  package struct Unreadable: Error, Hashable {
    package init() {}
  }
}
