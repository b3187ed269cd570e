import Crypto
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct ProviderConfigurationRulesTests {
  private func faults(
    _ id: String = "oidc.example", allowsPlainHTTP: Bool = false,
    _ change: (inout ProviderConfiguration) -> Void = { _ in }
  ) throws -> [ProviderConfigurationFault] {
    var provider = ProviderConfiguration(
      new: try #require(ProviderID(id)), clientID: "12345", development: false)
    provider.issuer = "https://idp.example.com"
    change(&provider)
    return ProviderConfigurationRules.faults(in: provider, allowsPlainHTTP: allowsPlainHTTP)
  }

  @Test(arguments: ["oidc.example", "facebook.com", "apple.com", "google.com"])
  func `the required settings are enough`(_ id: String) throws {
    #expect(try faults(id).isEmpty)
  }

  @Test func `all faults are reported at once`() throws {
    let found = try faults {
      $0.clientID = ""
      $0.issuer = nil
      $0.responseType.code = true
      $0.displayName = String(repeating: "n", count: 8193)
    }
    #expect(
      found == [.textTooLong(maximumBytes: 8192), .clientIDMissing, .issuerMissing, .secretMissing])
  }

  @Test func `the code flow needs a secret, or a client declared public`() throws {
    #expect(try faults { $0.responseType.code = true } == [.secretMissing])
    #expect(
      try faults {
        $0.responseType.code = true
        $0.clientSecret = Secret("s3cret")
      } == [])
    #expect(
      try faults {
        $0.responseType.code = true
        $0.isPublicClient = true
      } == [])
    #expect(
      try faults {
        $0.responseType.code = true
        $0.isPublicClient = true
        $0.clientSecret = Secret("s3cret")
      } == [.secretOfPublicClient])
  }

  @Test func `a browser brings back a code or an ID token, not both`() throws {
    let both = try faults {
      $0.clientSecret = Secret("s3cret")
      $0.responseType = .init(code: true, idToken: true)
    }
    #expect(both == [.bothResponseTypes])
    for idToken in [true, false] {
      let one = try faults {
        $0.clientSecret = Secret("s3cret")
        $0.responseType = .init(code: !idToken, idToken: idToken)
      }
      #expect(one == [])
    }
  }

  @Test(
    arguments: [
      ([("tablet", "s", ["com.example.tablet"])], []),
      ([("tablet", nil, ["com.example.tablet"])], [.secretMissing]),
      ([("12345", "s", ["com.example.tablet"])], [.clientRepeated("12345")]),
      ([("", "s", ["com.example.tablet"])], [.clientIDMissing]),
      ([("tablet", "s", [""])], [.clientIDMissing]),
      (
        [("tablet", "s", ["com.example.a"]), ("phone", "s", ["com.example.a"])],
        [.clientRepeated("com.example.a")]
      ),
      ([("tablet", "s", ["com.example.a"]), ("phone", "s", ["com.example.b"])], []),
    ] as [([(String, String?, [String])], [ProviderConfigurationFault])])
  func `a further client has an id and a secret, and an app has one client`(
    _ clients: [(String, String?, [String])], _ expected: [ProviderConfigurationFault]
  ) throws {
    let found = try faults {
      $0.clientSecret = Secret("s3cret")
      $0.clients = clients.map { id, secret, bundleIDs in
        ProviderClient(clientID: id, secret: secret.map { Secret($0) }, bundleIDs: bundleIDs)
      }
    }
    #expect(found == expected)
  }

  @Test func `a further client may use the first one's key, or be public like it`() throws {
    let client = ProviderClient(clientID: "tablet", bundleIDs: ["com.example.tablet"])
    let key = ClientKey(privateKey: Secret(P256.Signing.PrivateKey().pemRepresentation))
    let withKey = try faults {
      $0.clientKey = key
      $0.clients = [client]
    }
    #expect(withKey == [])
    let isPublic = try faults {
      $0.isPublicClient = true
      $0.clients = [client]
    }
    #expect(isPublic == [])
    #expect(try faults("google.com") { $0.clients = [client] } == [.openIDConnectOnly])
  }

  @Test(
    arguments: [
      ("tenant", true), ("x-y.z", true), ("State", false), ("redirect_uri", false), ("", false),
      ("a b", false), (String(repeating: "x", count: 65), false),
    ])
  func `a parameter may be allowed unless only the server sets it`(
    _ name: String, _ isGood: Bool
  ) throws {
    let found = try faults("google.com") { $0.allowedParameters = [name] }
    #expect(found == (isGood ? [] : [.parameterReserved(name)]))
  }

  @Test(
    arguments: [
      ("https://idp.example.com", true, true), ("http://idp.example.com", false, false),
      ("http://127.0.0.1:4600/oidc", true, false), ("http://[::1]:4600", true, false),
      ("http://localhost", true, false), ("http://localhost.example.com", false, false),
      ("https://idp.example.com/#", false, false), ("ftp://idp.example.com", false, false),
      ("", false, false),
      ("https://idp.example.com/.well-known/openid-configuration", false, false),
    ])
  func `an issuer is an https URL, or http on loopback in development`(
    _ issuer: String, _ inDevelopment: Bool, _ inProduction: Bool
  ) throws {
    let expected: ProviderConfigurationFault =
      issuer.isEmpty
      ? .issuerMissing : issuer.contains(".well-known") ? .issuerIsDocument : .issuerForm
    #expect(
      try faults(allowsPlainHTTP: true) { $0.issuer = issuer } == (inDevelopment ? [] : [expected]))
    #expect(try faults { $0.issuer = issuer } == (inProduction ? [] : [expected]))
  }

  @Test func `Facebook's app ids are digits, and its emails can't be trusted`() throws {
    let enabled = { (change: (inout ProviderConfiguration) -> Void) in
      try faults("facebook.com") {
        $0.isEnabled = true
        change(&$0)
      }
    }
    #expect(
      try enabled { $0.clientID = "12345a" } == [.clientIDForm("Facebook's app ids are digits")])
    #expect(
      try enabled { $0.additionalClientIDs = ["\u{FF11}2"] } == [
        .clientIDForm("Facebook's app ids are digits")
      ])
    // Google's resource accepts any text for a disabled provider.
    #expect(try faults("facebook.com") { $0.clientID = "12345a" } == [])
    #expect(
      try faults("facebook.com") { $0.trustEmail = .always } == [
        .emailTrust("Facebook doesn't say that it verified an address")
      ])
  }

  @Test func `a client has one authentication method, or none`() throws {
    let key = ClientKey(privateKey: Secret(P256.Signing.PrivateKey().pemRepresentation))
    #expect(
      try faults {
        $0.responseType.code = true
        $0.clientKey = key
      } == [])
    #expect(
      try faults {
        $0.clientKey = key
        $0.clientSecret = Secret("s3cret")
      } == [.secretAndKey])
    #expect(
      try faults {
        $0.clientKey = key
        $0.isPublicClient = true
      } == [.secretOfPublicClient])
    #expect(try faults("google.com") { $0.clientKey = key } == [.openIDConnectOnly])
  }

  @Test(
    arguments: [
      ("", nil, nil, [.clientKeyForm]), (nil, nil, "ES384", [.clientKeyAlgorithm]),
      (nil, nil, "none", [.clientKeyAlgorithm]), (nil, "", nil, [.clientKeyID]),
      (nil, "two words", nil, [.clientKeyID]), (nil, "key-1", "ES256", []),
      ("", "", nil, [.clientKeyID, .clientKeyForm]),
    ] as [(String?, String?, String?, [ProviderConfigurationFault])])
  func `a key must be valid, with an algorithm that fits it`(
    _ pem: String?, _ id: String?, _ algorithm: String?, _ expected: [ProviderConfigurationFault]
  ) throws {
    let key = ClientKey(
      privateKey: Secret(pem ?? P256.Signing.PrivateKey().pemRepresentation), keyID: id,
      algorithm: algorithm)
    #expect(try faults { $0.clientKey = key } == expected)
  }

  @Test func `an ID token never comes in a query`() throws {
    #expect(try faults { $0.responseMode = .query } == [.idTokenInQuery])
    #expect(try faults { $0.responseMode = .fragment } == [])
    #expect(
      try faults {
        $0.responseMode = .query
        $0.isPublicClient = true
      } == [])
    #expect(try faults("apple.com") { $0.responseMode = .formPost } == [.openIDConnectOnly])
  }

  @Test func `lists have a limit`() throws {
    let ids = (0..<65).map { "client-\($0)" }
    #expect(try faults { $0.additionalClientIDs = ids } == [.listTooLong(maximum: 64)])
    #expect(try faults { $0.additionalClientIDs = ids.dropLast() } == [])
  }
}
