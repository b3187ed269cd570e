import Crypto
import Foundation
import GatehouseProtocol
import GatehouseTokens
import Testing

@testable import GatehouseServer

/// The test vectors of WebAuthn, and what must be refused: each refused answer differs from an accepted one in
/// one thing.
@Suite struct PasskeyCeremonyTests {
  private static let origins = ["https://example.org", "https://example.com"]

  private static func ceremony(
    _ challenge: [UInt8], origins: [String] = origins, id: String = "example.org",
    requiresUserVerification: Bool = false
  ) -> PasskeyCeremony {
    PasskeyCeremony(
      challenge: challenge,
      relyingParty: RelyingParty(
        id: id, name: "Example", origins: origins, allowsLoopback: false,
        requiresUserVerification: requiresUserVerification))
  }

  private static func register(
    _ vector: WebAuthnVector, origins: [String] = origins
  ) throws(WebAuthnFault) -> CreatedCredential {
    try ceremony(vector.registrationChallenge, origins: origins).verifyRegistration(
      id: vector.credentialID, clientDataJSON: vector.registrationClientData,
      attestationObject: vector.attestationObject)
  }

  private static let verifiable = WebAuthnVector.all.filter {
    !["packed-es384", "packed-ed448", "none-es256-crossOrigin"].contains($0.name)
  }

  @Test(arguments: verifiable)
  func `a registration and an authentication of the standard's test vectors are verified`(
    vector: WebAuthnVector
  ) throws {
    let created = try Self.register(vector)
    #expect(created.id == vector.credentialID)
    let data = try Self.ceremony(vector.challenge).verifyAssertion(
      by: try COSEKey(created.publicKey), clientDataJSON: vector.clientData,
      authenticatorData: vector.authenticatorData, signature: vector.signature)
    #expect(data.signCount == 0)
    #expect(data.flags.contains(.userPresent))
    #expect(
      data.flags.contains(.backupEligible) == created.flags.contains(.backupEligible))
  }

  @Test(arguments: [("packed-es384", -35), ("packed-ed448", -53)])
  func `an algorithm that was not asked for is refused`(name: String, number: Int) throws {
    let vector = try WebAuthnVector.named(name)
    #expect(throws: WebAuthnFault.algorithm(number)) { try Self.register(vector) }
  }

  @Test func `a page in a page of another origin is refused`() throws {
    let unnamed = try WebAuthnVector.named("none-es256-crossOrigin")
    #expect(throws: WebAuthnFault.crossOrigin) { try Self.register(unnamed) }
    let named = try WebAuthnVector.named("none-es256-topOrigin")
    #expect(throws: WebAuthnFault.crossOrigin) {
      try Self.register(named, origins: ["https://example.org"])
    }
  }

  @Test func `another challenge, origin or relying party is refused`() throws {
    let vector = try WebAuthnVector.named("none-es256")
    func verify(_ ceremony: PasskeyCeremony) throws(WebAuthnFault) {
      _ = try ceremony.verifyRegistration(
        id: vector.credentialID, clientDataJSON: vector.registrationClientData,
        attestationObject: vector.attestationObject)
    }
    try verify(Self.ceremony(vector.registrationChallenge))
    #expect(throws: WebAuthnFault.challenge) { try verify(Self.ceremony(vector.challenge)) }
    for origin in ["https://example.org:8443", "http://example.org", "https://sub.example.org"] {
      #expect(throws: WebAuthnFault.origin) {
        try verify(Self.ceremony(vector.registrationChallenge, origins: [origin]))
      }
    }
    #expect(throws: WebAuthnFault.relyingParty) {
      try verify(Self.ceremony(vector.registrationChallenge, id: "example.com"))
    }
  }

  @Test func `an answer of the other ceremony is refused`() throws {
    let vector = try WebAuthnVector.named("none-es256")
    let created = try Self.register(vector)
    #expect(throws: WebAuthnFault.type) {
      _ = try Self.ceremony(vector.challenge).verifyRegistration(
        id: vector.credentialID, clientDataJSON: vector.clientData,
        attestationObject: vector.attestationObject)
    }
    #expect(throws: WebAuthnFault.type) {
      _ = try Self.ceremony(vector.registrationChallenge).verifyAssertion(
        by: try COSEKey(created.publicKey), clientDataJSON: vector.registrationClientData,
        authenticatorData: vector.authenticatorData, signature: vector.signature)
    }
  }

  @Test func `another signature, key or client data is refused`() throws {
    let vector = try WebAuthnVector.named("none-es256")
    let key = try COSEKey(try Self.register(vector).publicKey)
    let other = try COSEKey(try Self.register(try WebAuthnVector.named("packed-es256")).publicKey)
    func verify(
      _ key: COSEKey, _ clientData: [UInt8], _ data: [UInt8], _ signature: [UInt8]
    ) throws(WebAuthnFault) {
      _ = try Self.ceremony(vector.challenge).verifyAssertion(
        by: key, clientDataJSON: clientData, authenticatorData: data, signature: signature)
    }
    try verify(key, vector.clientData, vector.authenticatorData, vector.signature)
    #expect(throws: WebAuthnFault.signature) {
      try verify(other, vector.clientData, vector.authenticatorData, vector.signature)
    }
    #expect(throws: WebAuthnFault.signature) {
      try verify(key, vector.clientData + [0x20], vector.authenticatorData, vector.signature)
    }
    #expect(throws: WebAuthnFault.signature) {
      try verify(
        key, vector.clientData, vector.authenticatorData, vector.signature + [0])
    }
    var counted = vector.authenticatorData
    counted[36] = 1
    #expect(throws: WebAuthnFault.signature) {
      try verify(key, vector.clientData, counted, vector.signature)
    }
  }

  @Test func `an absent flag is refused`() throws {
    let authenticator = Authenticator()
    let challenge: [UInt8] = [1, 2, 3]
    let ceremony = Self.ceremony(challenge, requiresUserVerification: true)
    _ = try authenticator.register(ceremony)
    #expect(throws: WebAuthnFault.userNotPresent) {
      try authenticator.register(ceremony, flags: [.userVerified])
    }
    #expect(throws: WebAuthnFault.userNotVerified) {
      try authenticator.register(ceremony, flags: [.userPresent])
    }
    #expect(throws: WebAuthnFault.backupFlags) {
      try authenticator.register(ceremony, flags: [.userPresent, .userVerified, .backedUp])
    }
    try authenticator.register(Self.ceremony(challenge), flags: [.userPresent])
  }

  @Test func `a registration of another credential than the named one is refused`() throws {
    let vector = try WebAuthnVector.named("none-es256")
    #expect(throws: WebAuthnFault.credentialID) {
      _ = try Self.ceremony(vector.registrationChallenge).verifyRegistration(
        id: vector.credentialID + [0], clientDataJSON: vector.registrationClientData,
        attestationObject: vector.attestationObject)
    }
  }

  @Test func `every truncated or changed attestation object is refused`() throws {
    let vector = try WebAuthnVector.named("packed-eddsa")
    let object = vector.attestationObject
    _ = try PasskeyCeremony.authenticatorData(in: object)
    for count in object.indices {
      #expect(throws: WebAuthnFault.self) {
        try PasskeyCeremony.authenticatorData(in: Array(object[..<count]))
      }
    }
    #expect(throws: WebAuthnFault.cbor(CBORError(code: .trailingBytes, offset: object.count))) {
      try PasskeyCeremony.authenticatorData(in: object + [0])
    }
  }

  @Test func `a statement that contradicts its format is refused`() throws {
    let data = try #require(
      try CBORReader.read(try WebAuthnVector.named("none-es256").attestationObject)["authData"])
    func object(_ format: String, _ statement: [UInt8]) -> [UInt8] {
      CBORText.map([
        (CBORText.text("fmt"), CBORText.text(format)), (CBORText.text("attStmt"), statement),
        (CBORText.text("authData"), CBORText.bytes(data.bytes ?? [])),
      ])
    }
    _ = try PasskeyCeremony.authenticatorData(in: object("none", [0xA0]))
    _ = try PasskeyCeremony.authenticatorData(in: object("example", [0xA1, 0x01, 0x02]))
    _ = try PasskeyCeremony.authenticatorData(in: object("compound", [0x80]))
    for (format, statement) in [
      ("none", [0xA1, 0x01, 0x02]), ("none", [0x80]), ("packed", [0x80]), ("packed", [0x01]),
    ] as [(String, [UInt8])] {
      #expect(throws: WebAuthnFault.attestation) {
        try PasskeyCeremony.authenticatorData(in: object(format, statement))
      }
    }
  }

  @Test func `a key with other parameters than its algorithm's is refused`() throws {
    let point = P256.Signing.PrivateKey().publicKey.x963Representation
    let (x, y) = (Array(point[1..<33]), Array(point[33..<65]))
    func key(
      type: UInt8 = 2, algorithm: UInt8 = 0x26, curve: UInt8 = 1, _ x: [UInt8], _ y: [UInt8],
      more: [([UInt8], [UInt8])] = []
    ) -> [UInt8] {
      CBORText.map(
        [
          ([0x01], [type]), ([0x03], [algorithm]), ([0x20], [curve]), ([0x21], CBORText.bytes(x)),
          ([0x22], CBORText.bytes(y)),
        ] + more)
    }
    _ = try COSEKey(key(x, y))
    let faults = [
      key(type: 1, x, y), key(curve: 2, x, y), key(x, x), key(Array(x.dropLast()), y),
      key(x, y, more: [([0x23], [0x01])]),
      // The same point for EdDSA.
      key(algorithm: 0x27, x, y),
    ]
    for fault in faults { #expect(throws: WebAuthnFault.publicKey) { try COSEKey(fault) } }
    #expect(throws: WebAuthnFault.algorithm(-36)) {
      try COSEKey(
        CBORText.map([([0x01], [2]), ([0x03], [0x38, 0x23]), ([0x20], [1])]))
    }
  }

  @Test(arguments: [(1024, 65_537), (2048, 1)])
  func `a weak RSA key is refused`(bits: Int, exponent: Int) throws {
    var modulus = [UInt8](repeating: 0xA5, count: bits / 8)
    modulus[0] |= 0x80
    let number = withUnsafeBytes(of: UInt32(exponent).bigEndian) { Array($0.drop { $0 == 0 }) }
    let key = CBORText.map([
      ([0x01], [0x03]), ([0x03], [0x39, 0x01, 0x00]), ([0x20], CBORText.bytes(modulus)),
      ([0x21], CBORText.bytes(number)),
    ])
    #expect(throws: WebAuthnFault.publicKey) { try COSEKey(key) }
  }

  @Test(arguments: [
    #"{"type":"webauthn.create","challenge":"AQID","origin":"https://example.org"}"#,
    #"{"type":"webauthn.create","challenge":"AQID","origin":"https://example.org","a":1}"#,
    #"{"type":"webauthn.create","challenge":"AQID","origin":"https://example.org","crossOrigin":false}"#,
  ])
  func `client data with the required members is accepted`(text: String) throws {
    try ClientData.check(
      Array(text.utf8), is: "webauthn.create", expecting: Self.ceremony([1, 2, 3]))
  }

  @Test(arguments: [
    (#"{"challenge":"AQID","origin":"https://example.org"}"#, WebAuthnFault.type),
    (#"{"type":"webauthn.create","origin":"https://example.org"}"#, .clientData),
    (
      #"{"type":"webauthn.create","challenge":"AQID=","origin":"https://example.org"}"#, .clientData
    ),
    (#"{"type":"webauthn.create","challenge":"AQID"}"#, .origin),
    (
      #"{"type":"webauthn.create","type":"webauthn.create","challenge":"AQID","origin":"https://example.org"}"#,
      .clientData
    ),
    (
      #"{"type":"webauthn.create","challenge":"AQID","origin":"https://example.org","crossOrigin":"false"}"#,
      .clientData
    ),
    (
      #"{"type":"webauthn.create","challenge":"AQID","origin":"https://example.org","topOrigin":"https://a.example"}"#,
      .crossOrigin
    ),
    (#"["webauthn.create"]"#, .clientData),
  ])
  func `client data with a fault is refused`(text: String, fault: WebAuthnFault) {
    #expect(throws: fault) {
      try ClientData.check(
        Array(text.utf8), is: "webauthn.create", expecting: Self.ceremony([1, 2, 3]))
    }
  }
}
