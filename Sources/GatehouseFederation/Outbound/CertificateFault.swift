import NIOSSL
import SwiftASN1
import X509

import struct Foundation.Date

/// Why a host's certificate isn't accepted.
package enum CertificateFault: String, Hashable, Sendable {
  /// It has expired, or one of those above it has.
  case expired
  case notYetValid
  /// It is for other names than the host's.
  case otherName
  /// Nobody vouches for it but its own key.
  case selfSigned
  /// Its authority is none that this machine, or `outbound.caFile`, names.
  case unknownAuthority

  /// What is wrong with certificates that a connection refused: as far as they tell by themselves.
  ///
  /// - Parameter chain: As the host sent them, its own first.
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
    case .selfSigned: "is self-signed, and not one that this server was told to trust"
    case .unknownAuthority: "is by an authority that this machine doesn't trust"
    }
  }
}

/// Certificate authorities that are trusted besides the machine's: a company's own.
package struct PrivateAuthorities: Sendable {
  let certificates: [NIOSSLCertificate]

  /// None.
  package init() { certificates = [] }

  /// Reads certificates in PEM.
  ///
  /// - Throws: ``Unreadable`` if the file isn't there or holds none.
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
