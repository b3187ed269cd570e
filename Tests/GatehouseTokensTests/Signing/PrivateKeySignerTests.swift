import Crypto
import CryptoExtras
import GatehouseProtocol
import GatehouseTokens
import Testing

/// Keys that sign our assertions to providers. The test keys are from RFC 7517, appendix A.2.
@Suite struct PrivateKeySignerTests {
  private static let curveKey = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg870MB6gfuTJ4HtUn
    UvYMyJpr5eUZNP4Bk43bVdj3eAGhRANCAAQwoEJM0hwpRIOKLXXJKzfnbqINnwCJ
    OjtO7oo8Cq/sPuBLZekkVtmIi1Kzeb371R7oae8fD8ZbZllpW2zOCBcj
    -----END PRIVATE KEY-----
    """

  private static let rsaKey = """
    -----BEGIN PRIVATE KEY-----
    MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDS/HtqCh5sZxBK
    64+Isldmm032ed2tCZtcSmzZqIAVtaEzvwuFbHhxtt8AC1VPzrPC7VErto8UXG6E
    NHUvq1Khz8EkQI95tYpFeMFkKIVXifeiSeOEyy2fri1n/Zb7kmwZjgdzmf3IFcCv
    CX3eWq3v9E3nDoJ/SHhDJDm/7rlgaNBHT8UNbZC/OpjfrxBAyJwC1pKrOzwolmCd
    hv1zt3TOB0BkfO7qoxC9EvmFqOufWf3UJs6lshIPTyo0vKt2S35sVNaEAji8xAWH
    pZ5m7R8ziUV3Y1xHCvdc+Swg0dpD4b/EGeIipvDQuzWMXjj5ywUK6v6QSBTxrBqk
    nMqeoMqDAgMBAAECggEAX4cTteJY/gn4FYPsXB8rdXix5vwsg1FLN5E3EaG6RJoV
    H+HLLKD9M7dx5oo7GURknchnrRweUkC7hT5fJLM0WbFAKNLWY2vv7B6NqXSzUvxT
    0/YSfqijwp3RTzlBaCxWp4doFk5N2o8Gy/nHNKroADIkJ46pRUohsXywbReAdYaM
    wFs9tv8d/cPVY3i07a3t8MN6TNwm0dSawm9v47UiCl3Sk5ZiG7xojPLu4sbg1U2j
    x4IBTNBznbJSzFHK66jT8bgkuqsk0GjskDJk19Z4qwjwbsnn4j2WBii3RL+Us2lG
    VkY8fkFzme1z0HbIkfz0Y6mqnOYtqc0X4jfcKoAC8QKBgQDzeL7si8wZegxcKyS/
    vdMqvzrfsWI7tnbvO/yiPqltZRDIs9AFDG09WfAPbRH7rR5MOYPa6Ocy3k+ioyub
    xF+Y2FVYO2OMyYIyM6lJeJwUePtc65UhhDKpVaVYSHp03foZVliT3c3wFz29jjXH
    LwH1HPM4ZVDNe80S+fs7SdVt+wKBgQDd185H1y5ir7RL6aQUvOAi2AwR8XMHareF
    Z6Ey4bSgK6qdve+hsvK6aqNVlA7V0it3CBOcJ2ljMFw59bmvfvQAVeOJZ+380YSK
    i+ieLOEqmj1VVLvxPMWDGQh2t5xF7Oxn7WRh3+zWoNvG2QMSB8AhMAb0tScAO6fi
    8hxvrJ6XGQKBgBuLD15HOmGvcvKCVvfyC4+MbqabtJc4vx+1U5EvMY+UnV93KBNK
    IpmMMSItnpkwLntFDmuXaYBRsgSeHPLUNlReNNl0boCg0z/GpGIRaObQAO+0HvzZ
    rbmGXNwt5tyNuBthr0ebEg8VMgDds6vC35/RFJrOq2Nzm/GHoipE4gY9AoGBALPZ
    QB/X4IAbKBUfDmnNkfxNoMNvNq09pBjgIbyJZRExNXn6wOoblFLzHwXDKZ/Janlu
    r8852GOUkkBe6THQv2oCN5xvCG6dQVG9CVIq2kTalHy4XEG/3fRheA4e3u+Fm0bK
    G0aJ7o02DdcQmj+kzutY71q1/i9fLcV8OPeEP3IJAoGAGyM/p6JrXySiz1toFgKb
    WV+JdI3jQ4ypu9rbMWx3rQJBfmt0FoYzgUIZEVFEcOqwemRN81zoDAaa+Bk0KWNG
    DjJHZDdDmFhW3AN7lI+puxk/mHZGJ11rxyR8O55XLSe3SPmRfKwZI6yU24ZxvQKF
    YItdldUKGzO6Ia6zTKhAVRU=
    -----END PRIVATE KEY-----
    """

  @Test func `an RSA key's id is the thumbprint of RFC 7638, section 3.1`() throws {
    let signer = try PrivateKeySigner(pem: Self.rsaKey)
    #expect(signer.keyID == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
    #expect(signer.algorithm == .rs256)
  }

  @Test func `the public key of a curve is that of RFC 7517, appendix A`() throws {
    let set = try JSONObject(parsing: try PrivateKeySigner(pem: Self.curveKey).publicKeySet())
    #expect(
      set == [
        "keys": [
          [
            "crv": "P-256", "kty": "EC", "x": "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
            "y": "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM", "use": "sig", "alg": "ES256",
            "kid": "cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s",
          ]
        ]
      ])
  }

  @Test(
    arguments: [
      .rs256, .rs384, .rs512, .ps256, .ps384, .ps512, .es256, .es384, .es512,
    ] as [SignatureAlgorithm])
  func `a signature verifies with the published key set`(
    _ algorithm: SignatureAlgorithm
  ) throws {
    let pem =
      switch algorithm {
      case .es256: P256.Signing.PrivateKey().pemRepresentation
      case .es384: P384.Signing.PrivateKey().pemRepresentation
      case .es512: P521.Signing.PrivateKey().pemRepresentation
      default: Self.rsaKey
      }
    let signer = try PrivateKeySigner(pem: pem, keyID: "key-1", algorithm: algorithm)
    let text = try TokenWriter(signer: signer).token(payload: Array("{}".utf8))
    let verifier = SignatureVerifier(keys: try KeySet(jwks: try signer.publicKeySet()))
    #expect(try verifier.verify(try UnverifiedJWS(text)).payload == Array("{}".utf8))
  }

  @Test func `the key set holds nothing of the private key`() throws {
    for pem in [Self.curveKey, Self.rsaKey] {
      let text = String(
        decoding: try PrivateKeySigner(pem: pem).publicKeySet(), as: UTF8.self)
      for name in ["d", "p", "q", "dp", "dq", "qi"] { #expect(!text.contains("\"\(name)\":")) }
      #expect(!text.contains("870MB6gfuTJ4HtUn"))
    }
  }

  @Test func `lines may end in CR LF`() throws {
    let pem = Self.curveKey.replacing("\n", with: "\r\n")
    #expect(throws: Never.self) { try PrivateKeySigner(pem: pem) }
  }

  @Test(
    arguments: [
      ("", nil, .form), ("-----BEGIN PRIVATE KEY-----", nil, .form),
      (curveKey.replacing("PRIVATE", with: "PUBLIC"), nil, .form),
      (curveKey.replacing("PRIVATE", with: "ENCRYPTED PRIVATE"), nil, .form),
      (curveKey, .rs256, .algorithm), (curveKey, .es384, .algorithm), (rsaKey, .es256, .algorithm),
      (rsaKey, .edDSA, .algorithm),
    ] as [(String, SignatureAlgorithm?, PrivateKeyError)])
  func `a text that isn't a key, or a key for another algorithm, is refused`(
    _ pem: String, _ algorithm: SignatureAlgorithm?, _ error: PrivateKeyError
  ) {
    #expect(throws: error) { try PrivateKeySigner(pem: pem, algorithm: algorithm) }
  }

  @Test func `an RSA key of 1024 bits is refused`() throws {
    let weak = try _RSA.Signing.PrivateKey(unsafeKeySize: .init(bitCount: 1024))
    #expect(throws: PrivateKeyError.form) {
      try PrivateKeySigner(pem: weak.pkcs8PEMRepresentation)
    }
  }
}
