import Crypto
import GatehouseProtocol
import GatehouseTokens
import Testing

/// Attacks on the compact form, on its header and on the choice of the key.
@Suite struct TokenAttackTests {
  @Test func `the unchanged token is accepted`() throws {
    try Fixture.verify(try Fixture.token())
  }

  // MARK: 1–5, the header

  @Test(arguments: ["none", "None", "nOnE", "NONE"])
  func `alg none is refused in every spelling`(name: String) throws {
    let token = try Fixture.token(header: { $0["alg"] = .string(name) })
    #expect(refusal { try Fixture.verify(token) } == .algorithmUnsupported)
  }

  @Test func `alg none without a signature is refused`() throws {
    let header: JSONObject = ["alg": "none"]
    let token =
      Base64URL.encode(header.serialized()) + "."
      + Base64URL.encode(Fixture.claims.serialized()) + "."
    #expect(refusal { try UnverifiedToken(token) } == .emptySignature)
  }

  @Test(arguments: ["HS256", "HS384", "HS512"])
  func `a public RSA key can't be used as an HMAC secret`(name: String) throws {
    let token = try Fixture.token(header: { $0["alg"] = .string(name) })
    #expect(refusal { try Fixture.verify(token) } == .algorithmUnsupported)
  }

  @Test func `an ES256 token naming an RSA key is refused`() throws {
    let attacker = EllipticKey(keyID: try Fixture.key.keyID)
    var policy = Fixture.policy
    policy = TokenPolicy(
      issuers: policy.issuers, audiences: policy.audiences, algorithms: [.rs256, .es256])
    #expect(refusal { try Fixture.verify(try attacker.token(), policy: policy) } == .keyAlgorithm)
  }

  @Test func `an algorithm that isn't configured is refused, even if the key fits`() throws {
    let policy = TokenPolicy(
      issuers: [Fixture.issuer], audiences: [Fixture.audience], algorithms: [.es256])
    #expect(
      refusal { try Fixture.verify(try Fixture.token(), policy: policy) } == .algorithmNotAllowed)
  }

  @Test func `a key that says RS256 doesn't verify RS384`() throws {
    let token = try Fixture.token(header: { $0["alg"] = "RS384" })
    let policy = TokenPolicy(
      issuers: [Fixture.issuer], audiences: [Fixture.audience], algorithms: [.rs384])
    #expect(refusal { try Fixture.verify(token, policy: policy) } == .keyAlgorithm)
  }

  @Test(arguments: ["jwk", "jku", "x5u", "x5c"])
  func `a key in the header is ignored`(member: String) throws {
    let attacker = try jwk(of: try Fixture.otherKey)
    let value: JSONValue =
      switch member {
      case "jwk": .object(attacker)
      case "x5c": ["MIIB"]
      default: "https://attacker.example.com/keys"
      }
    // Signed with our key, the token is accepted. Signed with the key in its header, it is refused.
    try Fixture.verify(try Fixture.token(header: { $0[member] = value }))
    let header = Fixture.with(try Fixture.header) { $0[member] = value }
    let forged = try Fixture.token(
      header: header.serialized(), payload: Fixture.claims.serialized(),
      signer: RS256Signer(key: try Fixture.otherKey))
    #expect(refusal { try Fixture.verify(forged) } == .signature)
  }

  @Test(arguments: [["exp"], ["b64"], ["http://example.com/unknown"], []] as [[JSONValue]])
  func `crit is refused, whatever it lists`(names: [JSONValue]) throws {
    let token = try Fixture.token(header: { $0["crit"] = .array(names) })
    #expect(refusal { try Fixture.verify(token) } == .criticalHeader)
  }

  // MARK: 6, ECDSA

  @Test func `an ECDSA signature is r and s as raw numbers`() throws {
    let key = EllipticKey()
    _ = try key.verify(try key.token())
  }

  @Test(arguments: ["r = 0", "s = 0", "r = n", "s = n", "both 0"])
  func `r and s outside of 1 to n − 1 are refused`(what: String) throws {
    let order = try #require(Base64URL.decode("_____wAAAAD__________7zm-q2nF56E87nKwvxjJVE"))
    let zero = [UInt8](repeating: 0, count: 32)
    let key = EllipticKey()
    let token = try key.token { signature in
      let (r, s) = (Array(signature[..<32]), Array(signature[32...]))
      signature =
        switch what {
        case "r = 0": zero + s
        case "s = 0": r + zero
        case "r = n": order + s
        case "s = n": r + order
        default: zero + zero
        }
    }
    #expect(refusal { try key.verify(token) } == .signature)
  }

  @Test func `DER in place of raw numbers is refused`() throws {
    let key = EllipticKey()
    let header: JSONObject = ["alg": "ES256", "kid": "ec-1"]
    let input =
      Base64URL.encode(header.serialized()) + "." + Base64URL.encode(Fixture.claims.serialized())
    let der = Array(try key.key.signature(for: Array(input.utf8)).derRepresentation)
    #expect(refusal { try key.verify(input + "." + Base64URL.encode(der)) } == .signature)
  }

  @Test func `a token with the other valid s counts as the same token`() throws {
    let order = try #require(Base64URL.decode("_____wAAAAD__________7zm-q2nF56E87nKwvxjJVE"))
    let key = EllipticKey()
    let token = try key.token()
    let segments = token.split(separator: ".")
    let signature = try #require(Base64URL.decode(String(segments[2])))
    let varied = signature[..<32] + difference(order, Array(signature[32...]))
    let other = "\(segments[0]).\(segments[1]).\(Base64URL.encode(Array(varied)))"
    #expect(other != token)
    #expect(
      try key.verify(other).signingInputSHA256 == key.verify(token).signingInputSHA256)
  }

  /// `left - right` for big-endian numbers of one length.
  private func difference(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
    var borrow = 0
    return zip(left, right).reversed().map { left, right in
      let digit = Int(left) - Int(right) - borrow
      borrow = digit < 0 ? 1 : 0
      return UInt8(truncatingIfNeeded: digit)
    }.reversed()
  }

  // MARK: 10–12, the form

  @Test(arguments: ["=", "==", " ", "\n", "\r\n", "\t", "+", "/", "\u{e9}"])
  func `a character appended to a segment is refused`(text: String) throws {
    let segments = try Fixture.token().split(separator: ".")
    for place in 0..<3 {
      var changed = segments.map(String.init)
      changed[place] += text
      let token = changed.joined(separator: ".")
      #expect(refusal { try UnverifiedToken(token) } == .base64URL)
    }
  }

  @Test func `left-over bits in base64url are refused`() throws {
    // The last digit for 256 bytes holds only two bits of data.
    var token = Array(try Fixture.token().utf8)
    let last = token.removeLast()
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    let value = try #require(digits.firstIndex(of: last))
    token.append(digits[value ^ 1])
    #expect(refusal { try UnverifiedToken(token) } == .base64URL)
  }

  @Test func `two or four segments are refused`() throws {
    let token = try Fixture.token()
    let two = token.split(separator: ".").prefix(2).joined(separator: ".")
    #expect(refusal { try UnverifiedToken(two) } == .segments)
    #expect(refusal { try UnverifiedToken(token + ".e30") } == .segments)
    #expect(refusal { try UnverifiedToken(token + ".") } == .segments)
    #expect(refusal { try UnverifiedToken("") } == .segments)
  }

  @Test func `duplicate members are refused in the payload and the header`() throws {
    let audience = Fixture.audience
    let payload = """
      {"iss":"https://id.example.com","aud":"\(audience)","aud":"com.example.other","sub":"1",\
      "iat":1699999990,"exp":1700003590}
      """
    let token = try Fixture.token(
      header: try Fixture.header.serialized(), payload: Array(payload.utf8))
    #expect(refusal { try UnverifiedToken(token) } == .payload)

    let header = "{\"alg\":\"RS256\",\"kid\":\"\(try Fixture.key.keyID)\",\"alg\":\"none\"}"
    let twice = try Fixture.token(
      header: Array(header.utf8), payload: Fixture.claims.serialized())
    #expect(refusal { try UnverifiedToken(twice) } == .header)
  }

  @Test(arguments: ["[]", "\"text\"", "1", "null", "{} {}", "", "{\"a\":1", "{\"a\":\"\\ud800\"}"])
  func `a payload that isn't an object is refused`(payload: String) throws {
    let token = try Fixture.token(
      header: try Fixture.header.serialized(), payload: Array(payload.utf8))
    #expect(refusal { try UnverifiedToken(token) } == .payload)
  }

  @Test(arguments: [
    "[]", "{\"alg\":null}", "{\"kid\":\"k\"}", "{\"alg\":[\"RS256\"]}",
    "{\"alg\":\"RS256\",\"kid\":1}", "{\"alg\":\"RS256\",\"typ\":[]}",
  ])
  func `a header with a member of another type is refused`(header: String) throws {
    let token = try Fixture.token(
      header: Array(header.utf8), payload: Fixture.claims.serialized())
    #expect(refusal { try UnverifiedToken(token) } == .header)
  }

  @Test func `a token of a megabyte is refused`() throws {
    let token = String(repeating: "a", count: 1 << 20)
    #expect(refusal { try UnverifiedToken(token) } == .tooLong)
    let long = try Fixture.token(claims: {
      $0["padding"] = .string(String(repeating: "a", count: 16 * 1024))
    })
    #expect(refusal { try UnverifiedToken(long) } == .tooLong)
    _ = try UnverifiedToken(long, limits: TokenLimits(bytes: 32 * 1024))
  }

  @Test func `JSON nested ten thousand deep is refused`() throws {
    let nested = "{\"a\":" + String(repeating: "[", count: 10_000)
    let limits = TokenLimits(bytes: 1 << 20)
    let payload = try Fixture.token(
      header: try Fixture.header.serialized(), payload: Array(nested.utf8))
    #expect(refusal { try UnverifiedToken(payload, limits: limits) } == .payload)
    let header = try Fixture.token(
      header: Array(nested.utf8), payload: Fixture.claims.serialized())
    #expect(refusal { try UnverifiedToken(header, limits: limits) } == .header)
  }

  @Test(arguments: [
    "at+jwt", "secevent+jwt", "JOSE", "application/at+jwt", "application/", "text/jwt", "jwt ",
    "application/jwt;x=1", "application/application/jwt",
  ])
  func `another typ is refused`(type: String) throws {
    let token = try Fixture.token(header: { $0["typ"] = .string(type) })
    #expect(refusal { try Fixture.verify(token) } == .type)
  }

  @Test func `typ may be absent unless it is required, and is compared as a media type`() throws {
    for type in ["jwt", "application/jwt", "Application/JWT"] {
      try Fixture.verify(try Fixture.token(header: { $0["typ"] = .string(type) }))
    }
    var policy = Fixture.policy
    policy.requiresType = true
    for absent in [nil, .null, ""] as [JSONValue?] {
      let token = try Fixture.token(header: { $0["typ"] = absent })
      try Fixture.verify(token)
      #expect(refusal { try Fixture.verify(token, policy: policy) } == .type)
    }
  }
}
