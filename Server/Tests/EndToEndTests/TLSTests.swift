import AsyncHTTPClient
import Foundation
import NIOCore
import NIOSSL
import Testing

/// The server with its own certificate.
@Suite struct TLSTests {
  @Test func `it serves over TLS, with a certificate that changes while it runs`() async throws {
    try await TemporaryFolder.with { folder in
      let first = try await Certificate.make("first", in: folder)
      let second = try await Certificate.make("second", in: folder)
      let serving = try await Certificate.make("serving", in: folder)
      try serving.replace(with: first)
      let server = try await start(serving, in: folder)
      defer { server.process.kill() }
      #expect(server.url.hasPrefix("https://127.0.0.1:"))
      #expect(try await get(server.url, trusting: first) == 200)
      await #expect(throws: (any Error).self) { try await get(server.url, trusting: second) }

      try serving.replace(with: second)
      server.process.hangUp()
      let isRenewed = try await Deadline.wait {
        (try? await get(server.url, trusting: second)) == 200
      }
      #expect(isRenewed)
      await #expect(throws: (any Error).self) { try await get(server.url, trusting: first) }

      // An invalid new certificate doesn't replace the current one.
      _ = try folder.write("serving.pem", "not a certificate")
      server.process.hangUp()
      let isTold = try await Deadline.wait {
        server.process.errors.contains("contains no certificate")
      }
      #expect(isTold)
      #expect(try await get(server.url, trusting: second) == 200)
      server.process.terminate()
      #expect(try await server.process.end() == 0)
    }
  }

  @Test func `the command administers it if it trusts the certificate`() async throws {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      let key = try await production.command("admin-keys", "create", "--all")
      let keyFile = try folder.write("admin.key", key.lines.first ?? "")
      let certificate = try await Certificate.make("serving", in: folder)
      let server = try await production.start(certificate.arguments)
      defer { server.process.kill() }
      let list = ["projects", "list", "--server", server.baseURL, "--admin-key-file", keyFile]
      let refused = try await Command.run(list, in: folder)
      #expect(refused.status == 1)
      #expect(refused.errors.contains("of an authority that this machine doesn't trust"))
      let listed = try await Command.run(list + ["--server-ca-file", certificate.file], in: folder)
      #expect(listed.status == 0, "\(listed.errors)")
      #expect(listed.output.contains("my-app"))
      // The command that has no --server must not use another database.
      let backup = try await Command.run(
        ["backup", folder.path + "/copies", "--data", folder.path + "/data"],
        environment: ["GATEHOUSE_SERVER": server.baseURL], in: folder)
      #expect(backup.status == 1)
      #expect(backup.errors.contains("works on the server's machine only"))
    }
  }

  @Test func `TLS older than 1.2, and no TLS, are refused`() async throws {
    try await TemporaryFolder.with { folder in
      let certificate = try await Certificate.make("serving", in: folder)
      let server = try await start(certificate, in: folder)
      defer { server.process.kill() }
      #expect(try await get(server.url, trusting: certificate, version: .tlsv12) == 200)
      #expect(try await get(server.url, trusting: certificate, version: .tlsv13) == 200)
      await #expect(throws: (any Error).self) {
        try await get(server.url, trusting: certificate, version: .tlsv11)
      }
      await #expect(throws: (any Error).self) {
        try await HTTP.get(server.url.replacing("https:", with: "http:") + "/livez")
      }
    }
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Returns the arguments and the expected error.
    let make: @Sendable (Certificate, Certificate, TemporaryFolder) throws -> ([String], String)
  }

  static let refusals = [
    Row(testDescription: "a certificate without its key") { one, _, _ in
      (["--tls-certificate", one.file], "give tls.key too")
    },
    Row(testDescription: "a key without its certificate") { one, _, _ in
      (["--tls-key", one.keyFile], "give tls.certificate too")
    },
    Row(testDescription: "a certificate that isn't there") { one, _, folder in
      (
        ["--tls-certificate", folder.path + "/none", "--tls-key", one.keyFile],
        "/none can't be read; does it exist"
      )
    },
    Row(testDescription: "a file that is no certificate") { one, _, folder in
      (
        ["--tls-certificate", try folder.write("text", "text"), "--tls-key", one.keyFile],
        "contains no certificate in PEM form"
      )
    },
    Row(testDescription: "a file that is no key") { one, _, folder in
      let text = try folder.write("text", "text")
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: text)
      return (["--tls-certificate", one.file, "--tls-key", text], "contains no private key")
    },
    Row(testDescription: "another certificate's key") { one, other, _ in
      (
        ["--tls-certificate", one.file, "--tls-key", other.keyFile],
        "doesn't fit the certificate"
      )
    },
    Row(testDescription: "a key that every user can read") { one, _, _ in
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o604], ofItemAtPath: one.keyFile)
      return (one.arguments, "run: chmod o= ")
    },
  ]

  @Test(arguments: refusals) func `unusable files are refused with a remedy`(
    _ row: Row
  ) async throws {
    try await TemporaryFolder.with { folder in
      let one = try await Certificate.make("one", in: folder)
      let other = try await Certificate.make("other", in: folder)
      let (arguments, refusal) = try row.make(one, other, folder)
      let refused = try await Command.run(
        ["serve", "--dev", "--port", "0", "--simulator-port", "0", "--data", folder.path + "/data"]
          + arguments, in: folder)
      #expect(refused.status != 0)
      // The errors contain paths in the test's folder, so only a part is compared.
      #expect(refused.errors.contains(refusal), "\(refused.errors)")
    }
  }

  // MARK: A server and its client

  private struct Server {
    let url: String
    let process: ChildProcess
  }

  private func start(_ certificate: Certificate, in folder: TemporaryFolder) async throws -> Server
  {
    let process = try ChildProcess(
      try Binary.path(),
      ["serve", "--dev", "--port", "0", "--simulator-port", "0", "--data", folder.path + "/data"]
        + certificate.arguments, folder: folder)
    let prefix = "Gatehouse listens on "
    let isListening = try await Deadline.wait {
      process.output.contains("\n") || !process.isRunning
    }
    guard isListening,
      let line = process.output.split(separator: "\n").first(where: { $0.hasPrefix(prefix) })
    else {
      process.kill()
      throw DidNotStart(output: process.output, errors: process.errors)
    }
    return Server(url: String(line.dropFirst(prefix.count)), process: process)
  }

  /// The status of `/livez`, on a new connection.
  private func get(
    _ url: String, trusting certificate: Certificate, version: TLSVersion? = nil
  ) async throws -> Int {
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(certificate.file))
    if let version {
      tls.minimumTLSVersion = version
      tls.maximumTLSVersion = version
    }
    var configuration = HTTPClient.Configuration(tlsConfiguration: tls)
    configuration.connectionPool.retryConnectionEstablishment = false
    let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    let result: Result<Int, any Error>
    do {
      let response = try await client.execute(
        HTTPClientRequest(url: url + "/livez"), timeout: .seconds(300))
      result = .success(Int(response.status.code))
    } catch {
      result = .failure(error)
    }
    try await client.shutdown()
    return try result.get()
  }
}
