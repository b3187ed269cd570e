import Crypto
import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import SwiftASN1
import Testing
import X509

@Suite struct UploadServiceAccountKeyTests {
  @Test func `a public key is accepted, also a second time`() async throws {
    try await TestServer.with { server in
      let key = try SharedKeys.provider.get()
      let reply = try await server.call(.upload(key.spkiPEM))
      #expect(reply.status == 200)
      let name = "projects/demo/serviceAccounts/robot@example.com/keys/\(key.keyID)"
      #expect(reply["name"] == .string(name))
      #expect(reply["validBeforeTime"] == nil)
      #expect(try await server.call(.upload(key.spkiPEM))["name"] == .string(name))
      let accounts = try await server.services.serviceAccounts.list(in: server.demo)
      #expect(accounts.map(\.roles) == [[.customTokens]])
      #expect(accounts.map(\.keys.count) == [1])
    }
  }

  @Test func `a certificate's key is valid until the certificate expires`() async throws {
    try await TestServer.with { server in
      let end = TestServer.start.addingTimeInterval(86_400)
      let reply = try await server.call(.upload(try certificate(until: end)))
      #expect(reply.status == 200)
      #expect(reply["validBeforeTime"] == .string(end.formatted(.iso8601)))
      let accounts = try await server.services.serviceAccounts.list(in: server.demo)
      #expect(accounts.first?.keys.map(\.id) == [try SharedKeys.provider.get().keyID])
    }
  }

  @Test func `what isn't an RSA public key in PEM is refused`() async throws {
    try await TestServer.with { server in
      func error(_ pem: String) async throws -> String? {
        let reply = try await server.call(.upload(pem))
        #expect(reply.status == 400)
        return reply.error
      }
      let notPEM = "The key is not one certificate or public key in PEM."
      let two = try SharedKeys.provider.get().spkiPEM + "\n" + SharedKeys.signing.get().spkiPEM
      for text in ["x", two] { #expect(try await error(text) == notPEM) }
      let elliptic = P256.Signing.PrivateKey()
      #expect(
        try await error(elliptic.publicKey.pemRepresentation)
          == "The key is not an RSA public key.")
      #expect(
        try await error(elliptic.pemRepresentation)
          == "This is a private key, which must stay secret: give its public key, and create a "
          + "new pair if this one has been sent anywhere.")
      #expect(
        try await error("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")
          == "The certificate can't be read.")
      var broken = TestRequest.upload("")
      broken.body = #"{"publicKeyData":"%"}"#
      #expect(
        try await server.call(broken).error == "publicKeyData is not the base64 of a text.")
      #expect(try await server.services.serviceAccounts.list(in: server.demo).isEmpty)
    }
  }

  @Test func `a name that isn't an email is refused`() async throws {
    try await TestServer.with { server in
      let reply = try await server.call(
        .upload(SharedKeys.provider.get().spkiPEM, to: "robot"))
      #expect(reply.error == "The service account's name is not an email address.")
    }
  }

  @Test func `another project's email is refused`() async throws {
    try await TestServer.with { server in
      let pem = try SharedKeys.provider.get().spkiPEM
      #expect(try await server.call(.upload(pem)).status == 200)
      let reply = try await server.call(.upload(pem, in: "another"))
      #expect(reply.status == 403)
      #expect(reply.error == "The service account's email belongs to another project.")
    }
  }

  @Test func `a key is never added to an administrator's account`() async throws {
    try await TestServer.with { server in
      let pem = try SharedKeys.provider.get().spkiPEM
      #expect(try await server.call(.upload(pem)).status == 200)
      _ = try await server.services.serviceAccounts.update(
        try #require(EmailAddress("robot@example.com")), in: server.demo
      ) { $0.roles.insert(.admin) }
      let reply = try await server.call(.upload(try SharedKeys.signing.get().spkiPEM))
      #expect(reply.status == 403)
      #expect(reply.error?.hasPrefix("The service account is an administrator") == true)
      let accounts = try await server.services.serviceAccounts.list(in: server.demo)
      #expect(accounts.map(\.keys.count) == [1])
    }
  }

  @Test func `an API key can't upload a key`() async throws {
    try await TestServer.with { server in
      var request = TestRequest.upload(try SharedKeys.provider.get().spkiPEM)
      request.headers = [:]
      request.key = "any-key"
      #expect(try await server.call(request).status == 401)
    }
  }

  private func certificate(until end: Date) throws -> String {
    let name = try DistinguishedName { CommonName("robot") }
    let certificate = try Certificate(
      version: .v3, serialNumber: .init(),
      publicKey: .init(derEncoded: SharedKeys.provider.get().spkiDER),
      notValidBefore: TestServer.start, notValidAfter: end, issuer: name, subject: name,
      signatureAlgorithm: .ecdsaWithSHA256, extensions: .init(),
      issuerPrivateKey: .init(P256.Signing.PrivateKey()))
    return try certificate.serializeAsPEM().pemString
  }
}

extension TestRequest {
  static func upload(
    _ pem: String, to email: String = "robot@example.com", in project: String = "demo"
  ) -> TestRequest {
    .admin(
      .post, "v1/projects/\(project)/serviceAccounts/\(email)/keys:upload",
      ["publicKeyData": .string(Data(pem.utf8).base64EncodedString())]
    ).with { _ in }
  }
}

extension TestServer {
  var demo: ProjectID { get throws { try #require(ProjectID(Self.project)) } }

  /// A project of a production server.
  ///
  /// - Returns: Its API key.
  func makeProject() async throws -> String {
    let id = try demo
    try await store.write { transaction in
      try transaction.save(
        Project(
          id: id, number: 1, issuer: "https://auth.example.com/\(id)", authorizedDomains: [],
          policies: .development))
      try transaction.insert(APIKey(text: "demo-key", project: id))
    }
    return "demo-key"
  }
}
