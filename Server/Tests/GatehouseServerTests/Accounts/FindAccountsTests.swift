import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct FindAccountsTests {
  @Test func `pages follow the order of ids until there are no more`() async throws {
    try await withWorld { world in
      for name in ["c", "a", "e", "b", "d"] { _ = try await world.create(uid(name)) }
      var pages: [[String]] = []
      var after: UID?
      repeat {
        let page = try await world.accounts.accounts(after: after, pageSize: 2, in: world.project)
        pages.append(page.accounts.map(\.uid.text))
        after = page.next
      } while after != nil
      #expect(pages == [["a", "b"], ["c", "d"], ["e"]])
    }
  }

  @Test func `after a full page there may be an empty one`() async throws {
    try await withWorld { world in
      for name in ["a", "b"] { _ = try await world.create(uid(name)) }
      let page = try await world.accounts.accounts(after: nil, pageSize: 2, in: world.project)
      #expect(page.next?.text == "b")
      let rest = try await world.accounts.accounts(
        after: page.next, pageSize: 2, in: world.project)
      #expect(rest.accounts.isEmpty)
      #expect(rest.next == nil)
    }
  }

  @Test func `a project without accounts has one empty page`() async throws {
    try await withWorld { world in
      let page = try await world.accounts.accounts(after: nil, pageSize: 10, in: world.project)
      #expect(page.accounts.isEmpty)
      #expect(page.next == nil)
    }
  }

  @Test func `another project's accounts aren't listed`() async throws {
    try await withWorld { world in
      _ = try await world.create()
      let other = try await world.otherProject()
      let page = try await world.accounts.accounts(after: nil, pageSize: 10, in: other)
      #expect(page.accounts.isEmpty)
    }
  }

  @Test func `selectors of every kind find each account once, in their order`() async throws {
    try await withWorld { world in
      let ann = try await world.create(uid("ann")) {
        $0.profile.email = .set(try email("ann@example.com"))
        $0.phoneNumber = .set("+15550100")
        $0.link = AssignedIdentity(provider: .google, subject: try subject("1"))
      }
      let bob = try await world.create(uid("bob"))
      let found = try await world.accounts.accounts(
        matching: [
          .uid(bob.uid), .email(try email("ann@example.com")), .uid(ann.uid),
          .phoneNumber("+15550100"), .identity(.google, try subject("1")), .uid(bob.uid),
        ], in: world.project)
      #expect(found.map(\.uid.text) == ["bob", "ann"])
    }
  }

  @Test func `each kind of selector finds an account, an unknown value none`() async throws {
    try await withWorld { world in
      let ann = try await world.create(uid("ann")) {
        $0.profile.email = .set(try email("ann@example.com"))
        $0.phoneNumber = .set("+15550100")
        $0.link = AssignedIdentity(provider: .google, subject: try subject("1"))
      }
      let known: [AccountSelector] = [
        .uid(ann.uid), .email(try email("ann@example.com")), .phoneNumber("+15550100"),
        .identity(.google, try subject("1")),
      ]
      for selector in known {
        let found = try await world.accounts.accounts(matching: [selector], in: world.project)
        #expect(found.map(\.uid) == [ann.uid])
      }
      let unknown: [AccountSelector] = [
        .uid(try uid("Ann")), .email(try email("bob@example.com")), .phoneNumber("+15550101"),
        .identity(.apple, try subject("1")), .identity(.google, try subject("2")),
      ]
      let none = try await world.accounts.accounts(matching: unknown, in: world.project)
      #expect(none.isEmpty)
    }
  }

  @Test func `the sign-in methods are the password and the providers`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      _ = try await world.signIn(identity(.google), linkingTo: ann.tokens.idToken).signedIn()
      let methods = try await world.accounts.signInMethods(
        of: email("ann@example.com"), in: world.project)
      #expect(
        methods == SignInMethods(password: true, emailLink: false, providers: [.google]))
    }
  }

  @Test
  func `with duplicate addresses an identity's address finds an account with its own address`()
    async throws
  {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      _ = try await world.signIn(
        identity(.google, email: "other@example.com"), linkingTo: ann.tokens.idToken)
      var project = world.project
      project.policies.allowsDuplicateEmails = true
      for address in ["ann@example.com", "other@example.com"] {
        let methods = try await world.accounts.signInMethods(
          of: email(address), in: project)
        // Several accounts may have the provider's address: no providers are named.
        #expect(methods == SignInMethods(password: true, emailLink: false, providers: []))
      }
    }
  }

  @Test func `an unknown address has no result, and one without credentials no methods`()
    async throws
  {
    try await withWorld { world in
      _ = try await world.create { $0.profile.email = .set(try email("ann@example.com")) }
      let known = try await world.accounts.signInMethods(
        of: email("ann@example.com"), in: world.project)
      #expect(known == SignInMethods(password: false, emailLink: false, providers: []))
      let unknown = try await world.accounts.signInMethods(
        of: email("bob@example.com"), in: world.project)
      #expect(unknown == nil)
    }
  }
}
