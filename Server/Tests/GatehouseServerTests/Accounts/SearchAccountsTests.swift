import Foundation
import GatehouseProtocol
import GatehouseTokens
import TestStores
import Testing

@testable import GatehouseServer

@Suite struct SearchAccountsTests {
  /// Saves accounts as other use cases do.
  private func add(
    _ name: String, to world: World, in project: ProjectID? = nil,
    _ change: @Sendable (inout Account) throws -> Void = { _ in }
  ) async throws {
    var account = Account(uid: try uid(name), createdAt: world.now)
    try change(&account)
    let saved = account
    let project = project ?? world.project.id
    try await world.store.write { try $0.save(saved, in: project) }
  }

  private func identity(_ provider: ProviderID, _ text: String, email: String? = nil) throws
    -> LinkedIdentity
  {
    var identity = LinkedIdentity(
      provider: provider, subject: try subject(text), linkedAt: World.start)
    identity.email = email.flatMap { EmailAddress($0) }
    return identity
  }

  /// The ids on all pages.
  private func find(
    _ query: String? = nil, pageSize: Int = 2, in world: World,
    _ filter: (inout AccountFilter) throws -> Void = { _ in }
  ) async throws -> [String] {
    var search = AccountSearch(query: try query.flatMap { try SearchQuery($0) })
    try filter(&search.filter)
    var found: [String] = []
    var token: String?
    repeat {
      let page = try await world.accounts.accounts(
        matching: search, pageSize: pageSize, after: token, in: world.project)
      #expect(page.accounts.count <= pageSize)
      found += page.accounts.map(\.uid.text)
      token = page.nextPageToken
    } while token != nil
    return found
  }

  private func withAccounts(_ body: (World) async throws -> Void) async throws {
    try await withWorld { world in
      try await add("anna-1", to: world) {
        $0.email = try email("anna.schmidt@mail.example.com")
        $0.displayName = "Anna Schmidt"
        $0.phoneNumber = "+491701234567"
        $0.identities = [
          try identity(.google, "1061234", email: "anna.schmidt@mail.example.com"),
          try identity(.apple, "001234.abcd.0987", email: "x7k2@privaterelay.appleid.com"),
        ]
      }
      try await add("duc-1", to: world) {
        $0.email = try email("nguyen+news@example.org")
        $0.displayName = "Nguyễn Văn Đức"
      }
      try await add("lukasz-1", to: world) {
        $0.email = try email("kowal@example.com")
        $0.displayName = "Łukasz Schmidtke"
        $0.phoneNumber = "+48501234567"
      }
      try await add("muller-1", to: world) {
        $0.email = try email("müller@example.net")
        $0.displayName = "🦊 Anna"
      }
      try await add("elsewhere", to: world, in: try await world.otherProject().id) {
        $0.email = try email("anna.schmidt@mail.example.com")
        $0.identities = [try identity(.google, "1061234")]
      }
      try await body(world)
    }
  }

  static let queries: [(String, Set<String>)] = [
    ("anna", ["anna-1", "muller-1"]), ("ANN", ["anna-1", "muller-1"]),
    ("schmidt", ["anna-1", "lukasz-1"]), ("anna schmidt", ["anna-1"]),
    ("schmidt anna", ["anna-1"]), ("schm ann", ["anna-1"]), ("anna.schm", ["anna-1"]),
    ("anna.schmidt@mail.example.com", ["anna-1"]), ("Anna.Schmidt@Mail", ["anna-1"]),
    ("schmidt@mail.exa", ["anna-1"]), ("schmidt@example.org", []), ("nna", []),
    ("anna nguyen", []), ("example.com", ["anna-1", "lukasz-1"]),
    ("@example.com", ["anna-1", "lukasz-1"]),
    ("example", ["anna-1", "duc-1", "lukasz-1", "muller-1"]), ("example.con", []), ("com", []),
    ("privaterelay", ["anna-1"]), ("x7k2@privaterelay.appleid.com", ["anna-1"]),
    ("x7k2", ["anna-1"]), ("đức", ["duc-1"]), ("van duc", ["duc-1"]), ("news", ["duc-1"]),
    ("nguyen+news@", ["duc-1"]), ("lukasz", ["lukasz-1"]), ("lukasz-", ["lukasz-1"]),
    ("muller", ["muller-1"]), ("MÜLLER@example.net", ["muller-1"]), ("🦊", ["muller-1"]),
    ("234567", ["anna-1", "lukasz-1"]), ("0170 1234567", ["anna-1"]), ("+49 170", ["anna-1"]),
    ("0049 (170) 123", ["anna-1"]), ("+48501234567", ["lukasz-1"]), ("+491234567", []),
    ("1701234567 anna", ["anna-1"]), ("1061234", ["anna-1"]), ("106", ["anna-1"]),
    ("001234.abcd.0987", ["anna-1"]), ("001234.abc", ["anna-1"]),
    ("anna-", ["anna-1", "muller-1"]), ("Anna-1", []),
    ("!!!", []), ("%", []), ("_", []), ("' OR 1=1", []), ("\u{301}", []),
  ]

  @Test func `a query finds the accounts in which all of its parts begin`() async throws {
    try await withAccounts { world in
      for (query, expected) in Self.queries {
        for pageSize in [1, 100] {
          let found = try await find(query, pageSize: pageSize, in: world)
          #expect(Set(found) == expected, "\(query)")
          #expect(found.count == expected.count, "\(query) finds an account twice: \(found)")
        }
      }
    }
  }

  @Test func `a query of spaces and control characters is none`() throws {
    for text in ["", " \t\u{0}\n"] {
      let query = try SearchQuery(text)
      #expect(query == nil)
    }
  }

  @Test func `the length of a query and its words are limited`() throws {
    let longest = try SearchQuery(String(repeating: "ü", count: 128))
    #expect(longest?.parts.count == 1)
    #expect(throws: SearchQuery.Fault.tooLong) {
      try SearchQuery(String(repeating: "ü", count: 128) + "x")
    }
    let most = try SearchQuery(String(repeating: "a ", count: 16))
    #expect(most?.parts.count == 16)
    #expect(throws: SearchQuery.Fault.tooManyWords) {
      try SearchQuery(String(repeating: "a ", count: 17))
    }
    #expect(throws: SearchQuery.Fault.tooManyWords) {
      try SearchQuery(String(repeating: "a.", count: 17))
    }
  }

  @Test func `a change of a name or an address is found at once, what was before isn't`()
    async throws
  {
    try await withWorld { world in
      let ann = try await world.create(uid("u")) {
        $0.profile.email = .set(try email("first@example.com"))
        $0.profile.displayName = .set("Berta Maier")
        $0.phoneNumber = .set("+15555550100")
      }
      #expect(try await find("maier", in: world) == ["u"])
      #expect(try await find("5550100", in: world) == ["u"])
      var changes = AdministratorChanges()
      changes.profile.email = .set(try email("second@example.org"))
      changes.profile.displayName = .set("Berta Huber")
      changes.phoneNumber = .set("+15555550199")
      _ = try await world.accounts.updateAccount(
        ann.uid, with: changes, in: world.project, now: world.now)
      for query in ["maier", "first", "example.com", "5550100"] {
        #expect(try await find(query, in: world) == [], "\(query)")
      }
      for query in ["huber", "berta", "second", "example.org", "5550199"] {
        #expect(try await find(query, in: world) == ["u"], "\(query)")
      }
    }
  }

  @Test func `a deleted account isn't found`() async throws {
    try await withAccounts { world in
      let project = world.project.id
      try await world.store.write { try $0.deleteAccount(try uid("anna-1"), in: project) }
      for query in ["schmidt", "anna", "1061234", "1701234567"] {
        #expect(try await !find(query, in: world).contains("anna-1"), "\(query)")
      }
    }
  }

  // MARK: Filters

  private func withFilteredAccounts(_ body: (World) async throws -> Void) async throws {
    try await withWorld { world in
      let start = World.start
      try await add("anonymous", to: world) { $0.lastLoginAt = start }
      try await add("apple", to: world) {
        $0.email = try email("a@example.com")
        $0.isEmailVerified = true
        $0.identities = [
          try identity(.apple, "s1"), try identity(.google, "s1"),
        ]
        $0.customClaims = try CustomClaims(jsonText: #"{"role":"editor","level":2}"#)
      }
      try await add("custom", to: world) {
        $0.isCustom = true
        $0.deletionScheduledFor = start
        $0.customClaims = try CustomClaims(jsonText: #"{"role":"admin","staff":true}"#)
      }
      try await add("former-factor", to: world) {
        $0.isCustom = true
        $0.secondFactors = SecondFactors()
      }
      try await add("google", to: world) {
        $0.email = try email("g@example.com")
        $0.isDisabled = true
        $0.identities = [try identity(.google, "s2")]
        var factors = SecondFactors()
        factors.factors = [
          SecondFactor(id: "f", enrolledAt: start, kind: .totp(TOTP(secret: Secret([1]))))
        ]
        $0.secondFactors = factors
        $0.lastLoginAt = start.addingTimeInterval(60)
      }
      world.advance(3600)
      try await add("passkey", to: world) { $0.passkeys.all = 1 }
      try await add("password", to: world) {
        $0.email = try email("p@example.com")
        $0.password = PasswordHash(parameters: "x", salt: [], digest: [1])
      }
      try await add("phone", to: world) { $0.phoneNumber = "+15555550100" }
      try await body(world)
    }
  }

  private struct Case {
    let name: String
    let expected: [String]
    let filter: @Sendable (inout AccountFilter) throws -> Void
  }

  private static let later = World.start.addingTimeInterval(3600)
  private static let filters: [Case] = [
    Case(name: "Apple", expected: ["apple"]) { $0.providers = [.apple] },
    Case(name: "Apple or Google", expected: ["apple", "google"]) {
      $0.providers = [.google, .apple]
    },
    Case(name: "phone or passkey or Google", expected: ["apple", "google", "passkey", "phone"]) {
      $0.providers = [.phone, .google, .passkey]
    },
    Case(name: "password", expected: ["password"]) { $0.providers = [.password] },
    Case(name: "password or Apple", expected: ["apple", "password"]) {
      $0.providers = [.password, .apple]
    },
    Case(name: "anonymous", expected: ["anonymous"]) { $0.providers = [.anonymous] },
    Case(name: "custom", expected: ["custom", "former-factor"]) { $0.providers = [.custom] },
    Case(name: "disabled", expected: ["google"]) { $0.isDisabled = true },
    Case(
      name: "enabled",
      expected: [
        "anonymous", "apple", "custom", "former-factor", "passkey", "password", "phone",
      ]
    ) { $0.isDisabled = false },
    Case(name: "verified", expected: ["apple"]) { $0.isEmailVerified = true },
    Case(name: "unverified", expected: ["google", "password"]) { $0.isEmailVerified = false },
    Case(name: "factor", expected: ["google"]) { $0.hasSecondFactor = true },
    Case(
      name: "no factor",
      expected: [
        "anonymous", "apple", "custom", "former-factor", "passkey", "password", "phone",
      ]
    ) { $0.hasSecondFactor = false },
    Case(name: "created from", expected: ["passkey", "password", "phone"]) {
      $0.created.from = later
    },
    Case(
      name: "created before", expected: ["anonymous", "apple", "custom", "former-factor", "google"]
    ) {
      $0.created.before = later
    },
    Case(name: "created between", expected: []) {
      $0.created = (World.start.addingTimeInterval(1), later)
    },
    Case(name: "signed in from", expected: ["anonymous", "google"]) {
      $0.lastLogin.from = World.start
    },
    Case(name: "signed in before", expected: ["anonymous"]) {
      $0.lastLogin.before = World.start.addingTimeInterval(60)
    },
    Case(name: "text claim", expected: ["apple"]) {
      $0.claim = AccountFilter.Claim(name: "role", value: "editor")
    },
    Case(name: "number claim", expected: ["apple"]) {
      $0.claim = AccountFilter.Claim(name: "level", value: 2)
    },
    Case(name: "boolean claim", expected: ["custom"]) {
      $0.claim = AccountFilter.Claim(name: "staff", value: true)
    },
    Case(name: "part of a claim", expected: []) {
      $0.claim = AccountFilter.Claim(name: "role", value: "edit")
    },
    Case(name: "scheduled", expected: ["custom"]) { $0.isDeletionScheduled = true },
    Case(
      name: "not scheduled",
      expected: [
        "anonymous", "apple", "former-factor", "google", "passkey", "password", "phone",
      ]
    ) { $0.isDeletionScheduled = false },
    Case(name: "two conditions", expected: ["google"]) {
      $0.providers = [.google]
      $0.isEmailVerified = false
    },
  ]

  @Test func `a filter returns each account that passes it, once`() async throws {
    try await withFilteredAccounts { world in
      for test in Self.filters {
        for pageSize in [1, 100] {
          let found = try await find(pageSize: pageSize, in: world) { try test.filter(&$0) }
          #expect(found.sorted() == test.expected, "\(test.name)")
        }
      }
      let both = try await find("example", in: world) { $0.providers = [.google] }
      #expect(both.sorted() == ["apple", "google"])
    }
  }

  @Test func `without a query and a filter all accounts are returned, the oldest first`()
    async throws
  {
    try await withFilteredAccounts { world in
      let all = try await find(in: world)
      #expect(
        all == [
          "anonymous", "apple", "custom", "former-factor", "google", "passkey", "password", "phone",
        ])
    }
  }

  // MARK: Pages

  @Test func `a page with few accounts says where the next one begins`() async throws {
    try await withWorld { world in
      let project = world.project.id
      try await world.store.write { transaction in
        for number in 0..<2000 {
          var account = Account(
            uid: try uid("u\(10_000 + number)"), createdAt: World.start)
          account.displayName = "Anna"
          account.isCustom = number == 1800
          try transaction.save(account, isNew: true, in: project)
        }
      }
      var search = AccountSearch(query: try SearchQuery("anna"))
      search.filter.providers = [.custom]
      let first = try await world.accounts.accounts(
        matching: search, pageSize: 20, in: world.project)
      #expect(first.accounts.isEmpty)
      let token = try #require(first.nextPageToken)
      let second = try await world.accounts.accounts(
        matching: search, pageSize: 20, after: token, in: world.project)
      #expect(second.accounts.map(\.uid.text) == ["u11800"])
      #expect(second.nextPageToken == nil)
    }
  }

  @Test func `users who come and go between pages move no other user`() async throws {
    try await withWorld { world in
      for number in 10..<20 { try await add("u\(number)", to: world) { $0.displayName = "Anna" } }
      let search = AccountSearch(query: try SearchQuery("anna"))
      let first = try await world.accounts.accounts(
        matching: search, pageSize: 4, in: world.project)
      #expect(first.accounts.map(\.uid.text) == ["u10", "u11", "u12", "u13"])
      let project = world.project.id
      try await world.store.write { transaction in
        // The last one of the page too, whose place the token names.
        for name in ["u11", "u13", "u15"] {
          try transaction.deleteAccount(try uid(name), in: project)
        }
      }
      try await add("u09", to: world) { $0.displayName = "Anna" }
      let token = try #require(first.nextPageToken)
      let rest = try await world.accounts.accounts(
        matching: search, pageSize: 100, after: token, in: world.project)
      #expect(rest.accounts.map(\.uid.text) == ["u14", "u16", "u17", "u18", "u19", "u09"])
      #expect(rest.nextPageToken == nil)
    }
  }

  @Test func `a token of another search, of another project or with another byte is refused`()
    async throws
  {
    try await withAccounts { world in
      let search = AccountSearch(query: try SearchQuery("example"))
      let page = try await world.accounts.accounts(
        matching: search, pageSize: 1, in: world.project)
      let token = try #require(page.nextPageToken)
      _ = try await world.accounts.accounts(
        matching: search, pageSize: 3, after: token, in: world.project)
      var filtered = search
      filtered.filter.isDisabled = false
      let searches = [filtered, AccountSearch(query: try SearchQuery("exampl")), AccountSearch()]
      for other in searches {
        await #expect(throws: SearchTokenError()) {
          try await world.accounts.accounts(
            matching: other, pageSize: 1, after: token, in: world.project)
        }
      }
      let project = try World.project("another-project", policies: world.project.policies)
      await #expect(throws: SearchTokenError()) {
        try await world.accounts.accounts(
          matching: search, pageSize: 1, after: token, in: project)
      }
      let damaged = [
        "", "A", String(token.dropLast(4)), token + "AAAA", "\(token.dropFirst(4))AAAA",
        String(repeating: "A", count: 10_000),
      ]
      for text in damaged {
        await #expect(throws: SearchTokenError()) {
          try await world.accounts.accounts(
            matching: search, pageSize: 1, after: text, in: world.project)
        }
      }
    }
  }
}
