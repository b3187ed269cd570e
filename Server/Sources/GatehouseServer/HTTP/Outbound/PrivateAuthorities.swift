package import AsyncHTTPClient
import NIOSSL

/// Certificate authorities that are trusted in addition to the machine's, such as a company's.
package struct PrivateAuthorities: Sendable {
  fileprivate let certificates: [NIOSSLCertificate]

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

extension HTTPClient.Configuration {
  /// Trusts the machine's certificate authorities, and these.
  package mutating func trust(_ authorities: PrivateAuthorities) {
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.shutdownTimeout = OutboundClient.closingTime
    if !authorities.certificates.isEmpty {
      tls.additionalTrustRoots = [.certificates(authorities.certificates)]
    }
    tlsConfiguration = tls
  }
}
