import GatehouseProtocol
import Testing

/// A project's settings as an administrator reads and changes them.
@Suite struct ProjectConfigTests {
  private static let path = "v2/projects/demo/config"

  private func patch(_ body: JSONValue, mask: String? = nil) -> TestRequest {
    TestRequest.admin(.patch, Self.path, body).with {
      $0.query = mask.map { "updateMask=\($0)" }
    }
  }

  private func config(_ server: TestServer) async throws -> JSONValue {
    try await server.call(TestRequest.admin(.get, Self.path).with { _ in }).json
  }

  private static let switches: [(path: [String], method: String, body: JSONValue, error: String)] =
    [
      (
        ["signIn", "email", "enabled"], "signInWithPassword",
        ["email": "a@example.com", "password": "secret"], "PASSWORD_LOGIN_DISABLED"
      ),
      (["signIn", "anonymous", "enabled"], "signUp", [:], "ADMIN_ONLY_OPERATION"),
      (
        ["signIn", "phoneNumber", "enabled"], "sendVerificationCode",
        ["phoneNumber": "+15555550100"], "OPERATION_NOT_ALLOWED"
      ),
    ]

  @Test(arguments: switches.indices)
  func `a disabled setting takes effect at once`(index: Int) async throws {
    let (path, method, body, error) = Self.switches[index]
    try await TestServer.with { server in
      #expect(try await server.call(.accounts(method, body)).error != error)
      let changed = try await server.call(
        patch(Self.nested(path, false), mask: path.joined(separator: ".")))
      #expect(changed.status == 200)
      #expect(Self.value(at: path, in: changed.json) == false)
      #expect(try await server.call(.accounts(method, body)).error == error)
    }
  }

  @Test func `a mask keeps the fields that it doesn't name`() async throws {
    try await TestServer.with { server in
      let before = try await config(server)
      let body: JSONValue = [
        "signIn": ["allowDuplicateEmails": true, "anonymous": ["enabled": false]]
      ]
      let changed = try await server.call(patch(body, mask: "signIn.allowDuplicateEmails"))
      #expect(changed["signIn"]?["allowDuplicateEmails"] == true)
      #expect(changed["signIn"]?["anonymous"] == before["signIn"]?["anonymous"])
      #expect(changed["emailPrivacyConfig"] == before["emailPrivacyConfig"])
      #expect(try await config(server) == changed.json)
    }
  }

  @Test func `settings that were read can be written back`() async throws {
    try await TestServer.with { server in
      let address = "https://app.example.com/signed-in"
      let changed = try await server.call(patch(["redirectUrls": [.string(address)]]))
      #expect(changed.status == 200)
      #expect(changed["redirectUrls"] == [.string(address)])
      let again = try await server.call(patch(changed.json))
      #expect(again.status == 200)
      #expect(again.json == changed.json)
    }
  }

  @Test func `a field that the mask names and the body lacks returns to its default`() async throws
  {
    try await TestServer.with { server in
      let on: JSONValue = ["client": ["permissions": ["disabledUserSignup": true]]]
      #expect(try await server.call(patch(on)).status == 200)
      let cleared = try await server.call(
        patch([:], mask: "client.permissions.disabled_user_signup"))
      #expect(cleared["client"]?["permissions"]?["disabledUserSignup"] == false)
    }
  }

  @Test func `without a mask the body's fields are changed, and what Google's emulator replaces`()
    async throws
  {
    try await TestServer.with { server in
      let before = try await config(server)
      let on: JSONValue = [
        "signIn": ["allowDuplicateEmails": true],
        "emailPrivacyConfig": ["enableImprovedEmailPrivacy": true],
      ]
      #expect(try await server.call(patch(on))["signIn"]?["allowDuplicateEmails"] == true)
      let changed = try await server.call(patch(["authorizedDomains": ["App.example.com"]]))
      #expect(changed["authorizedDomains"] == ["app.example.com"])
      #expect(changed["signIn"] == before["signIn"])
      #expect(changed["emailPrivacyConfig"]?["enableImprovedEmailPrivacy"] == false)
      #expect(changed["mobileLinksConfig"] == ["domain": "HOSTING_DOMAIN"])
    }
  }

  @Test func `in production a body without email privacy doesn't turn it off`() async throws {
    try await TestServer.withShop(domains: []) { server, app in
      let (key, _) = try await server.services.adminKeys.create(
        for: app.project, expiresAt: nil, now: server.clock.now)
      let request = TestRequest.admin(.patch, "v2/projects/shop/config", [:]).with {
        $0.bearer = key.reveal()
      }
      let reply = try await server.call(request)
      #expect(reply["emailPrivacyConfig"]?["enableImprovedEmailPrivacy"] == true)
    }
  }

  @Test(
    arguments: [
      (
        ["https://app.example.com"],
        "INVALID_AUTHORIZED_DOMAIN : https://app.example.com should only contain the valid domain."
      ),
      (
        ["a.example.com", "*.example.com"],
        "INVALID_AUTHORIZED_DOMAIN : *.example.com should only contain the valid domain."
      ),
      (
        ["app.example.com:80"],
        "INVALID_AUTHORIZED_DOMAIN : app.example.com:80 should only contain the valid domain."
      ),
      (
        ["app example.com"],
        "INVALID_AUTHORIZED_DOMAIN : app example.com should only contain the valid domain."
      ),
      ([""], "INVALID_AUTHORIZED_DOMAIN : An authorized domain is empty."),
      (
        .array(Array(repeating: "a.example.com", count: 201)),
        "INVALID_CONFIG : authorizedDomains has at most 200 elements."
      ),
    ] as [(JSONValue, String)])
  func `invalid domains are refused as Google's service does, and nothing is changed`(
    domains: JSONValue, error: String
  ) async throws {
    try await TestServer.with { server in
      let before = try await config(server)
      let refused = try await server.call(
        patch(["authorizedDomains": domains, "signIn": ["allowDuplicateEmails": true]]))
      #expect(refused.status == 400)
      #expect(refused.error == error)
      #expect(try await config(server) == before)
    }
  }

  @Test func `a domain that is named twice is stored once`() async throws {
    try await TestServer.with { server in
      let changed = try await server.call(
        patch(["authorizedDomains": ["b.example.com", "a.example.com", "B.example.com"]]))
      #expect(changed["authorizedDomains"] == ["b.example.com", "a.example.com"])
    }
  }

  // MARK: Unsupported settings

  @Test(
    arguments: [
      ("multiTenant", ["multiTenant": ["allowTenants": true]]),
      ("multiTenant", ["multi_tenant": ["allow_tenants": true]]),
      ("recaptchaConfig", ["recaptchaConfig": ["emailPasswordEnforcementState": "AUDIT"]]),
      ("smsRegionConfig", ["smsRegionConfig": ["allowByDefault": ["disallowedRegions": ["XX"]]]]),
      ("mobileLinksConfig", ["mobileLinksConfig": ["domain": "FIREBASE_DYNAMIC_LINK_DOMAIN"]]),
    ] as [(String, JSONValue)])
  func `a setting that isn't offered is refused, not stored`(
    path: String, body: JSONValue
  ) async throws {
    try await TestServer.with { server in
      for mask in [nil, path, path.split(separator: ".").first.map(String.init)] {
        let refused = try await server.call(patch(body, mask: mask))
        #expect(refused.status == 400)
        #expect(refused.error == "INVALID_CONFIG : This server doesn't offer \(path).")
      }
      // Only fields in the mask are checked.
      #expect(try await server.call(patch(body, mask: "emailPrivacyConfig")).status == 200)
    }
  }

  @Test(arguments: ["admin/v2", "identitytoolkit.googleapis.com/admin/v2"])
  func `the config is also at the path of Google's examples, and as protected there`(
    prefix: String
  ) async throws {
    try await TestServer.with { server in
      let usual = TestRequest.admin(.get, Self.path)
      let other = TestRequest.admin(.get, "\(prefix)/projects/demo/config")
      #expect(try await server.call(other).json == server.call(usual).json)
      let refused = try await server.call(other.with { $0.bearer = nil })
      #expect(refused.status == 403)
      #expect(try await server.call(usual.with { $0.bearer = nil }).status == refused.status)
    }
  }

  @Test func `a setting that is turned off is accepted`() async throws {
    try await TestServer.with { server in
      let before = try await config(server)
      let body: JSONValue = [
        "subtype": "FIREBASE_AUTH",
        "blockingFunctions": ["triggers": [:]], "multiTenant": ["allowTenants": false],
        "mobileLinksConfig": ["domain": "HOSTING_DOMAIN"],
        "notification": ["sendEmail": ["method": "DEFAULT"]],
        "recaptchaConfig": [
          "phoneEnforcementState": "RECAPTCHA_PROVIDER_ENFORCEMENT_STATE_UNSPECIFIED"
        ],
      ]
      #expect(try await server.call(patch(body)).json == before)
    }
  }

  static let unknown: [(JSONValue, String)] = [
    (["somethingNew": ["enabled": true]], "somethingNew"),
    (["signIn": ["anonymous": ["enabled": false, "since": 1]]], "signIn.anonymous.since"),
    (["sign_in": ["allow_duplicates": true]], "sign_in.allow_duplicates"),
  ]

  @Test(arguments: unknown) func `an unknown member is refused, and nothing is changed`(
    body: JSONValue, path: String
  ) async throws {
    try await TestServer.with { server in
      let before = try await config(server)
      let refused = try await server.call(patch(body))
      #expect(refused.status == 400)
      #expect(refused.error?.contains(path) == true)
      #expect(try await config(server) == before)
    }
  }

  // MARK: Passwords

  @Test func `a password policy is set, shown to clients, and enforced`() async throws {
    try await TestServer.with { server in
      let options: JSONValue = [
        "minPasswordLength": 10, "maxPasswordLength": 64, "containsUppercaseCharacter": true,
        "containsLowercaseCharacter": false, "containsNumericCharacter": true,
        "containsNonAlphanumericCharacter": true,
      ]
      let body: JSONValue = [
        "passwordPolicyConfig": [
          "passwordPolicyEnforcementState": "ENFORCE",
          "passwordPolicyVersions": [["customStrengthOptions": options]],
        ]
      ]
      let set = try await server.call(patch(body, mask: "passwordPolicyConfig"))
      let stored = set["passwordPolicyConfig"]
      #expect(stored?["passwordPolicyEnforcementState"] == "ENFORCE")
      let version = stored?["passwordPolicyVersions"]?.array?.first
      #expect(version?["schemaVersion"] == 1)

      let told = try await server.call(
        TestRequest("/v2/passwordPolicy").with { $0.method = .get })
      #expect(told["enforcementState"] == "ENFORCE")
      #expect(told["schemaVersion"] == 1)
      #expect(told["forceUpgradeOnSignin"] == nil)
      #expect(told["allowedNonAlphanumericCharacters"]?.array?.contains("!") == true)
      for (name, value) in options.object?.members.map({ ($0.name, $0.value) }) ?? [] {
        // Clients are told only what is required.
        #expect(told["customStrengthOptions"]?[name] == (value == false ? nil : value))
        #expect(version?["customStrengthOptions"]?[name] == value)
      }

      let refused = try await server.call(
        .accounts("signUp", ["email": "a@example.com", "password": "password1"]))
      #expect(refused.status == 400)
      #expect(
        refused.error
          == "PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements: [Password must "
          + "contain at least 10 characters, Password must contain an upper case character, "
          + "Password must contain a non-alphanumeric character]")
      let good = try await server.call(
        .accounts("signUp", ["email": "a@example.com", "password": "Password1!"]))
      #expect(good.status == 200)
    }
  }

  @Test func `a sign-in tells the user what a weak password lacks, until every sign-in is checked`()
    async throws
  {
    try await TestServer.with { server in
      let credential: JSONValue = ["email": "a@example.com", "password": "password"]
      #expect(try await server.call(.accounts("signUp", credential)).status == 200)
      let signIn = TestRequest.accounts("signInWithPassword", credential)
      #expect(try await server.call(signIn)["userNotifications"] == nil)

      func enforce(onSignIn: JSONValue) async throws {
        let options: JSONValue = [
          "minPasswordLength": 10, "maxPasswordLength": 64, "containsUppercaseCharacter": true,
          "containsLowercaseCharacter": true, "containsNumericCharacter": true,
          "containsNonAlphanumericCharacter": true,
        ]
        let policy: JSONValue = [
          "passwordPolicyEnforcementState": "ENFORCE", "forceUpgradeOnSignin": onSignIn,
          "passwordPolicyVersions": [["customStrengthOptions": options]],
        ]
        #expect(try await server.call(patch(["passwordPolicyConfig": policy])).status == 200)
      }
      try await enforce(onSignIn: false)
      let told = try await server.call(signIn)
      #expect(told.status == 200)
      #expect(
        told["userNotifications"] == [
          [
            "notificationCode": "MINIMUM_PASSWORD_LENGTH",
            "notificationMessage": "Password must contain at least 10 characters",
          ],
          [
            "notificationCode": "MISSING_UPPERCASE_CHARACTER",
            "notificationMessage": "Password must contain an upper case character",
          ],
          [
            "notificationCode": "MISSING_NUMERIC_CHARACTER",
            "notificationMessage": "Password must contain a numeric character",
          ],
          [
            "notificationCode": "MISSING_NON_ALPHANUMERIC_CHARACTER",
            "notificationMessage": "Password must contain a non-alphanumeric character",
          ],
        ])
      try await enforce(onSignIn: true)
      #expect(
        try await server.call(signIn).error?.hasPrefix("PASSWORD_DOES_NOT_MEET_REQUIREMENTS")
          == true)
    }
  }

  @Test(
    arguments: [
      (["minPasswordLength": 5], "Minimum password length must be between 6 and 30"),
      (["minPasswordLength": 31], "Minimum password length must be between 6 and 30"),
      (["minPasswordLength": -1], "Minimum password length must be between 6 and 30"),
      (
        ["minPasswordLength": 12, "maxPasswordLength": 11],
        "Maximum password length must be greater than or equal to the minimum password length"
      ),
      (
        ["maxPasswordLength": 4097],
        "Maximum password length must be less than or equal to 4096"
      ),
      (
        ["maxPasswordLength": "9223372036854775807"],
        "Maximum password length must be less than or equal to 4096"
      ),
    ] as [(JSONValue, String)])
  func `lengths out of range are refused`(options: JSONValue, sentence: String) async throws {
    try await TestServer.with { server in
      let before = try await config(server)
      let refused = try await server.call(
        patch([
          "passwordPolicyConfig": [
            "passwordPolicyVersions": [["customStrengthOptions": options]]
          ]
        ]))
      #expect(refused.status == 400)
      #expect(refused.error == "INVALID_CONFIG : \(sentence)")
      #expect(try await config(server) == before)
    }
  }

  @Test func `without a policy clients are told Firebase's limits`() async throws {
    try await TestServer.with { server in
      let told = try await server.call(
        TestRequest("/v2/passwordPolicy").with { $0.method = .get })
      #expect(
        told.json == [
          "customStrengthOptions": ["minPasswordLength": 6, "maxPasswordLength": 4096],
          "enforcementState": "ENFORCE", "schemaVersion": 1,
        ])
    }
  }

  @Test(arguments: [[], [["schemaVersion": 1], ["schemaVersion": 1]]] as [JSONValue])
  func `a policy has one version`(versions: JSONValue) async throws {
    try await TestServer.with { server in
      let policy: JSONValue = [
        "passwordPolicyEnforcementState": "ENFORCE", "passwordPolicyVersions": versions,
      ]
      let refused = try await server.call(patch(["passwordPolicyConfig": policy]))
      #expect(refused.error == "INVALID_CONFIG : Policy versions list must be of length 1")
    }
  }

  private static func nested(_ path: [String], _ value: JSONValue) -> JSONValue {
    path.reversed().reduce(value) { inner, name in .object([name: inner]) }
  }

  private static func value(at path: [String], in json: JSONValue) -> JSONValue? {
    path.reduce(JSONValue?.some(json)) { value, name in value?[name] }
  }
}
