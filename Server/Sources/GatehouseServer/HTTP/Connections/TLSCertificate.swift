import Crypto
package import Foundation
package import NIOSSL
import Synchronization

/// The server's certificate with its key, from two files that may change while the server runs.
package final class TLSCertificate: Sendable {
  private let certificateFile: String
  private let keyFile: String
  private let state: Mutex<State>

  private struct State {
    var loaded: Loaded
    /// The contents of the files when they were last read, valid or not.
    var seen: SHA256Digest
  }

  private struct Loaded {
    let context: NIOSSLContext
    let expiresAt: Date
  }

  /// Why the files can't be used, and what to do.
  package struct Fault: Error, CustomStringConvertible {
    package let description: String
  }

  /// Certificate chains and keys are never longer. Bytes.
  private static let maximumBytes = 1 << 20

  /// - Parameters:
  ///   - certificateFile: PEM: the server's certificate, followed by the certificates of its
  ///     issuers.
  ///   - keyFile: PEM, not encrypted; readable at most by its owner and group.
  /// - Throws: ``Fault``.
  package init(certificateFile: String, keyFile: String) throws {
    self.certificateFile = certificateFile
    self.keyFile = keyFile
    let files = try Self.read(certificateFile, keyFile)
    state = Mutex(
      State(loaded: try Self.load(files, certificateFile, keyFile), seen: files.digest))
  }

  /// The TLS context for new connections.
  package var context: NIOSSLContext { state.withLock { $0.loaded.context } }

  /// When the certificate expires.
  package var expiresAt: Date { state.withLock { $0.loaded.expiresAt } }

  /// Loads the files if they changed since the last call.
  ///
  /// - Returns: Whether they changed.
  /// - Throws: ``Fault`` if the files can't be used, as in the middle of a renewal. The previous
  ///   certificate stays in use. Files that can be read but not used are reported once for each
  ///   change; files that can't be read are reported by each call.
  package func reload() throws -> Bool {
    let files = try Self.read(certificateFile, keyFile)
    guard
      state.withLock({ state in
        defer { state.seen = files.digest }
        return state.seen != files.digest
      })
    else { return false }
    let loaded = try Self.load(files, certificateFile, keyFile)
    state.withLock { $0.loaded = loaded }
    return true
  }

  // MARK: Reading

  private struct Files {
    let certificate: [UInt8]
    let key: [UInt8]

    var digest: SHA256Digest {
      var hash = SHA256()
      // Each part is hashed separately, so that no byte can move from one to the other.
      for part in [certificate, key] { hash.update(data: Data(SHA256.hash(data: part))) }
      return hash.finalize()
    }
  }

  private static func read(_ certificateFile: String, _ keyFile: String) throws -> Files {
    let certificate = try contents(of: certificateFile, "TLS certificate")
    let key = try contents(of: keyFile, "TLS key")
    let attributes = try? FileManager.default.attributesOfItem(atPath: keyFile)
    let mode = (attributes?[.posixPermissions] as? NSNumber)?.intValue ?? 0
    guard mode & 0o007 == 0 else {
      throw Fault(
        description: "the TLS key \(keyFile) can be read by all users; run: chmod o= \(keyFile)")
    }
    return Files(certificate: certificate, key: key)
  }

  private static func contents(of path: String, _ what: String) throws -> [UInt8] {
    guard let handle = FileHandle(forReadingAtPath: path),
      let data = try? handle.read(upToCount: maximumBytes)
    else {
      throw Fault(
        description: "the \(what) \(path) can't be read; does it exist, and may this user read it?")
    }
    return Array(data)
  }

  private static func load(
    _ files: Files, _ certificateFile: String, _ keyFile: String
  ) throws -> Loaded {
    guard let chain = try? NIOSSLCertificate.fromPEMBytes(files.certificate),
      let certificate = chain.first
    else {
      throw Fault(
        description: "the TLS certificate \(certificateFile) contains no certificate in PEM form "
          + "(-----BEGIN CERTIFICATE-----)")
    }
    guard let key = try? NIOSSLPrivateKey(bytes: files.key, format: .pem) else {
      throw Fault(
        description:
          "the TLS key \(keyFile) contains no private key in PEM form, or an encrypted one; "
          + "decrypt it with: openssl pkey -in \(keyFile) -out plain.pem")
    }
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
    configuration.minimumTLSVersion = .tlsv12
    configuration.applicationProtocols = ["http/1.1"]
    // A browser that keeps an idle connection must not delay the end of the server.
    configuration.shutdownTimeout = OutboundClient.closingTime
    guard let context = try? NIOSSLContext(configuration: configuration) else {
      throw Fault(
        description:
          "the TLS key \(keyFile) doesn't fit the certificate \(certificateFile), or "
          + "is of a kind that TLS doesn't use; give the key with which the certificate was created"
      )
    }
    return Loaded(
      context: context,
      expiresAt: Date(timeIntervalSince1970: TimeInterval(certificate.notValidAfter)))
  }
}
