import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

/// A change of a setting, and the event that it leaves.
private struct SettingChange: Sendable {
  /// The table with the setting's row.
  let table: String
  let what: String
  let name: String
  /// `saved` or `deleted`.
  let change: String
  /// The details beside those.
  let details: [String: String]
  let make: @Sendable (Transaction) throws -> Void

  init(
    _ table: String, _ what: String, _ name: String, _ change: String,
    _ details: [String: String] = [:],
    _ make: @escaping @Sendable (Transaction) throws -> Void
  ) {
    self.table = table
    self.what = what
    self.name = name
    self.change = change
    self.details = details
    self.make = make
  }
}

@Suite struct SettingEventTests {
  @Test(arguments: StoreFactory.all)
  func `each change of a setting leaves an event of it without secrets, and raises the counter`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      for change in try Self.changes() {
        let before = try await store.changeCounter()
        try await store.write { try change.make($0) }
        let label = "\(change.what) \(change.change)"
        #expect(try await store.changeCounter() > before, "\(label)")
        let last = try await store.read {
          try $0.waitingEvents(after: nil, limit: 1000).last?.event
        }
        let event = try #require(last)
        #expect(event.kind == .settingChanged, "\(label)")
        let expected = ["what": change.what, "name": change.name, "change": change.change]
        #expect(event.details == expected.merging(change.details) { $1 }, "\(label)")
      }
    }
  }

  /// The details of the last event that `change` leaves; nil if it leaves none.
  private func details(
    in store: any Store, _ change: @escaping @Sendable (Transaction) throws -> Void
  ) async throws -> [String: String]? {
    let before = try await store.read {
      try $0.waitingEvents(after: nil, limit: 1000).last?.key
    }
    let count = try await store.changeCounter()
    try await store.write { try change($0) }
    #expect(try await store.changeCounter() > count)
    return try await store.read {
      try $0.waitingEvents(after: before, limit: 1000).last?.event?.details
    }
  }

  @Test(arguments: StoreFactory.all)
  func `what is only written again leaves no event, and a new secret does`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      let hook = Hook(
        url: "https://a.example.com/1", secrets: [.random()], createdAt: Sample.now)
      try await store.write { try $0.save(hook, of: project) }
      #expect(try await details(in: store) { try $0.save(hook, of: project) } == nil)
      var rotated = hook
      rotated.secrets = [.random()]
      rotated.url = "https://a.example.com/2"
      let changed = rotated
      let details = try await details(in: store) { try $0.save(changed, of: project) }
      #expect(
        details == [
          "what": "hook", "name": hook.id.text, "change": "saved", "to.secrets": "changed",
          "to.url": "changed",
        ])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `a long list is cut, and test numbers are not shown`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      var project = try Sample.project("first-project")
      project.authorizedDomains = (0..<100).map { "host\($0).example.com" }
      project.policies.phone.testNumbers = ["+15550100": "123456"]
      let saved = project
      let details = try #require(try await details(in: store) { try $0.save(saved) })
      #expect(details["from.authorizedDomains"] == "example.com, localhost")
      #expect(details["to.authorizedDomains"]?.count == 201)
      #expect(details["to.policies.phone.testNumbers"] == "changed")
      #expect(!"\(details)".contains("555"))
    }
  }

  @Test(arguments: StoreFactory.all)
  func `deleting what isn't there leaves no event`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      let before = try await store.read { try $0.waitingEvents(after: nil, limit: 1000).count }
      let answers = try await store.write { transaction in
        [
          try transaction.deleteEmailTemplate(of: .signIn, language: "de", in: project),
          try transaction.deleteCodeWebhook(of: project),
        ]
      }
      #expect(answers == [false, false])
      #expect(
        try await store.read { try $0.waitingEvents(after: nil, limit: 1000).count } == before)
    }
  }

  /// Fails for a new table. If it contains settings, add their changes to `changes()`: each must
  /// leave an event. Otherwise add it to one of the two lists below.
  @Test func `every table is known to contain settings or not`() throws {
    let tables = Set(try Self.changes().map(\.table))
    let all = SQLTable.all.map(\.name)
    #expect(
      Set(all) == tables.union(Self.parts).union(Self.others),
      "\(Set(all).symmetricDifference(tables.union(Self.parts).union(Self.others)))")
    #expect(all.count == tables.count + Self.parts.count + Self.others.count)
  }

  /// Parts of a provider or a service account, written only together with it.
  private static let parts: Set = ["provider_keys", "provider_clients", "service_account_keys"]

  /// Data of users and of the server itself.
  private static let others: Set = [
    "access_tokens", "accounts", "account_terms", "passkeys", "identities", "consents",
    "provider_tokens",
    "provider_notifications", "subject_transfers", "sessions", "spent_tokens", "detachments",
    "arrived_names", "attempts", "action_codes", "phone_verifications", "outbox",
    "waiting_events", "events", "event_chains", "event_checkpoints", "sign_in_counts",
  ]

  /// In an order in which they can be made one after the other.
  private static func changes() throws -> [SettingChange] {
    let project = try Sample.first
    let key = APIKey(text: "gk_0123456789", project: project)
    let app = App(
      id: "1:1:ios:00", project: project, bundleID: "com.example.app", apiKey: key.text,
      createdAt: Sample.now)
    let android = AndroidApp(
      project: project, packageName: "com.example.app", fingerprints: [], createdAt: Sample.now)
    var secretive = ProviderConfiguration(id: .google, clientID: "client", trustEmail: .never)
    secretive.clientSecret = Secret("secret")
    let provider = secretive
    let template = EmailTemplate(
      kind: .signIn, language: "de", subject: "Anmelden", text: "text", html: nil,
      updatedAt: Sample.now)
    let secret = WebhookSecret.random()
    let webhook = CodeWebhook(url: "https://sms.example.com/?key=secret", secret: secret)
    let hook = Hook(
      url: "https://hook.example.com/?key=secret", secrets: [secret], createdAt: Sample.now)
    let password = PasswordKey(id: "p", project: project, key: Secret([1, 2, 3]))
    let admin = AdminKeyRecord(
      prefix: "gha_one", digest: [1], project: project, createdAt: Sample.now, expiresAt: nil)
    let account = ServiceAccount(
      email: try #require(EmailAddress("a@example.com")), project: project, roles: [.admin],
      keys: [.init(id: "k", spkiDER: [1], createdAt: Sample.now, expiresAt: nil)],
      createdAt: Sample.now)
    let signing = SigningKeyRecord(
      keyID: "k", ring: .idTokens, privateKey: Secret([1]), publishedAt: Sample.now)
    var strict = try Sample.project("first-project")
    strict.policies.allowsPasswords = false
    let changed = strict
    var named = app
    named.displayName = "App"
    let renamed = named
    return [
      SettingChange(
        "projects", "project", "first-project", "saved",
        ["from.policies.allowsPasswords": "true", "to.policies.allowsPasswords": "false"]
      ) { try $0.save(changed) },
      SettingChange("api_keys", "API key", "gk_0123456…", "saved", ["to.text": "…"]) {
        try $0.insert(key)
      },
      SettingChange(
        "apps", "app", app.id, "saved", ["to.bundleID": "com.example.app", "to.apiKey": "…"]
      ) { try $0.insert(app) },
      SettingChange("apps", "app", app.id, "saved", ["to.displayName": "App"]) {
        try $0.update(renamed)
      },
      SettingChange(
        "apps", "app", app.id, "deleted",
        ["from.bundleID": "com.example.app", "from.apiKey": "…", "from.displayName": "App"]
      ) { try $0.delete(app) },
      SettingChange("api_keys", "API key", "gk_0123456…", "deleted", ["from.text": "…"]) {
        _ = try $0.deleteAPIKey(key.text)
      },
      SettingChange(
        "android_apps", "Android app", "com.example.app", "saved",
        ["to.packageName": "com.example.app"]
      ) {
        try $0.save(android)
      },
      SettingChange(
        "android_apps", "Android app", "com.example.app", "deleted",
        ["from.packageName": "com.example.app"]
      ) {
        _ = try $0.deleteAndroidApp(android.packageName, of: project)
      },
      SettingChange(
        "providers", "provider", "google.com", "saved",
        ["to.clientID": "client", "to.clientSecret": "…"]
      ) {
        try $0.save(provider, in: project)
      },
      SettingChange(
        "providers", "provider", "google.com", "deleted",
        ["from.clientID": "client", "from.clientSecret": "…"]
      ) {
        _ = try $0.deleteProvider(.google, in: project)
      },
      SettingChange(
        "email_templates", "email template", "signIn de", "saved",
        [
          "to.kind": "signIn", "to.language": "de", "to.subject": "Anmelden", "to.text": "…",
        ]
      ) {
        try $0.save(template, in: project)
      },
      SettingChange(
        "email_templates", "email template", "signIn de", "deleted",
        [
          "from.kind": "signIn", "from.language": "de", "from.subject": "Anmelden",
          "from.text": "…",
        ]
      ) {
        _ = try $0.deleteEmailTemplate(of: .signIn, language: "de", in: project)
      },
      SettingChange(
        "code_webhooks", "webhook for codes", "first-project", "saved",
        ["to.url": "https://sms.example.com/…", "to.secret": "…"]
      ) {
        try $0.save(webhook, of: project)
      },
      SettingChange(
        "code_webhooks", "webhook for codes", "first-project", "deleted",
        ["from.url": "https://sms.example.com/…", "from.secret": "…"]
      ) {
        _ = try $0.deleteCodeWebhook(of: project)
      },
      SettingChange(
        "hooks", "hook", hook.id.text, "saved",
        [
          "to.url": "https://hook.example.com/…", "to.form": "json", "to.secrets": "…",
          "to.isEnabled": "true",
        ]
      ) { try $0.save(hook, of: project) },
      SettingChange(
        "hooks", "hook", hook.id.text, "deleted",
        [
          "from.url": "https://hook.example.com/…", "from.form": "json", "from.secrets": "…",
          "from.isEnabled": "true",
        ]
      ) {
        _ = try $0.deleteHook(hook.id, of: project)
      },
      SettingChange("password_keys", "password key", "p", "saved", ["to.key": "…"]) {
        try $0.save(password)
      },
      SettingChange(
        "admin_keys", "admin key", "gha_one", "saved",
        ["to.prefix": "gha_one", "to.role": "administrator"]
      ) { try $0.insert(admin) },
      SettingChange(
        "admin_keys", "admin key", "gha_one", "deleted",
        ["from.prefix": "gha_one", "from.role": "administrator"]
      ) {
        _ = try $0.deleteAdminKey(prefix: admin.prefix)
      },
      SettingChange(
        "service_accounts", "service account", "a@example.com", "saved",
        ["to.email": "a@example.com", "to.roles": "admin", "to.keys": "k", "added": "k"]
      ) {
        try $0.save(account)
      },
      SettingChange(
        "service_accounts", "service account", "a@example.com", "deleted",
        ["from.email": "a@example.com", "from.roles": "admin", "from.keys": "k"]
      ) {
        _ = try $0.deleteServiceAccount(account.email)
      },
      SettingChange(
        "signing_keys", "signing key", "k", "saved",
        [
          "to.keyID": "k", "to.ring": "idTokens", "to.privateKey": "…",
          "to.publishedAt": "2027-01-15T08:00:00Z",
        ]
      ) { try $0.save(signing) },
      SettingChange(
        "signing_keys", "signing key", "k", "deleted",
        [
          "from.keyID": "k", "from.ring": "idTokens", "from.privateKey": "…",
          "from.publishedAt": "2027-01-15T08:00:00Z",
        ]
      ) {
        try $0.deleteSigningKey(signing.keyID, of: .idTokens)
      },
      SettingChange("server_values", "master key", "a-key", "saved") {
        try $0.announceMasterKey("a-key")
      },
      SettingChange("projects", "project", "first-project", "deleted") {
        try $0.deleteProject(project)
      },
    ]
  }
}
