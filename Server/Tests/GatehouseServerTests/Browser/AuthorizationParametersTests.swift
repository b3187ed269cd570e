import GatehouseServer
import Testing

@Suite struct AuthorizationParametersTests {
  private func check(
    _ parameters: [(String, String)], allowsAny: Bool = false
  ) throws(AuthorizationParameters.Fault) {
    try AuthorizationParameters.check(
      parameters.map { (name: $0.0, value: $0.1) }, allowsAny: allowsAny)
  }

  @Test func `parameters on the list are accepted`() throws {
    try check([("login_hint", "ada@example.com"), ("prompt", "consent"), ("hd", "example.com")])
  }

  @Test(arguments: [
    "client_id", "response_type", "redirect_uri", "state", "scope", "response_mode", "nonce",
    "code_challenge", "code_challenge_method", "request", "request_uri", "State", "CLIENT_ID",
    "client_secret", "client_assertion", "client_assertion_type", "code", "code_verifier",
    "registration", "id_token_hint", "dpop_jkt",
  ])
  func `parameters that bind the response are reserved`(_ name: String) {
    for allowsAny in [false, true] {
      #expect(throws: AuthorizationParameters.Fault.reserved(name)) {
        try check([(name, "x")], allowsAny: allowsAny)
      }
    }
  }

  @Test func `only an administrator may send other parameters`() throws {
    #expect(throws: AuthorizationParameters.Fault.notAllowed("claims")) {
      try check([("claims", "{}")])
    }
    try check([("claims", "{}")], allowsAny: true)
  }

  @Test func `a provider's configuration may allow more parameters, but no reserved ones`() throws {
    let check = { (name: String) throws(AuthorizationParameters.Fault) in
      try AuthorizationParameters.check(
        [(name: name, value: "x")], allowing: ["tenant", "state"], allowsAny: false)
    }
    try check("tenant")
    #expect(throws: AuthorizationParameters.Fault.notAllowed("Tenant")) { try check("Tenant") }
    #expect(throws: AuthorizationParameters.Fault.reserved("state")) { try check("state") }
  }

  @Test(arguments: [
    [("", "x")], [("a b", "x")], [("hd", "a\u{0}")], [("hd", "a\r\nb")],
    [("hd", "1"), ("hd", "2")],
    [("hd", String(repeating: "x", count: 1025))],
    [(String(repeating: "x", count: 65), "x")],
    (0...20).map { ("p\($0)", "x") },
  ])
  func `malformed parameters are refused`(_ parameters: [(String, String)]) {
    #expect(throws: AuthorizationParameters.Fault.form) {
      try check(parameters, allowsAny: true)
    }
  }

  @Test(
    arguments: [
      (["openid", "https://example.com/auth/x"], true), ([], true), (["a b"], false), ([""], false),
      (["a\"b"], false), (["a\\b"], false), (["é"], false),
      (Array(repeating: "a", count: 33), false), ([String(repeating: "a", count: 257)], false),
    ] as [([String], Bool)])
  func `scopes have the form of RFC 6749`(_ scopes: [String], _ areGood: Bool) {
    #expect(AuthorizationParameters.areScopes(scopes) == areGood)
  }
}
