import Foundation
import GatehouseServer
import Testing

@Suite struct DKIMCheckTests {
  // MARK: Keys

  /// The keys of RFC 6376 Appendix C and RFC 8463 Appendix A. The RSA keys have 1024 bits.
  private static let published = [
    "MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDwIRP/UC3SBsEmGqZ9ZJW3/DkMoGeLnQg1fWn7/zYt"
      + "IxN2SnFCjxOCKG9v3b4jYfcTNh5ijSsq631uBItLa7od+v/RtdC2UzJ1lWT947qR+Rcac2gbto/NMqJ0"
      + "fzfVjH4OuKhitdY9tf6mcwGjaNBcWToIMmPSPDdQPNUYckcQ2QIDAQAB",
    "MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDkHlOQoBTzWRiGs5V6NpP3idY6Wk08a5qhdR6wy5bd"
      + "OKb2jLQiY/J16JYi0Qvx/byYzCNb3W91y3FutACDfzwQ/BC/e/8uBsCR+yz1Lxj+PL6lHvqMKrM3rG4h"
      + "stT5QjvHO9PzoxZyVYLzBfO2EeC3Ip3G+2kryOTIKT+l/K4w3QIDAQAB",
    "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
  ]

  private static let rsaEncryption: [UInt8] = [
    0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
  ]

  /// A value in DER (ITU-T X.690 §8.1).
  private static func der(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
    let count = contents.count
    let length: [UInt8]
    if count < 128 {
      length = [UInt8(count)]
    } else if count < 256 {
      length = [0x81, UInt8(count)]
    } else {
      length = [0x82, UInt8(count / 256), UInt8(count % 256)]
    }
    return [tag] + length + contents
  }

  /// An `RSAPublicKey` with a modulus of so many bits.
  private static func rsaPublicKey(_ bits: Int) -> [UInt8] {
    let first = UInt8(1) << UInt8((bits - 1) % 8)
    let digits = [first] + [UInt8](repeating: 0xFF, count: (bits - 1) / 8)
    return der(0x30, der(0x02, first < 0x80 ? digits : [0] + digits) + der(0x02, [1, 0, 1]))
  }

  /// A `SubjectPublicKeyInfo` with this algorithm and key.
  private static func keyInfo(_ algorithm: [UInt8], _ key: [UInt8]) -> [UInt8] {
    der(0x30, der(0x30, algorithm) + der(0x03, [0] + key))
  }

  private static func text(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

  private static func info(_ bits: Int) -> String {
    text(keyInfo(rsaEncryption, rsaPublicKey(bits)))
  }

  /// Each differs from a key of 2048 bits in one thing.
  private static var malformed: [(String, [UInt8])] {
    let key = rsaPublicKey(2048)
    let info = keyInfo(rsaEncryption, key)
    // Without the tag and the length.
    let members = Array(key.dropFirst(4))
    let longLength: [UInt8] = [0x30, 0x84, 0x00, 0x00, 0x01, 0x0A]
    let indefiniteLength: [UInt8] = [0x30, 0x80]
    let exponent = der(0x02, [1, 0, 1])
    let negative = der(0x02, [UInt8](repeating: 0x80, count: 256))
    let zero = der(0x02, [0])
    let modulus = Array(members.dropLast(exponent.count))
    let algorithm = der(0x30, rsaEncryption)
    let bitString = der(0x03, [1] + key)
    return [
      ("only a tag", [0x30]), ("zeros", [UInt8](repeating: 0, count: 294)),
      ("its end is absent", Array(key.dropLast())), ("more follows", key + [0]),
      ("more follows the key info", info + [0]), ("a length of four bytes", longLength + members),
      ("an indefinite length", indefiniteLength + members),
      ("a negative modulus", der(0x30, negative + exponent)),
      ("the modulus 0", der(0x30, zero + exponent)), ("no exponent", der(0x30, modulus)),
      ("another algorithm", keyInfo(der(0x06, [0x2B, 0x65, 0x70]), key)),
      ("unused bits", der(0x30, algorithm + bitString)), ("no key", der(0x30, algorithm)),
      ("an empty key", keyInfo(rsaEncryption, [])),
    ]
  }

  private func verdict(_ record: String, selector: String = "s1") async throws -> DKIMVerdict {
    let dns = FakeDNS(texts: ["s1._domainkey.example.com": [record]])
    return try await DKIMCheck.verdict(selector: selector, domain: "example.com", asking: dns)
  }

  // MARK: Tests

  @Test(arguments: [
    ("v=DKIM1; k=rsa; p=\(info(2048))", DKIMVerdict.good), ("p=\(info(2048))", .good),
    ("v=DKIM1; p=\(published[0])", .short), ("v=DKIM1; k=rsa; p=\(published[1])", .short),
    ("v=DKIM1; k=ed25519; p=\(published[2])", .good),
    ("v=DKIM1; k=ed25519; p=\(text([UInt8](repeating: 1, count: 31)))", .invalid),
    ("v=DKIM1; p=", .revoked), ("v=DKIM1; p=!", .invalid),
    ("v=DKIM1; k=dsa; p=\(info(2048))", .invalid), ("v=DKIM2; p=\(info(2048))", .invalid),
    ("v=spf1 -all", .missing),
    // Long values are written with spaces.
    ("v=DKIM1; p=\(info(2048).prefix(100)) \(info(2048).dropFirst(100))", .good),
  ]) func `a key is read as receivers read it`(
    _ record: String, _ expected: DKIMVerdict
  ) async throws {
    #expect(try await verdict(record) == expected)
  }

  /// RFC 6376 §3.6.1 names the shorter form. Signers publish the longer one.
  @Test(arguments: [
    (512, DKIMVerdict.tooShort), (960, .tooShort), (1016, .tooShort), (1023, .tooShort),
    (1024, .short), (1536, .short), (2047, .short), (2048, .good), (4096, .good),
  ]) func `an RSA key is as long as its modulus, in both forms`(
    _ bits: Int, _ expected: DKIMVerdict
  ) async throws {
    let key = Self.rsaPublicKey(bits)
    #expect(try await verdict("v=DKIM1; p=\(Self.text(key))") == expected)
    #expect(try await verdict("v=DKIM1; p=\(Self.info(bits))") == expected)
  }

  @Test func `the tests' keys have the form of published keys`() throws {
    let made = Data(Self.keyInfo(Self.rsaEncryption, Self.rsaPublicKey(1024)))
    for text in Self.published.prefix(2) {
      let key = try #require(Data(base64Encoded: text))
      #expect(key.count == made.count)
      // Up to the modulus, and after it.
      #expect(key.prefix(29) == made.prefix(29))
      #expect(key.suffix(5) == made.suffix(5))
    }
  }

  @Test(arguments: malformed) func `a malformed RSA key is invalid`(
    _ fault: String, _ key: [UInt8]
  ) async throws {
    #expect(try await verdict("v=DKIM1; p=\(Self.text(key))") == .invalid, "\(fault)")
  }

  @Test func `another selector has no key`() async throws {
    let record = "v=DKIM1; p=\(Self.info(2048))"
    #expect(try await verdict(record, selector: "s2") == .missing)
  }
}
