import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

/// A provider whose certificate isn't accepted: the error says why.
@Suite struct CertificateTests {
  private static let host = "idp.invalid"

  /// A GET to a server with this certificate, under the name `idp.invalid`.
  private func fetch(
    _ certificate: TestCertificate, trusting authority: TestCertificate? = nil
  ) async throws -> Int {
    try await TLSServer.with(certificate) { server in
      let url = try #require(OutboundURL("https://\(Self.host):\(server.port)/"))
      return try await send(url, trusting: authority)
    }
  }

  private func send(
    _ url: OutboundURL, trusting authority: TestCertificate? = nil,
    within duration: Duration = .seconds(60)
  ) async throws -> Int {
    var authorities = PrivateAuthorities()
    if let authority {
      let file = FileManager.default.temporaryDirectory
        .appendingPathComponent("authority-\(UUID().uuidString).pem")
      try Data(authority.pem.utf8).write(to: file)
      defer { try? FileManager.default.removeItem(at: file) }
      authorities = try PrivateAuthorities(file: file.path)
    }
    var limits = OutboundClient.Limits()
    limits.duration = duration
    let client = OutboundClient(
      rule: OutboundRule(allowsLoopback: true), limits: limits, authorities: authorities,
      resolver: LoopbackResolver(), clock: { Date() })
    return try await client.send(OutboundRequest(url)).status
  }

  private func expect(
    _ fault: CertificateFault, of certificate: TestCertificate,
    trusting authority: TestCertificate? = nil
  ) async throws {
    await #expect(throws: OutboundError.certificate(host: Self.host, fault)) {
      try await fetch(certificate, trusting: authority)
    }
  }

  @Test func `a private authority is trusted only if it is named`() async throws {
    let authority = try TestCertificate(name: "Our authority", isAuthority: true)
    let own = try TestCertificate(by: authority)
    #expect(try await fetch(own, trusting: authority) == 200)
    try await expect(.unknownAuthority, of: own)
    let other = try TestCertificate(name: "Another authority", isAuthority: true)
    try await expect(.unknownAuthority, of: own, trusting: other)
  }

  @Test func `a self-signed certificate is reported, and trusted if it is named`() async throws {
    let own = try TestCertificate(isAuthority: true)
    try await expect(.selfSigned, of: own)
    #expect(try await fetch(own, trusting: own) == 200)
  }

  @Test func `an expired certificate is reported, and one that isn't valid yet`() async throws {
    let authority = try TestCertificate(name: "Our authority", isAuthority: true)
    try await expect(
      .expired, of: TestCertificate(days: -3 ... -2, by: authority), trusting: authority)
    try await expect(
      .notYetValid, of: TestCertificate(days: 2...3, by: authority), trusting: authority)
  }

  @Test func `a certificate for another name is reported`() async throws {
    let authority = try TestCertificate(name: "Our authority", isAuthority: true)
    let other = try TestCertificate(name: "other.invalid", by: authority)
    try await expect(.otherName, of: other, trusting: authority)
  }

  /// Closing takes up to five seconds by the TLS library's own default.
  @Test func `a host that doesn't confirm the end of a connection delays nobody`() async throws {
    let own = try TestCertificate(isAuthority: true)
    try await TLSServer.with(own, isSilent: true) { silent in
      try await LoopbackServer.with { plain in
        // Beside a host whose connection needs no confirmation: a busy machine delays both.
        async let reference = timeUntilTimeout(
          "http://127.0.0.1:\(plain.port)/slow-head", trusting: own)
        let taken = try await timeUntilTimeout(
          "https://\(Self.host):\(silent.port)/", trusting: own)
        let longest = try await reference + .seconds(1)
        #expect(taken < longest)
      }
    }
  }

  private func timeUntilTimeout(
    _ text: String, trusting authority: TestCertificate
  ) async throws -> Duration {
    let url = try #require(OutboundURL(text))
    let start = ContinuousClock.now
    await #expect(throws: OutboundError.timedOut(host: url.host)) {
      try await send(url, trusting: authority, within: .seconds(3))
    }
    return ContinuousClock.now - start
  }

  @Test func `plain HTTP instead of TLS is reported`() async throws {
    try await LoopbackServer.with { server in
      let url = try #require(OutboundURL("https://\(Self.host):\(server.port)/ok"))
      await #expect(throws: OutboundError.notTLS(host: Self.host)) { try await send(url) }
    }
  }

  @Test func `a file without certificates can't be a list of authorities`() throws {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("authority-\(UUID().uuidString).pem")
    try Data("-----BEGIN NOTHING-----".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    for path in [file.path, file.path + ".absent"] {
      #expect(throws: PrivateAuthorities.Unreadable()) { try PrivateAuthorities(file: path) }
    }
  }
}

private struct LoopbackResolver: HostResolver {
  func addresses(
    of host: String, for project: ProjectID?, timeout: Duration
  ) async throws(OutboundError) -> [IPAddress] { [IPAddress("127.0.0.1")].compactMap(\.self) }
}
