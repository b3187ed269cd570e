import Crypto
import GatehouseProtocol
import HTTPTypes
import Testing

@Suite struct ProviderConfigTests {
  private static let collection = "v2/projects/demo/oauthIdpConfigs"
  static let secretMissing =
    "INVALID_CONFIG : client_secret cannot be empty for code flow. A clientKey replaces it, and a publicClient has "
    + "none: its provider accepts PKCE instead."
  private static let body: JSONValue = [
    "clientId": "client-a", "issuer": "https://other.example.com", "enabled": true,
  ]

  private func request(
    _ method: HTTPRequest.Method, _ path: String = "", _ query: String? = nil,
    _ body: JSONValue? = nil
  ) -> TestRequest {
    TestRequest.admin(method, Self.collection + path, body).with { $0.query = query }
  }

  private func create(_ body: JSONValue = body, id: String = "oidc.a") -> TestRequest {
    request(.post, "", "oauthIdpConfigId=\(id)", body)
  }

  @Test func `a provider is created, read, listed and deleted`() async throws {
    try await TestServer.with { server in
      let made = try await server.call(create())
      #expect(made["name"] == "projects/demo/oauthIdpConfigs/oidc.a")
      #expect(made["enabled"] == true)
      #expect(made["responseType"] == ["idToken": true])
      #expect(made["trustEmail"] == "never")
      #expect(try await server.call(request(.get, "/oidc.a")).json == made.json)
      let list = try await server.call(request(.get))
      #expect(list["oauthIdpConfigs"]?.array?.count == 3)
      let page = try await server.call(request(.get, "", "pageSize=1&pageToken=oidc.a"))
      #expect(page["oauthIdpConfigs"]?.array?.count == 1)
      #expect(page["nextPageToken"] == "oidc.plain")
      #expect(try await server.call(request(.delete, "/oidc.a")).text == "{}")
      let gone = try await server.call(request(.get, "/oidc.a"))
      #expect(gone.status == 404)
      #expect(gone.error == "CONFIGURATION_NOT_FOUND")
      #expect(gone.errorStatus == "NOT_FOUND")
    }
  }

  @Test func `a built-in provider is read, listed, deleted and added again`() async throws {
    try await TestServer.with { server in
      let all = "v2/projects/demo/defaultSupportedIdpConfigs"
      let google = try await server.call(.admin(.get, "\(all)/google.com"))
      #expect(google["name"] == "projects/demo/defaultSupportedIdpConfigs/google.com")
      let list = try await server.call(.admin(.get, all))
      #expect(list["defaultSupportedIdpConfigs"]?.array?.contains(google.json) == true)
      #expect(try await server.call(.admin(.delete, "\(all)/google.com")).text == "{}")
      let added = try await server.call(
        .admin(.post, all, ["clientId": "client-a", "enabled": true]).with {
          $0.query = "idpId=google.com"
        })
      #expect(added["clientId"] == "client-a")
      let again = try await server.call(
        .admin(.post, all, ["clientId": "client-a"]).with { $0.query = "idpId=google.com" })
      #expect(again.status == 409)
    }
  }

  @Test func `parameters are accepted in snake_case, too`() async throws {
    try await TestServer.with { server in
      let made = try await server.call(
        request(.post, "", "oauth_idp_config_id=oidc.a", Self.body))
      #expect(made["name"] == "projects/demo/oauthIdpConfigs/oidc.a")
      let changed = try await server.call(
        request(
          .patch, "/oidc.a", "update_mask=client_id",
          ["client_id": "client-b", "enabled": false]))
      #expect(changed["clientId"] == "client-b")
      #expect(changed["enabled"] == true)
      let page = try await server.call(request(.get, "", "page_size=1&page_token=oidc.a"))
      #expect(page["oauthIdpConfigs"]?.array?.count == 1)
      #expect(page["nextPageToken"] == "oidc.plain")
      let wrong = try await server.call(request(.get, "", "pageSize=all"))
      #expect(wrong.status == 400)
      #expect(wrong.error == "Invalid value at 'pageSize' (TYPE_INT64)")
    }
  }

  @Test func `creating a provider twice is a conflict without an errors list`() async throws {
    try await TestServer.with { server in
      _ = try await server.call(create())
      let again = try await server.call(create())
      #expect(again.status == 409)
      #expect(
        again.error
          == "CONFIGURATION_EXISTS : The OAuthIdpConfig already exists with config_id: oidc.a")
      #expect(again.errorStatus == "ALREADY_EXISTS")
      #expect(again["error"]?["errors"] == nil)
    }
  }

  @Test(
    arguments: [
      (
        "oidc.a", ["issuer": "https://other.example.com"],
        "MISSING_OAUTH_CLIENT_ID : Client_id in OAuthIdpConfig cannot be empty."
      ),
      ("oidc.a", ["clientId": "c"], "MISSING_ISSUER : Issuer in OAuthIdpConfig cannot be empty."),
      (
        "oidc.a",
        [
          "clientId": "c", "issuer": "https://other.example.com",
          "responseType": ["code": true],
        ],
        Self.secretMissing
      ),
      (
        "oidc.a", ["clientId": "c", "issuer": "ftp://other.example.com"],
        "INVALID_ISSUER : Issuer in OAuthIdpConfig should be a valid URL. It has to be https, without a fragment."
      ),
      (
        "oidc.a",
        [
          "clientId": "c",
          "issuer": "https://other.example.com/.well-known/openid-configuration",
        ],
        "INVALID_ISSUER : The issuer is what the provider's tokens have in iss, without "
          + "/.well-known/openid-configuration. If its discovery document is elsewhere, discoveryUrl names the place."
      ),
      (
        "oidc.a", ["trustEmail": "never"],
        "MISSING_OAUTH_CLIENT_ID : Client_id in OAuthIdpConfig cannot be empty. Issuer in OAuthIdpConfig cannot be "
          + "empty."
      ),
      (
        "oidc.a", ["clientId": "c", "issuer": "https://other.example.com", "trustEmail": "maybe"],
        "INVALID_CONFIG : trustEmail is always, authoritative or never."
      ),
      (
        "OIDC.a", body,
        "INVALID_CONFIG_ID : Oauth_idp_config_id must start with 'oidc.' and can only have alphanumeric "
          + "characters, hyphens, underscores or periods. The part after 'oidc.' must also start with a "
          + "lowercase letter, end with an alphanumeric character, and have at least 2 characters."
      ),
      (
        "oidc.aB", body,
        "INVALID_CONFIG_ID : The id of an OAuthIdpConfig is oidc. and 1 to 32 of a-z 0-9 . _ -."
      ),
      (
        "oidc.a",
        [
          "clientId": "c", "issuer": "https://other.example.com", "clientSecret": "s3cret",
          "responseType": ["code": true, "idToken": true],
        ],
        "INVALID_CONFIG : response_type should have exactly one of 'idToken' and 'code' being true. "
          + "Setting both types to be true ('{code: true, idToken: true}') is not yet supported."
      ),
    ] as [(String, JSONValue, String)])
  func `an invalid provider is refused`(_ id: String, _ body: JSONValue, _ error: String)
    async throws
  {
    try await TestServer.with { server in
      let reply = try await server.call(create(body, id: id))
      #expect(reply.status == 400)
      #expect(reply.error == error)
      #expect(reply.errorStatus == "INVALID_ARGUMENT")
    }
  }

  @Test func `one response type can be chosen, but not both`() async throws {
    try await TestServer.with { server in
      let body: JSONValue = [
        "clientId": "client-a", "issuer": "https://other.example.com", "clientSecret": "s3cret",
        "responseType": ["idToken": true],
      ]
      #expect(try await server.call(create(body))["responseType"] == ["idToken": true])
      let both = try await server.call(
        request(.patch, "/oidc.a", "updateMask=responseType.code", ["responseType": ["code": true]])
      )
      #expect(both.status == 400)
      #expect(
        both.error
          == "INVALID_CONFIG : response_type should have exactly one of 'idToken' and 'code' being true. "
          + "Setting both types to be true ('{code: true, idToken: true}') is not yet supported.")
      let changed = try await server.call(
        request(.patch, "/oidc.a", nil, ["responseType": ["code": true, "idToken": false]]))
      #expect(changed["responseType"] == ["code": true])
    }
  }

  @Test func `a client's secret can be written, is kept and never shown`() async throws {
    try await TestServer.with { server in
      let client: JSONValue = [
        "clientId": "tablet", "clientSecret": "tablet-s3cret", "bundleIds": ["com.example.tablet"],
      ]
      let shown: JSONValue = [
        ["clientId": "tablet", "bundleIds": ["com.example.tablet"], "hasClientSecret": true]
      ]
      let body: JSONValue = [
        "clientId": "client-a", "issuer": "https://other.example.com", "clientSecret": "s3cret",
        "clients": [client],
      ]
      let made = try await server.call(create(body))
      #expect(made["clients"] == shown)
      #expect(!made.text.contains("tablet-s3cret"))
      // Sent back as it was read: the secret is kept.
      let again = try await server.call(request(.patch, "/oidc.a", nil, ["clients": shown]))
      #expect(again["clients"] == shown)
      // A hidden secret isn't sent to another issuer.
      let moved = try await server.call(
        request(.patch, "/oidc.a", nil, ["issuer": "https://evil.example.com"]))
      #expect(moved.error == Self.secretMissing)
      // Nor to the endpoints of a document at another place.
      let redirected = try await server.call(
        request(.patch, "/oidc.a", nil, ["discoveryUrl": "https://evil.example.com/"]))
      #expect(redirected.error == Self.secretMissing)
      let given = try await server.call(
        request(
          .patch, "/oidc.a", nil,
          ["issuer": "https://new.example.com", "clients": [client]]))
      #expect(given["issuer"] == "https://new.example.com")
      let stranger: JSONValue = [["clientId": "phone", "bundleIds": ["com.example.phone"]]]
      let refused = try await server.call(
        request(.patch, "/oidc.a", nil, ["clients": stranger]))
      #expect(refused.error == Self.secretMissing)
      let cleared = try await server.call(
        request(.patch, "/oidc.a", "updateMask=clients", [:]))
      #expect(cleared["clients"] == nil)
    }
  }

  @Test func `the place of the discovery document and the scopes are set and cleared`()
    async throws
  {
    try await TestServer.with { server in
      _ = try await server.call(create())
      let url: JSONValue = "https://tenant.example.com/.well-known/openid-configuration"
      let set = try await server.call(
        request(.patch, "/oidc.a", nil, ["discoveryUrl": url, "scopes": ["account_email"]]))
      #expect(set["discoveryUrl"] == url)
      #expect(set["scopes"] == ["account_email"])
      let cleared = try await server.call(
        request(.patch, "/oidc.a", "updateMask=discoveryUrl,scopes", [:]))
      #expect(cleared["issuer"] != nil)
      #expect(cleared["discoveryUrl"] == nil)
      #expect(cleared["scopes"] == nil)
    }
  }

  @Test(
    arguments: [
      ("discoveryUrl", "http://tenant.example.com/", "has to be an https URL without a fragment."),
      (
        "discoveryUrl", "https://tenant.example.com/#a",
        "has to be an https URL without a fragment."
      ),
      (
        "scopes", ["a b"],
        "has to be at most 32 scopes, each of 1 to 256 visible ASCII characters without "
          + #"" and \."#
      ),
    ] as [(String, JSONValue, String)])
  func `a discovery URL without https, and a text that isn't a scope, are refused`(
    _ member: String, _ value: JSONValue, _ message: String
  ) async throws {
    try await TestServer.with { server in
      _ = try await server.call(create())
      let body = JSONValue.object(JSONObject([.init(name: member, value: value)]))
      let refused = try await server.call(request(.patch, "/oidc.a", nil, body))
      #expect(refused.error == "INVALID_CONFIG : \(member) \(message)")
    }
  }

  @Test func `parameters that apps may set are a list`() async throws {
    try await TestServer.with { server in
      _ = try await server.call(create())
      let changed = try await server.call(
        request(.patch, "/oidc.a", nil, ["allowedParameters": ["tenant"]]))
      #expect(changed["allowedParameters"] == ["tenant"])
      let refused = try await server.call(
        request(.patch, "/oidc.a", nil, ["allowedParameters": ["state"]]))
      #expect(
        refused.error
          == "INVALID_CONFIG : allowedParameters cannot contain state: only the server may set it, "
          + "or it is not a parameter's name.")
    }
  }

  // MARK: Extensions

  private static let pem = P256.Signing.PrivateKey().pemRepresentation

  @Test func `a key can be written, is shown without its private half, replaced and cleared`()
    async throws
  {
    try await TestServer.with { server in
      let body: JSONValue = [
        "clientId": "client-a", "issuer": "https://other.example.com", "enabled": true,
        "responseType": ["code": true],
        "clientKey": ["privateKey": .string(Self.pem), "keyId": "key-1"],
      ]
      let made = try await server.call(create(body))
      #expect(made.status == 200)
      let keys = made["clientKey"]?["keySet"]?["keys"]?.array ?? []
      #expect(keys.map { $0["kid"] } == ["key-1"])
      #expect(keys.first?["d"] == nil)
      #expect(made["clientKey"]?["algorithm"] == "ES256")
      #expect(made["clientKey"]?["audience"] == "issuer")
      #expect(!made.text.contains("PRIVATE KEY"))

      let named = try await server.call(
        request(
          .patch, "/oidc.a", "updateMask=clientKey.audience",
          ["clientKey": ["audience": "tokenEndpoint", "keyId": "ignored"]]))
      #expect(named["clientKey"]?["keyId"] == "key-1")
      #expect(named["clientKey"]?["audience"] == "tokenEndpoint")

      let other = P384.Signing.PrivateKey().pemRepresentation
      let replaced = try await server.call(
        request(
          .patch, "/oidc.a", "updateMask=clientKey.privateKey",
          ["clientKey": ["privateKey": .string(other)]]))
      #expect(replaced["clientKey"]?["algorithm"] == "ES384")
      #expect(replaced["clientKey"]?["keyId"]?.string?.utf8.count == 43)
      #expect(replaced["clientKey"]?["audience"] == "tokenEndpoint")

      let cleared = try await server.call(
        request(.patch, "/oidc.a", "updateMask=clientKey,responseType", ["clientKey": .null]))
      #expect(cleared.status == 200)
      #expect(cleared["clientKey"] == nil)
    }
  }

  @Test func `the public half is at a URL of its own for each provider`() async throws {
    try await TestServer.with { server in
      let body: JSONValue = [
        "clientId": "client-a", "issuer": "https://other.example.com",
        "clientKey": ["privateKey": .string(Self.pem), "keyId": "key-1"],
      ]
      _ = try await server.call(create(body))
      let get = { (path: String) async throws -> TestReply in
        var request = TestRequest(path)
        request.method = .get
        request.key = nil
        return try await server.call(request)
      }
      let keys = try await get("/__/auth/keys/demo/oidc.a")
      #expect(keys.status == 200)
      #expect(keys["keys"]?.array?.count == 1)
      #expect(keys["keys"]?.array?.first?["kid"] == "key-1")
      #expect(keys["keys"]?.array?.first?["d"] == nil)
      for path in ["demo/oidc.plain", "demo/oidc.none", "other/oidc.a", "demo/oidc%2Ea"] {
        #expect(try await get("/__/auth/keys/\(path)").status == 404)
      }
    }
  }

  @Test func `the claim mapping and the response mode are set one by one, and cleared`()
    async throws
  {
    try await TestServer.with { server in
      let body: JSONValue = [
        "clientId": "client-a", "issuer": "https://other.example.com", "responseMode": "form_post",
        "clientAuthentication": "client_secret_post",
        "claimMapping": ["email": "upn", "picture": "/profile/photo"],
      ]
      let made = try await server.call(create(body))
      #expect(made["responseMode"] == "form_post")
      #expect(made["clientAuthentication"] == "client_secret_post")
      #expect(made["claimMapping"] == ["email": "upn", "picture": "/profile/photo"])
      let changed = try await server.call(
        request(
          .patch, "/oidc.a", "updateMask=claimMapping.email,responseMode,clientAuthentication",
          ["claimMapping": ["email": ""], "responseMode": "", "clientAuthentication": ""]))
      #expect(changed["claimMapping"] == ["picture": "/profile/photo"])
      #expect(changed["responseMode"] == nil)
      #expect(changed["clientAuthentication"] == nil)
    }
  }

  @Test(
    arguments: [
      (
        ["claimMapping": ["sub": "oid"]], "claimMapping has email, emailVerified, name and picture."
      ),
      (["claimMapping": ["email": "iss"]], "claimMapping.email is the name of a claim"),
      (["claimMapping": ["name": "/a//b"]], "claimMapping.name is the name of a claim"),
      (["responseMode": "query"], "responseMode query is only for the code flow"),
      (
        ["clientAuthentication": "client_secret_jwt"],
        "clientAuthentication is client_secret_basic or client_secret_post."
      ),
      (["responseMode": "web_message"], "responseMode is query, form_post or fragment."),
      (["clientKey": ["keyId": "key-1"]], "clientKey.privateKey cannot be empty."),
      (["clientKey": ["privateKey": "no key"]], "clientKey.privateKey has to be"),
      (
        ["clientKey": ["privateKey": .string(pem), "algorithm": "RS256"]],
        "clientKey.algorithm does not fit the key"
      ),
      (
        ["clientKey": ["privateKey": .string(pem), "audience": "anybody"]],
        "clientKey.audience is issuer or tokenEndpoint."
      ),
      (
        ["clientKey": ["privateKey": .string(pem)], "clientSecret": "s3cret"],
        "A client has a client_secret or a clientKey"
      ),
    ] as [(JSONObject, String)])
  func `the extensions have rules of their own`(_ fields: JSONObject, _ error: String)
    async throws
  {
    try await TestServer.with { server in
      var body: JSONObject = ["clientId": "client-a", "issuer": "https://other.example.com"]
      for member in fields.members { body[member.name] = member.value }
      let reply = try await server.call(create(.object(body)))
      #expect(reply.status == 400)
      #expect(reply.error?.hasPrefix("INVALID_CONFIG : \(error)") == true)
      #expect(!reply.text.contains("PRIVATE KEY"))
    }
  }

  @Test func `a patch changes what the mask names and nothing else`() async throws {
    try await TestServer.with { server in
      _ = try await server.call(create())
      let named = try await server.call(
        request(
          .patch, "/oidc.a", "updateMask=displayName,clientSecret,responseType.code",
          [
            "displayName": "Corp", "clientSecret": "s3cret", "clientId": "ignored",
            "responseType": ["code": true],
          ]))
      #expect(named["displayName"] == "Corp")
      #expect(named["clientId"] == "client-a")
      #expect(named["clientSecret"] == "s3cret")
      #expect(named["responseType"] == ["code": true])
      let cleared = try await server.call(
        request(
          .patch, "/oidc.a", "updateMask=displayName,enabled",
          ["displayName": .null, "enabled": false]))
      #expect(cleared["displayName"] == nil)
      #expect(cleared["enabled"] == nil)
      let refused = try await server.call(
        request(.patch, "/oidc.a", "updateMask=clientId", ["clientId": ""]))
      #expect(refused.status == 400)
    }
  }

  @Test func `Apple's settings are patched one by one`() async throws {
    try await TestServer.with { server in
      let path = "v2/projects/demo/defaultSupportedIdpConfigs/apple.com"
      let reply = try await server.call(
        TestRequest.admin(
          .patch, path, ["appleSignInConfig": ["bundleIds": ["com.example.other"]]]
        ).with { $0.query = "updateMask=appleSignInConfig.bundleIds" })
      #expect(reply["appleSignInConfig"]?["bundleIds"] == ["com.example.other"])
      #expect(reply["appleSignInConfig"]?["codeFlowConfig"]?["teamId"] == "TEAM123456")
      #expect(reply["responseType"] == nil)
    }
  }

  @Test func `an API key can't read the configuration`() async throws {
    try await TestServer.with { server in
      let reply = try await server.call(
        TestRequest("/\(Self.collection)").with { $0.method = .get })
      #expect(reply.status == 401)
      #expect(reply["oauthIdpConfigs"] == nil)
    }
  }

  @Test func `the project's settings are read and patched`() async throws {
    try await TestServer.with { server in
      let path = "v2/projects/demo/config"
      let before = try await server.call(TestRequest.admin(.get, path).with { _ in })
      #expect(before["name"] == "projects/demo/config")
      #expect(before["signIn"]?["anonymous"]?["enabled"] == true)
      let after = try await server.call(
        TestRequest.admin(
          .patch, path,
          [
            "signIn": ["anonymous": ["enabled": false], "email": ["enabled": false]],
            "authorizedDomains": ["app.example.com"],
          ]
        ).with { $0.query = "updateMask=signIn.anonymous.enabled,authorizedDomains" })
      #expect(after["signIn"]?["anonymous"]?["enabled"] == false)
      #expect(after["signIn"]?["email"]?["enabled"] == true)
      #expect(after["authorizedDomains"] == ["app.example.com"])
      #expect(try await server.call(.accounts("signUp")).error == "ADMIN_ONLY_OPERATION")
    }
  }
}
