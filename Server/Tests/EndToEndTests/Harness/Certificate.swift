import Foundation

/// A self-signed certificate for `localhost` and 127.0.0.1, with its key.
struct Certificate: Sendable {
  let file: String
  let keyFile: String

  /// - Parameter name: The subject and the files' name.
  static func make(_ name: String, in folder: TemporaryFolder) async throws -> Certificate {
    let certificate = Certificate(
      file: "\(folder.path)/\(name).pem", keyFile: "\(folder.path)/\(name).key")
    let process = try ChildProcess(
      "/usr/bin/env",
      [
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
        "-days", "2", "-subj", "/CN=\(name)", "-addext",
        "subjectAltName=DNS:localhost,IP:127.0.0.1",
        "-keyout", certificate.keyFile, "-out", certificate.file,
      ], folder: folder)
    guard try await process.end() == 0 else {
      throw MissingTool("openssl made no certificate: \(process.errors)")
    }
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: certificate.keyFile)
    return certificate
  }

  var arguments: [String] { ["--tls-certificate", file, "--tls-key", keyFile] }

  /// Replaces the contents of this certificate's files with those of another, as a renewal does.
  func replace(with other: Certificate) throws {
    for (old, new) in [(file, other.file), (keyFile, other.keyFile)] {
      try Data(contentsOf: URL(fileURLWithPath: new)).write(to: URL(fileURLWithPath: old))
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: keyFile)
  }
}
