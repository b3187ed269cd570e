import Foundation
import GatehouseMail
import Testing

@Suite struct DKIMCheckTests {
  /// A public key of so many bytes: its length is what is looked at.
  private static func key(bytes: Int) -> String { Data(count: bytes).base64EncodedString() }

  @Test(arguments: [
    // The lengths of real keys of 2048, 4096, 1536, 1024 and 512 bits (SubjectPublicKeyInfo).
    ("v=DKIM1; k=rsa; p=\(key(bytes: 294))", DKIMVerdict.good),
    ("p=\(key(bytes: 550))", .good), ("v=DKIM1; p=\(key(bytes: 226))", .short),
    ("v=DKIM1; p=\(key(bytes: 162))", .short), ("v=DKIM1; p=\(key(bytes: 94))", .tooShort),
    ("v=DKIM1; k=ed25519; p=\(key(bytes: 32))", .good),
    ("v=DKIM1; k=ed25519; p=\(key(bytes: 31))", .invalid), ("v=DKIM1; p=", .revoked),
    ("v=DKIM1; p=!", .invalid), ("v=DKIM1; k=dsa; p=\(key(bytes: 294))", .invalid),
    ("v=DKIM2; p=\(key(bytes: 294))", .invalid), ("v=spf1 -all", .missing),
    // Long values are written with spaces.
    ("v=DKIM1; p=\(key(bytes: 294).prefix(100)) \(key(bytes: 294).dropFirst(100))", .good),
  ]) func `a key is read as receivers read it`(
    _ record: String, _ expected: DKIMVerdict
  ) async throws {
    let dns = FakeDNS(texts: ["s1._domainkey.example.com": [record]])
    let verdict = try await DKIMCheck.verdict(
      selector: "s1", domain: "example.com", asking: dns)
    #expect(verdict == expected)
  }

  @Test func `another selector has no key`() async throws {
    let dns = FakeDNS(
      texts: ["s1._domainkey.example.com": ["v=DKIM1; p=\(Self.key(bytes: 294))"]])
    let verdict = try await DKIMCheck.verdict(
      selector: "s2", domain: "example.com", asking: dns)
    #expect(verdict == .missing)
  }
}
