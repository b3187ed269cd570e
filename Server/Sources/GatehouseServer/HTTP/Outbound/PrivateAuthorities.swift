import NIOSSL

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
