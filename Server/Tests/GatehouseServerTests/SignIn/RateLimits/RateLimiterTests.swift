import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct RateLimiterTests {
  private static let wrong = "notasecreT"

  private func client(_ text: String) throws -> ClientAddress {
    ClientAddress(try #require(IPAddress(text)))
  }

  /// Runs `body` in a world with the limits of production.
  private func withRateLimiter(
    _ limits: RateLimits = RateLimits(), body: (World) async throws -> Void
  ) async throws {
    try await withWorld({ $0.rateLimits = limits }, body: body)
  }

  private func fail(
    _ count: Int, _ address: String, from client: ClientAddress = .unknown, _ world: World
  ) async throws {
    for _ in 0..<count {
      await #expect(throws: AccountsError.self) {
        try await world.signIn(address, password: Self.wrong, from: client)
      }
    }
  }

  @Test func `after ten failures even the right password is refused, for ten minutes`() async throws
  {
    try await withRateLimiter { world in
      _ = try await world.signUp("ann@example.com")
      try await fail(9, "ann@example.com", world)
      await #expect(throws: AccountsError.invalidPassword) {
        try await world.signIn("ann@example.com", password: Self.wrong)
      }
      for password in [Self.wrong, "notasecret"] {
        await #expect(throws: AccountsError.tooManyAttempts) {
          try await world.signIn("ann@example.com", password: password)
        }
      }
      world.advance(599)
      await #expect(throws: AccountsError.tooManyAttempts) {
        try await world.signIn("ann@example.com")
      }
      world.advance(2)
      _ = try await world.signIn("ann@example.com")
    }
  }

  @Test func `ten networks of one IPv6 site use up the limit of all its networks`() async throws {
    var limits = RateLimits()
    limits.failuresPerAddress = 2
    try await withRateLimiter(limits) { world in
      _ = try await world.signUp("ann@example.com")
      for network in 0..<10 {
        for number in 0..<2 {
          await #expect(throws: AccountsError.emailNotFound) {
            try await world.signIn(
              "nobody-\(network)-\(number)@example.com",
              from: try client("2001:db8:7:\(network)::1"))
          }
        }
      }
      await #expect(throws: AccountsError.tooManyAttempts) {
        try await world.signIn("ann@example.com", from: try client("2001:db8:7:ffff::1"))
      }
      _ = try await world.signIn("ann@example.com", from: try client("2001:db8:8::1"))
      _ = try await world.signIn("ann@example.com", from: try client("192.0.2.7"))
      world.advance(601)
      _ = try await world.signIn("ann@example.com", from: try client("2001:db8:7:ffff::1"))
    }
  }

  @Test func `IPv4 addresses are counted one by one`() async throws {
    var limits = RateLimits()
    limits.failuresPerAddress = 1
    try await withRateLimiter(limits) { world in
      for number in 1..<30 {
        await #expect(throws: AccountsError.emailNotFound) {
          try await world.signIn(
            "nobody-\(number)@example.com", from: try client("192.0.2.\(number)"))
        }
      }
    }
  }

  @Test func `an address without an account is counted and refused like others`() async throws {
    try await withRateLimiter { world in
      try await fail(9, "nobody@example.com", world)
      await #expect(throws: AccountsError.emailNotFound) {
        try await world.signIn("nobody@example.com")
      }
      await #expect(throws: AccountsError.tooManyAttempts) {
        try await world.signIn("NOBODY@example.com")
      }
    }
  }

  @Test func `refused attempts don't extend the window`() async throws {
    try await withRateLimiter { world in
      _ = try await world.signUp("ann@example.com")
      try await fail(10, "ann@example.com", world)
      world.advance(500)
      try await fail(50, "ann@example.com", world)
      world.advance(101)
      _ = try await world.signIn("ann@example.com")
    }
  }

  @Test func `a success resets the account's failures`() async throws {
    try await withRateLimiter { world in
      _ = try await world.signUp("ann@example.com")
      try await fail(9, "ann@example.com", world)
      _ = try await world.signIn("ann@example.com")
      try await fail(9, "ann@example.com", world)
      _ = try await world.signIn("ann@example.com")
    }
  }

  @Test func `an attacker's guesses don't affect a session`() async throws {
    try await withRateLimiter { world in
      let ann = try await world.signUp("ann@example.com")
      try await fail(20, "ann@example.com", world)
      _ = try await world.refresh(ann.tokens.refreshToken)
    }
  }

  @Test func `another account and another project have their own counters`() async throws {
    try await withRateLimiter { world in
      _ = try await world.signUp("ann@example.com")
      _ = try await world.signUp("bob@example.com")
      let other = try await world.otherProject()
      _ = try await world.signUp("ann@example.com", in: other)
      try await fail(10, "ann@example.com", world)
      _ = try await world.signIn("bob@example.com")
      _ = try await world.signIn("ann@example.com", in: other)
    }
  }

  @Test func `after a hundred failures a client address is refused; a success resets nothing`()
    async throws
  {
    var limits = RateLimits()
    limits.failuresPerAddress = 6
    try await withRateLimiter(limits) { world in
      let (thief, owner) = (try client("192.0.2.1"), try client("192.0.2.2"))
      _ = try await world.signUp("mallory@example.com")
      _ = try await world.signUp("ann@example.com")
      for number in 0..<3 {
        try await fail(2, "victim\(number)@example.com", from: thief, world)
        if number < 2 { _ = try await world.signIn("mallory@example.com", from: thief) }
      }
      await #expect(throws: AccountsError.tooManyAttempts) {
        try await world.signIn("ann@example.com", from: thief)
      }
      _ = try await world.signIn("ann@example.com", from: owner)
    }
    #expect(RateLimits().failuresPerAddress == 100)
  }

  @Test func `of a hundred concurrent guesses ten get a result`() async throws {
    var limits = RateLimits()
    limits.failuresPerAddress = 1000
    try await withRateLimiter(limits) { world in
      _ = try await world.signUp("ann@example.com")
      let accounts = try World.service(
        store: world.store, master: world.master, passwords: try World.hasher())
      let address = try email("ann@example.com")
      let results = await atOnce(100) { _ in
        try await accounts.signIn(
          email: address, password: Secret(Self.wrong), from: .unknown, in: world.project,
          now: world.now
        ).isNewUser
      }
      let refusals: [AccountsError] = results.refusals()
      #expect(refusals.count { $0 == .invalidPassword } == 10)
      #expect(refusals.count { $0 == .tooManyAttempts } == 90)
    }
  }

  @Test func `a right password beyond the limit isn't revealed`() async throws {
    try await withRateLimiter { world in
      _ = try await world.signUp("ann@example.com")
      let hasher = OvertakenHasher(hasher: try World.hasher()) {
        try await fail(10, "ann@example.com", world)
      }
      let accounts = try World.service(
        store: world.store, master: world.master, passwords: hasher)
      await #expect(throws: AccountsError.tooManyAttempts) {
        try await accounts.signIn(
          email: try email("ann@example.com"), password: Secret("notasecret"), from: .unknown,
          in: world.project, now: world.now)
      }
    }
  }

  @Test func `the counters are in the store, visible to every process`() async throws {
    try await withRateLimiter { world in
      _ = try await world.signUp("ann@example.com")
      try await fail(10, "ann@example.com", world)
      let other = try World(store: world.store, project: world.project, master: world.master)
      await #expect(throws: AccountsError.tooManyAttempts) {
        try await other.signIn("ann@example.com")
      }
    }
  }

  @Test func `a clock that was ahead locks no user out when it is right again`() async throws {
    try await withRateLimiter { world in
      _ = try await world.signUp("ann@example.com")
      world.advance(86_400)
      try await fail(10, "ann@example.com", world)
      world.advance(-86_400)
      _ = try await world.signIn("ann@example.com")
    }
  }

  @Test func `a client address may create a limited number of accounts in an hour`() async throws {
    var limits = RateLimits()
    limits.signUpsPerAddress = 3
    try await withRateLimiter(limits) { world in
      let (one, another) = (try client("192.0.2.1"), try client("192.0.2.2"))
      _ = try await world.signUpAnonymously(from: one)
      _ = try await world.signUp("ann@example.com", from: one)
      // A response that reveals that an address is taken counts too.
      await #expect(throws: AccountsError.emailExists) {
        try await world.signUp("ann@example.com", from: one)
      }
      await #expect(throws: AccountsError.tooManyAttempts) {
        try await world.signUp("bob@example.com", from: one)
      }
      await #expect(throws: AccountsError.tooManyAttempts) {
        try await world.signUpAnonymously(from: one)
      }
      _ = try await world.signUpAnonymously(from: another)
      world.advance(3601)
      _ = try await world.signUpAnonymously(from: one)
    }
    #expect(RateLimits().signUpsPerAddress == 100)
  }

  @Test func `setting the own account's address counts like a sign-up`() async throws {
    var limits = RateLimits()
    limits.signUpsPerAddress = 4
    try await withRateLimiter(limits) { world in
      _ = try await world.signUp("ann@example.com")
      var idToken = try await world.signUpAnonymously().tokens.idToken
      func give(_ address: String) async throws {
        let updated = try await world.update(idToken) { $0.email = .set(try email(address)) }
        idToken = updated.tokens?.idToken ?? idToken
      }
      await #expect(throws: AccountsError.emailExists) { try await give("ann@example.com") }
      try await give("bob@example.com")
      // The same address again doesn't count.
      try await give("bob@example.com")
      for address in ["ann@example.com", "carol@example.com"] {
        await #expect(throws: AccountsError.tooManyAttempts) { try await give(address) }
      }
      // Other changes don't count either.
      _ = try await world.update(idToken) { $0.displayName = .set("Bob") }
      world.advance(3601)
      idToken = try await world.signUpAnonymously().tokens.idToken
      await #expect(throws: AccountsError.emailExists) { try await give("ann@example.com") }
    }
  }

  @Test func `forged tokens count for the client address, until the provider isn't asked`()
    async throws
  {
    struct MadeUp: Error {}
    struct Unreachable: Error {}
    var limits = RateLimits()
    limits.failuresPerAddress = 2
    try await withRateLimiter(limits) { world in
      let client = try client("192.0.2.1")
      func ask(_ error: any Error) async throws {
        try await world.accounts.withRateLimit(
          from: client, in: world.project, now: world.now,
          countingIf: {
            if case .failure(let error) = $0 { error is MadeUp } else { false }
          }
        ) { throw error }
      }
      for _ in 0..<3 {
        await #expect(throws: Unreachable.self) { try await ask(Unreachable()) }
      }
      for _ in 0..<2 {
        await #expect(throws: MadeUp.self) { try await ask(MadeUp()) }
      }
      await #expect(throws: AccountsError.tooManyAttempts) { try await ask(Unreachable()) }
      world.advance(601)
      await #expect(throws: Unreachable.self) { try await ask(Unreachable()) }
    }
  }

  @Test func `a provider's refusal is counted although the call succeeds`() async throws {
    var limits = RateLimits()
    limits.failuresPerAddress = 2
    try await withRateLimiter(limits) { world in
      func ask(_ isRefused: Bool) async throws -> Bool {
        try await world.accounts.withRateLimit(
          from: try client("192.0.2.1"), in: world.project, now: world.now,
          countingIf: { (try? $0.get()) == true }
        ) { isRefused }
      }
      for isRefused in [false, true, false, true] {
        let answer = try await ask(isRefused)
        #expect(answer == isRefused)
      }
      await #expect(throws: AccountsError.tooManyAttempts) { try await ask(false) }
    }
  }

  @Test func `wrong passwords don't limit calls to a provider`() async throws {
    var limits = RateLimits()
    limits.failuresPerAddress = 2
    try await withRateLimiter(limits) { world in
      let client = try client("192.0.2.1")
      try await fail(2, "ann@example.com", from: client, world)
      await #expect(throws: AccountsError.tooManyAttempts) {
        try await world.signIn("eve@example.com", from: client)
      }
      let answer = try await world.accounts.withRateLimit(
        from: client, in: world.project, now: world.now, countingIf: { _ in false }
      ) { 7 }
      #expect(answer == 7)
    }
  }

  @Test func `one client can't fill the queue of hashes`() async throws {
    try await withWorld { world in
      _ = try await world.signUp("ann@example.com")
      let gate = Gate()
      let accounts = try World.service(
        store: world.store, master: world.master,
        passwords: OvertakenHasher(hasher: try World.hasher()) { await gate.wait() },
        hashesPerClient: 1)
      let (one, another) = (try client("192.0.2.1"), try client("192.0.2.2"))
      let address = try email("ann@example.com")
      @Sendable func signIn(_ client: ClientAddress) async throws -> Bool {
        try await accounts.signIn(
          email: address, password: Secret("notasecret"), from: client, in: world.project,
          now: world.now
        ).isNewUser
      }
      async let first = signIn(one)
      await gate.arrived(1)
      await #expect(throws: AccountsError.overloaded) { try await signIn(one) }
      async let second = signIn(another)
      await gate.arrived(2)
      await gate.open()
      #expect(try await [first, second] == [false, false])
      #expect(try await signIn(one) == false)
    }
  }

  @Test func `limits missing in a stored document get their defaults`() throws {
    let stored = #"{"failuresPerAccount": 5}"#
    let limits = try JSONDecoder().decode(RateLimits.self, from: Data(stored.utf8))
    var expected = RateLimits()
    expected.failuresPerAccount = 5
    #expect(limits == expected)
  }

  /// Runs an action between checking a password and returning the result.
  private struct OvertakenHasher: PasswordHashing {
    let hasher: ScryptHasher
    let meanwhile: @Sendable () async throws -> Void

    func hash(_ password: Secret<String>) async throws -> PasswordHash {
      try await hasher.hash(password)
    }

    func verify(_ password: Secret<String>, against hash: PasswordHash?) async throws -> Bool {
      let isRight = try await hasher.verify(password, against: hash)
      try await meanwhile()
      return isRight
    }

    func isOutdated(_ hash: PasswordHash) -> Bool { hasher.isOutdated(hash) }
  }

  /// Blocks callers until it is opened, and counts them.
  private actor Gate {
    private var isOpen = false
    private var count = 0
    private var held: [CheckedContinuation<Void, Never>] = []
    private var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    func wait() async {
      count += 1
      for watcher in watchers where watcher.count <= count { watcher.continuation.resume() }
      watchers.removeAll { $0.count <= count }
      if !isOpen { await withCheckedContinuation { held.append($0) } }
    }

    func arrived(_ expected: Int) async {
      if count < expected { await withCheckedContinuation { watchers.append((expected, $0)) } }
    }

    func open() {
      isOpen = true
      for continuation in held { continuation.resume() }
      held = []
    }
  }
}
