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
  let make: @Sendable (Transaction) throws -> Void

  init(
    _ table: String, _ what: String, _ name: String, _ change: String,
    _ make: @escaping @Sendable (Transaction) throws -> Void
  ) {
    self.table = table
    self.what = what
    self.name = name
    self.change = change
    self.make = make
  }
}

@Suite struct SettingEventTests {
  @Test(arguments: StoreFactory.all)
  func `each change of a setting leaves an event without secrets, and raises the counter`(
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
        #expect(
          event.details == ["what": change.what, "name": change.name, "change": change.change])
      }
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
    "waiting_events", "events", "event_chains", "event_checkpoints",
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
    let provider = ProviderConfiguration(id: .google, clientID: "client", trustEmail: .never)
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
      createdAt: Sample.now)
    let signing = SigningKeyRecord(
      keyID: "k", ring: .idTokens, privateKey: Secret([1]), publishedAt: Sample.now)
    return [
      SettingChange("projects", "project", "first-project", "saved") {
        try $0.save(Sample.project("first-project"))
      },
      SettingChange("api_keys", "API key", "gk_0123456…", "saved") { try $0.insert(key) },
      SettingChange("apps", "app", app.id, "saved") { try $0.insert(app) },
      SettingChange("apps", "app", app.id, "saved") {
        try $0.update(app)
      },
      SettingChange("apps", "app", app.id, "deleted") { try $0.delete(app) },
      SettingChange("api_keys", "API key", "gk_0123456…", "deleted") {
        _ = try $0.deleteAPIKey(key.text)
      },
      SettingChange("android_apps", "Android app", "com.example.app", "saved") {
        try $0.save(android)
      },
      SettingChange("android_apps", "Android app", "com.example.app", "deleted") {
        _ = try $0.deleteAndroidApp(android.packageName, of: project)
      },
      SettingChange("providers", "provider", "google.com", "saved") {
        try $0.save(provider, in: project)
      },
      SettingChange("providers", "provider", "google.com", "deleted") {
        _ = try $0.deleteProvider(.google, in: project)
      },
      SettingChange("email_templates", "email template", "signIn de", "saved") {
        try $0.save(template, in: project)
      },
      SettingChange("email_templates", "email template", "signIn de", "deleted") {
        _ = try $0.deleteEmailTemplate(of: .signIn, language: "de", in: project)
      },
      SettingChange("code_webhooks", "webhook for codes", "first-project", "saved") {
        try $0.save(webhook, of: project)
      },
      SettingChange("code_webhooks", "webhook for codes", "first-project", "deleted") {
        _ = try $0.deleteCodeWebhook(of: project)
      },
      SettingChange("hooks", "hook", hook.id.text, "saved") { try $0.save(hook, of: project) },
      SettingChange("hooks", "hook", hook.id.text, "deleted") {
        _ = try $0.deleteHook(hook.id, of: project)
      },
      SettingChange("password_keys", "password key", "p", "saved") { try $0.save(password) },
      SettingChange("admin_keys", "admin key", "gha_one", "saved") { try $0.insert(admin) },
      SettingChange("admin_keys", "admin key", "gha_one", "deleted") {
        _ = try $0.deleteAdminKey(prefix: admin.prefix)
      },
      SettingChange("service_accounts", "service account", "a@example.com", "saved") {
        try $0.save(account)
      },
      SettingChange("service_accounts", "service account", "a@example.com", "deleted") {
        _ = try $0.deleteServiceAccount(account.email)
      },
      SettingChange("signing_keys", "signing key", "k", "saved") { try $0.save(signing) },
      SettingChange("signing_keys", "signing key", "k", "deleted") {
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
