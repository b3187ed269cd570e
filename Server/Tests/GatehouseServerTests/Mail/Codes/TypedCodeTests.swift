import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct TypedCodeTests {
  private static let ann = "ann@example.com"

  @Test func `the digits do what the link does`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp(Self.ann)
      let verify = try await world.typed(.emailVerification(of: .idToken(ann.tokens.idToken)))
      #expect(try await world.apply(verify.code).isEmailVerified)
      let reset = try await world.typed(.passwordReset(try email(Self.ann)))
      _ = try await world.resetPassword(reset.code)
      _ = try await world.signIn(Self.ann, password: "freshpass")
      let signIn = try await world.typed(.emailSignIn(try email(Self.ann)))
      #expect(
        try await world.signIn(code: signIn.code, Self.ann).account.uid == ann.account.uid)
    }
  }

  @Test func `digits and link are one code: using either uses up both`() async throws {
    try await withWorld { world in
      _ = try await world.signUp(Self.ann)
      let first = try await world.typed(.passwordReset(try email(Self.ann)))
      _ = try await world.resetPassword(first.link)
      await #expect(throws: AccountsError.invalidActionCode) {
        try await world.resetPassword(first.code)
      }
      let second = try await world.typed(.passwordReset(try email(Self.ann)))
      _ = try await world.resetPassword(second.code)
      await #expect(throws: AccountsError.invalidActionCode) {
        try await world.resetPassword(second.link)
      }
    }
  }

  @Test func `the email has the digits, beside the link`() async throws {
    try await withWorld { world in
      _ = try await world.signUp(Self.ann)
      let typed = try await world.typed(.passwordReset(try email(Self.ann)))
      let task = try #require(try await world.emails().last)
      #expect(task.code?.digits?.reveal() == typed.digits)
      #expect(task.code?.digitsExpireAt == world.now.addingTimeInterval(15 * 60))
      try await world.ask(.passwordReset(try email(Self.ann)))
      #expect(try await world.emails().last?.code?.digits == nil)
    }
  }

  @Test func `after five wrong guesses the right digits are refused, the link is not`()
    async throws
  {
    try await withWorld { world in
      _ = try await world.signUp(Self.ann)
      let typed = try await world.typed(.passwordReset(try email(Self.ann)))
      for guess in typed.wrongGuesses(5) {
        await #expect(throws: AccountsError.invalidActionCode) {
          try await world.resetPassword(guess)
        }
      }
      await #expect(throws: AccountsError.invalidActionCode) {
        try await world.resetPassword(typed.code)
      }
      _ = try await world.resetPassword(typed.link)
    }
  }

  @Test func `four wrong guesses leave a fifth try`() async throws {
    try await withWorld { world in
      _ = try await world.signUp(Self.ann)
      let typed = try await world.typed(.passwordReset(try email(Self.ann)))
      for guess in typed.wrongGuesses(4) {
        await #expect(throws: AccountsError.invalidActionCode) {
          try await world.resetPassword(guess)
        }
      }
      _ = try await world.resetPassword(typed.code)
    }
  }

  @Test func `right digits that only look at the code, or set a weak password, cost no try`()
    async throws
  {
    try await withWorld { world in
      _ = try await world.signUp(Self.ann)
      let typed = try await world.typed(.passwordReset(try email(Self.ann)))
      for _ in 0..<10 {
        let code = try await world.accounts.actionCode(
          typed.code, from: .unknown, in: world.project, now: world.now)
        #expect(code.purpose == .passwordReset)
        await #expect(throws: AccountsError.weakPassword) {
          try await world.resetPassword(typed.code, to: "12345")
        }
      }
      _ = try await world.resetPassword(typed.code)
    }
  }

  /// In a row of flags, a search for the last character reads the whole row, for each flag.
  @Test(.timeLimit(.minutes(5))) func `a million bytes of flags are refused at once`()
    async throws
  {
    try await withWorld { world in
      let flags = String(repeating: "🇩🇪", count: 131_072)
      await #expect(throws: AccountsError.invalidActionCode) {
        try await world.accounts.actionCode(
          flags, from: .unknown, in: world.project, now: world.now)
      }
    }
  }

  @Test func `a hundred simultaneous guesses are five`() async throws {
    try await withWorld { world in
      _ = try await world.signUp(Self.ann)
      let typed = try await world.typed(.passwordReset(try email(Self.ann)))
      let guesses = typed.wrongGuesses(100)
      let results = await atOnce(100) { number in
        try await world.accounts.actionCode(
          guesses[number], from: .unknown, in: world.project, now: world.now)
      }
      #expect(results.successes().isEmpty)
      let code = try await world.store.read { transaction in
        try transaction.actionCodes(limit: 1, in: world.project.id).first
      }
      #expect(code?.session?.tries == VerificationSession.maximumTries)
    }
  }

  @Test func `more codes to one address don't allow more guesses, until the next day`()
    async throws
  {
    try await withWorld({ $0.rateLimits.wrongCodesPerEmail = 7 }) { world in
      _ = try await world.signUp(Self.ann)
      let first = try await world.typed(.passwordReset(try email(Self.ann)))
      for guess in first.wrongGuesses(5) { _ = try? await world.resetPassword(guess) }
      let second = try await world.typed(.passwordReset(try email(Self.ann)))
      for guess in second.wrongGuesses(2) {
        await #expect(throws: AccountsError.invalidActionCode) {
          try await world.resetPassword(guess)
        }
      }
      await #expect(throws: AccountsError.tooManyAttempts) {
        try await world.resetPassword(second.code)
      }
      world.advance(86_400)
      let third = try await world.typed(.passwordReset(try email(Self.ann)))
      _ = try await world.resetPassword(third.code)
    }
  }

  @Test func `guesses for all addresses of a project count together, and links stay`()
    async throws
  {
    try await withWorld({ $0.rateLimits.wrongCodesPerProject = 7 }) { world in
      for address in [Self.ann, "bob@example.com"] { _ = try await world.signUp(address) }
      let first = try await world.typed(.passwordReset(try email(Self.ann)))
      for guess in first.wrongGuesses(5) { _ = try? await world.resetPassword(guess) }
      let second = try await world.typed(.passwordReset(try email("bob@example.com")))
      for guess in second.wrongGuesses(2) {
        await #expect(throws: AccountsError.invalidActionCode) {
          try await world.resetPassword(guess)
        }
      }
      await #expect(throws: AccountsError.tooManyAttempts) {
        try await world.resetPassword(second.code)
      }
      _ = try await world.resetPassword(second.link)
      world.advance(86_400)
      let third = try await world.typed(.passwordReset(try email(Self.ann)))
      _ = try await world.resetPassword(third.code)
    }
  }

  /// Otherwise a few networks could reach the project's limit, and refuse all users' digits for a day.
  @Test(arguments: [true, false])
  func `wrong digits of one client refuse this client's right ones, until the next day`(
    _ hasAccount: Bool
  ) async throws {
    try await withWorld({
      $0.protectsEmails = true
      $0.rateLimits.wrongCodesPerAddress = 2
      $0.rateLimits.wrongCodesPerProject = 3
    }) { world in
      _ = try await world.signUp(Self.ann)
      let first = try await world.typed(.passwordReset(try email(Self.ann)))
      let guessed: [String]
      if hasAccount {
        guessed = first.wrongGuesses(3)
      } else {
        let void = try await world.request(.passwordReset(try email("nobody@example.com")))
        let id = try #require(void.sessionID)
        guessed = (0..<3).map { "\(id).00000\($0)" }
      }
      for guess in guessed.prefix(2) {
        await #expect(throws: AccountsError.invalidActionCode) {
          try await world.look(at: guess, from: "192.0.2.1")
        }
      }
      for code in [guessed[2], first.code] {
        await #expect(throws: AccountsError.tooManyAttempts) {
          try await world.look(at: code, from: "192.0.2.1")
        }
      }
      try await world.look(at: first.code, from: "192.0.2.2")
      _ = try await world.resetPassword(first.link)
      world.advance(86_400)
      let second = try await world.typed(.passwordReset(try email(Self.ann)))
      try await world.look(at: second.code, from: "192.0.2.1")
    }
  }

  @Test func `four networks of one IPv6 site use up the wrong digits of all its networks`()
    async throws
  {
    try await withWorld({ $0.rateLimits.wrongCodesPerAddress = 1 }) { world in
      _ = try await world.signUp(Self.ann)
      let typed = try await world.typed(.passwordReset(try email(Self.ann)))
      for (number, guess) in typed.wrongGuesses(4).enumerated() {
        await #expect(throws: AccountsError.invalidActionCode) {
          try await world.look(at: guess, from: "2001:db8:0:\(number)::1")
        }
      }
      await #expect(throws: AccountsError.tooManyAttempts) {
        try await world.look(at: typed.code, from: "2001:db8:0:4::1")
      }
      try await world.look(at: typed.code, from: "2001:db8:1::1")
    }
  }

  @Test func `guesses at codes of addresses without an account leave the right digits usable`()
    async throws
  {
    try await withWorld({
      $0.protectsEmails = true
      $0.rateLimits.wrongCodesPerProject = 1
    }) { world in
      for number in 0..<5 {
        let requested = try await world.accounts.requestActionCode(
          .passwordReset(try email("nobody-\(number)@example.com")), handling: .deliver,
          isTyped: true, from: .unknown, link: World.link, in: world.project, now: world.now)
        let id = try #require(requested.sessionID)
        for guess in 0..<5 {
          await #expect(throws: AccountsError.invalidActionCode) {
            try await world.resetPassword("\(id).00000\(guess)")
          }
        }
      }
      _ = try await world.signUp(Self.ann)
      let typed = try await world.typed(.passwordReset(try email(Self.ann)))
      _ = try await world.resetPassword(typed.code)
    }
  }

  @Test func `guesses in one project leave the digits of another one usable`() async throws {
    try await withWorld({ $0.rateLimits.wrongCodesPerProject = 1 }) { world in
      let other = try await world.otherProject()
      _ = try await world.signUp(Self.ann)
      let typed = try await world.typed(.passwordReset(try email(Self.ann)))
      _ = try? await world.resetPassword(typed.wrongGuesses(1)[0])
      await #expect(throws: AccountsError.tooManyAttempts) {
        try await world.resetPassword(typed.code)
      }
      _ = try await world.signUp("bob@example.com", in: other)
      let requested = try await world.accounts.requestActionCode(
        .passwordReset(try email("bob@example.com")), handling: .reveal, isTyped: true,
        from: .unknown, link: World.link, in: other, now: world.now)
      let issued = try #require(requested.issued?.typed)
      _ = try await world.resetPassword(
        "\(issued.sessionID).\(issued.digits.reveal())", in: other)
    }
  }

  @Test func `a right code doesn't reset the count of wrong ones`() async throws {
    try await withWorld({ $0.rateLimits.wrongCodesPerEmail = 2 }) { world in
      let ann = try await world.signUp(Self.ann)
      for isLast in [false, true] {
        let typed = try await world.typed(.emailVerification(of: .idToken(ann.tokens.idToken)))
        _ = try? await world.apply(typed.wrongGuesses(1)[0])
        if !isLast { _ = try await world.apply(typed.code) }
      }
      let last = try await world.typed(.emailVerification(of: .idToken(ann.tokens.idToken)))
      await #expect(throws: AccountsError.tooManyAttempts) { try await world.apply(last.code) }
    }
  }

  @Test func `the digits expire after fifteen minutes, the link stays`() async throws {
    try await withWorld { world in
      _ = try await world.signUp(Self.ann)
      let typed = try await world.typed(.passwordReset(try email(Self.ann)))
      world.advance(15 * 60)
      await #expect(throws: AccountsError.expiredActionCode) {
        try await world.resetPassword(typed.code)
      }
      // Wrong ones don't reveal that there is a code.
      await #expect(throws: AccountsError.invalidActionCode) {
        try await world.resetPassword(typed.wrongGuesses(1)[0])
      }
      _ = try await world.resetPassword(typed.link)
    }
  }

  @Test func `an unknown address gets a session like any other, and the same refusals`()
    async throws
  {
    try await withWorld({
      $0.protectsEmails = true
      $0.rateLimits.wrongCodesPerEmail = 7
    }) { world in
      _ = try await world.signUp(Self.ann)
      var refusals: [String: [AccountsError]] = [:]
      for address in [Self.ann, "nobody@example.com"] {
        for _ in 0..<2 {
          let requested = try await world.request(.passwordReset(try email(address)))
          let id = try #require(requested.sessionID)
          #expect(id.utf8.count == 43)
          let digits = try await world.emails().last?.code?.digits?.reveal() ?? ""
          for guess in Typed(id: id, digits: digits, link: "").wrongGuesses(6) {
            do throws(any Error) { _ = try await world.resetPassword(guess) } catch {
              refusals[address, default: []].append(try #require(error as? AccountsError))
            }
          }
        }
      }
      let known = try #require(refusals[Self.ann])
      #expect(known == refusals["nobody@example.com"])
      #expect(
        known == Array(repeating: .invalidActionCode, count: 8)
          + Array(repeating: .tooManyAttempts, count: 4))
      // The session id that an unknown address gets belongs to no code.
      let requested = try await world.request(.passwordReset(try email("other@example.com")))
      let digits = try #require(try await world.emails().last?.code?.digits?.reveal())
      await #expect(throws: AccountsError.invalidActionCode) {
        try await world.resetPassword("\(try #require(requested.sessionID)).\(digits)")
      }
    }
  }

  @Test(arguments: ["", ".", "12345", "1234567", "12345a", "１２３４５６", "123456.123456"])
  func `a text that isn't a session and six digits is refused`(_ digits: String) async throws {
    try await withWorld { world in
      _ = try await world.signUp(Self.ann)
      let typed = try await world.typed(.passwordReset(try email(Self.ann)))
      await #expect(throws: AccountsError.invalidActionCode) {
        try await world.resetPassword("\(typed.id).\(digits)")
      }
      _ = try await world.resetPassword(typed.code)
    }
  }

  @Test func `the digits belong to their session, purpose, project and address`() async throws {
    try await withWorld { world in
      _ = try await world.signUp(Self.ann)
      _ = try await world.signUp("bob@example.com")
      let typed = try await world.typed(.passwordReset(try email(Self.ann)))
      let other = try await world.typed(.passwordReset(try email("bob@example.com")))
      if typed.digits != other.digits {
        await #expect(throws: AccountsError.invalidActionCode) {
          try await world.resetPassword("\(typed.id).\(other.digits)")
        }
      }
      await #expect(throws: AccountsError.invalidActionCode) { try await world.apply(typed.code) }
      let signIn = try await world.typed(.emailSignIn(try email(Self.ann)))
      await #expect(throws: AccountsError.emailMismatch) {
        try await world.signIn(code: signIn.code, "bob@example.com")
      }
      _ = try await world.resetPassword(typed.code)
    }
  }

  @Test func `a newer email makes the digits of the earlier one useless`() async throws {
    try await withWorld { world in
      _ = try await world.signUp(Self.ann)
      let first = try await world.typed(.passwordReset(try email(Self.ann)))
      _ = try await world.typed(.passwordReset(try email(Self.ann)))
      await #expect(throws: AccountsError.invalidActionCode) {
        try await world.resetPassword(first.code)
      }
    }
  }

  @Test func `an administrator gets session and digits, and nothing is sent`() async throws {
    try await withWorld { world in
      _ = try await world.signUp(Self.ann)
      let requested = try await world.request(.passwordReset(try email(Self.ann)), .reveal)
      let typed = try #require(requested.issued?.typed)
      #expect(typed.sessionID == requested.sessionID)
      #expect(try await world.emails().isEmpty)
      _ = try await world.resetPassword("\(typed.sessionID).\(typed.digits.reveal())")
    }
  }
}

/// What a client and its user have after a request for six digits.
private struct Typed {
  let id: String
  let digits: String
  /// The code in the link.
  let link: String

  var code: String { "\(id).\(digits)" }

  func wrongGuesses(_ count: Int) -> [String] {
    (0..<1_000).lazy.map { String(100_000 + $0) }.filter { $0 != digits }.prefix(count)
      .map { "\(id).\($0)" }
  }
}

extension World {
  fileprivate func request(
    _ request: ActionCodeRequest, _ handling: ActionCodeHandling = .deliver
  ) async throws -> RequestedActionCode {
    try await accounts.requestActionCode(
      request, handling: handling, isTyped: true, from: .unknown, link: Self.link, in: project,
      now: now)
  }

  fileprivate func look(at code: String, from client: String) async throws {
    _ = try await accounts.actionCode(
      code, from: ClientAddress(try #require(IPAddress(client))), in: project, now: now)
  }

  /// Requests digits as a client does, and reads them in the email.
  fileprivate func typed(_ request: ActionCodeRequest) async throws -> Typed {
    let requested = try await self.request(request)
    let mail = try #require(mailbox.mails(to: requested.email.text).last)
    return Typed(
      id: try #require(requested.sessionID), digits: try #require(mail.digits?.reveal()),
      link: mail.code)
  }
}
