import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

/// What a browser sign-in binds together, and which of its steps are possible only once.
@Suite struct BrowserSignInTests {
  private static let destination = BrowserSignIn.Destination(
    mode: .signInWithRedirect, url: "com.example.app://firebaseauth/link", eventID: "e")

  private func start(_ destination: BrowserSignIn.Destination? = destination) throws
    -> BrowserSignIn.Start
  {
    var start = BrowserSignIn.Start(
      provider: .google, redirectURI: "https://auth.example.com/cb",
      sessionDigest: BrowserSignIn.digest(ofSession: "session"))
    start.destination = destination
    return start
  }

  private func refusal(
    _ fault: BrowserSignInFault, _ body: () async throws -> Void
  ) async {
    await #expect(throws: AccountsError.browserSignIn(fault)) { try await body() }
  }

  @Test func `a state contains the whole sign-in`() async throws {
    try await withWorld { world in
      let (signIn, state) = try world.accounts.beginBrowserSignIn(
        try start(), in: world.project, now: world.now)
      let opened = try world.accounts.browserSignIn(ofState: state, now: world.now)
      #expect(opened.project == world.project.id)
      #expect(opened.provider == .google)
      #expect(opened.redirectURI == signIn.redirectURI)
      #expect(opened.response == .code)
      #expect(opened.usesPKCE)
      #expect(opened.sessionDigest == signIn.sessionDigest)
      #expect(opened.destination == Self.destination)
      #expect(opened.nonce == signIn.nonce)
      #expect(opened.codeVerifier == signIn.codeVerifier)
      #expect(opened.cookieTag == signIn.cookieTag)
      #expect(opened.cookieValue.reveal() == signIn.cookieValue.reveal())
    }
  }

  @Test func `two sign-ins share no value, and none is used twice`() async throws {
    try await withWorld { world in
      let signIns = try (0..<2).map { _ in
        try world.accounts.beginBrowserSignIn(try start(), in: world.project, now: world.now).signIn
      }
      let values = signIns.flatMap {
        [$0.nonce, $0.codeVerifier ?? "", $0.cookieValue.reveal(), $0.cookieTag]
      }
      #expect(Set(values).count == values.count)
      #expect(values.allSatisfy { $0.utf8.count == 43 || $0.utf8.count == 16 })
    }
  }

  @Test func `a state can't be altered, and is valid for ten minutes`() async throws {
    try await withWorld { world in
      let (_, state) = try world.accounts.beginBrowserSignIn(
        try start(), in: world.project, now: world.now)
      let (now, accounts) = (world.now, world.accounts)
      await refusal(.stateMissing) { _ = try accounts.browserSignIn(ofState: nil, now: now) }
      await refusal(.stateMissing) { _ = try accounts.browserSignIn(ofState: "", now: now) }
      for altered in [String(state.dropFirst()), "ghr_" + state.dropFirst(4), state + "A", "ghs_"] {
        await refusal(.notIssued) { _ = try accounts.browserSignIn(ofState: altered, now: now) }
      }
      _ = try accounts.browserSignIn(ofState: state, now: now.addingTimeInterval(599))
      await refusal(.expired) {
        _ = try accounts.browserSignIn(ofState: state, now: now.addingTimeInterval(601))
      }
    }
  }

  @Test func `a response is accepted only where the sign-in expects it`() async throws {
    try await withWorld { world in
      let (now, accounts, project) = (world.now, world.accounts, world.project)
      let ours = try accounts.beginBrowserSignIn(try start(), in: project, now: now).state
      let own = try accounts.beginBrowserSignIn(try start(nil), in: project, now: now).state
      _ = try accounts.browserSignIn(ofOwnState: own, in: project, now: now)
      await refusal(.notIssued) { _ = try accounts.browserSignIn(ofState: own, now: now) }
      await refusal(.notIssued) {
        _ = try accounts.browserSignIn(ofOwnState: ours, in: project, now: now)
      }
      let other = try await world.otherProject()
      await refusal(.notIssued) {
        _ = try accounts.browserSignIn(ofOwnState: own, in: other, now: now)
      }
    }
  }

  @Test func `a response arrives in its own browser, once`() async throws {
    try await withWorld { world in
      let (signIn, _) = try world.accounts.beginBrowserSignIn(
        try start(), in: world.project, now: world.now)
      let (now, accounts) = (world.now, world.accounts)
      for cookie in [nil, "", "another", signIn.nonce] {
        await refusal(.otherBrowser) {
          try await accounts.checkBrowser(of: signIn, cookie: cookie)
        }
      }
      try await accounts.checkBrowser(of: signIn, cookie: signIn.cookieValue.reveal())
      try await accounts.arrive(signIn, keeping: nil, now: now)
      await refusal(.used) { try await accounts.arrive(signIn, keeping: nil, now: now) }
      // The cookie ends with the sign-in.
      for cookie in [nil, "another"] {
        await refusal(.used) { try await accounts.checkBrowser(of: signIn, cookie: cookie) }
      }
    }
  }

  @Test func `only the first arrival stores the name in the response`() async throws {
    try await withWorld { world in
      let (signIn, _) = try world.accounts.beginBrowserSignIn(
        try start(), in: world.project, now: world.now)
      let (now, accounts, project) = (world.now, world.accounts, world.project.id)
      let subject = try #require(Subject("ada"))
      let name = ArrivedName(provider: .google, subject: subject, displayName: "Ada")
      let other = ArrivedName(provider: .google, subject: subject, displayName: "Eve")
      try await accounts.arrive(signIn, keeping: name, now: now)
      await refusal(.used) { try await accounts.arrive(signIn, keeping: other, now: now) }
      let stored = try await world.store.read {
        try $0.arrivedName(of: .google, subject: subject, in: project, now: now)
      }
      #expect(stored == name)
    }
  }

  @Test func `a response is redeemed by its session, once, within five minutes`() async throws {
    try await withWorld { world in
      let (now, accounts, project) = (world.now, world.accounts, world.project)
      let (signIn, _) = try accounts.beginBrowserSignIn(try start(), in: project, now: now)
      let sealed = try accounts.seal(
        BrowserAnswer(
          to: signIn, .code(Secret("c")), issuer: "i",
          userName: UserName(firstName: "Zoë", lastName: nil), arrivedAt: now))
      let answer = try accounts.browserAnswer(sealed: sealed, in: project, now: now)
      guard case .code(let code) = answer.proof else { throw AccountsError.userNotFound }
      #expect(code.reveal() == "c")
      #expect(answer.issuer == "i")
      #expect(answer.userName?.firstName == "Zoë")
      #expect(answer.userName?.lastName == nil)
      await refusal(.expired) {
        _ = try accounts.browserAnswer(
          sealed: sealed, in: project, now: now.addingTimeInterval(301))
      }
      let other = try await world.otherProject()
      await refusal(.notIssued) {
        _ = try accounts.browserAnswer(sealed: sealed, in: other, now: now)
      }
      for session in [nil, "", "Session"] {
        await refusal(.otherSession) {
          _ = try await accounts.redeem(
            answer, sessionID: session, isLink: false, in: project, now: now)
        }
      }
      _ = try await accounts.redeem(
        answer, sessionID: "session", isLink: false, in: project, now: now)
      await refusal(.used) {
        _ = try await accounts.redeem(
          answer, sessionID: "session", isLink: false, in: project, now: now)
      }
    }
  }

  @Test(arguments: BrowserSignIn.Mode.allCases)
  func `a page's sign-in keeps its destination`(_ mode: BrowserSignIn.Mode) async throws {
    try await withWorld { world in
      let destination = BrowserSignIn.Destination(
        mode: mode, url: "https://app.example.com/in#here", eventID: nil,
        page: BrowserSignIn.Page(
          origin: "https://app.example.com", apiKey: "key", appName: "[DEFAULT]"))
      let (_, state) = try world.accounts.beginBrowserSignIn(
        try start(destination), in: world.project, now: world.now)
      let opened = try world.accounts.browserSignIn(ofState: state, now: world.now)
      #expect(opened.destination == destination)
    }
  }

  @Test func `a client without a session id gets one of the server`() async throws {
    try await withWorld { world in
      var start = try start()
      start.sessionDigest = nil
      let signIns = try (0..<2).map { _ in
        try world.accounts.beginBrowserSignIn(start, in: world.project, now: world.now).signIn
      }
      let sessions = signIns.map { $0.ownSessionID.reveal() }
      #expect(sessions[0] != sessions[1])
      #expect(sessions[0].utf8.count == 43)
      #expect(signIns[0].sessionDigest == BrowserSignIn.digest(ofSession: sessions[0]))
      // For a client with its own session id, the server's is not accepted.
      let kept = try world.accounts.beginBrowserSignIn(
        try self.start(), in: world.project, now: world.now
      ).signIn
      #expect(kept.sessionDigest != BrowserSignIn.digest(ofSession: kept.ownSessionID.reveal()))
    }
  }

  @Test(
    arguments: [
      (.signInViaPopup, false), (.linkViaPopup, true), (.reauthViaPopup, false),
      (.signInViaRedirect, false), (.linkViaRedirect, true), (.reauthViaRedirect, false),
    ] as [(BrowserSignIn.Mode, Bool)])
  func `a response is valid only for the purpose of its sign-in`(
    _ mode: BrowserSignIn.Mode, _ isLink: Bool
  ) async throws {
    try await withWorld { world in
      let (now, accounts, project) = (world.now, world.accounts, world.project)
      let destination = BrowserSignIn.Destination(
        mode: mode, url: "https://a.example", eventID: nil)
      let (signIn, _) = try accounts.beginBrowserSignIn(
        try start(destination), in: project, now: now)
      let answer = BrowserAnswer(to: signIn, .code(Secret("c")), issuer: nil, arrivedAt: now)
      await refusal(.otherPurpose) {
        _ = try await accounts.redeem(
          answer, sessionID: "session", isLink: !isLink, in: project, now: now)
      }
      // Nothing was used up.
      _ = try await accounts.redeem(
        answer, sessionID: "session", isLink: isLink, in: project, now: now)
    }
  }

  @Test func `a posted form is valid for two minutes`() async throws {
    try await withWorld { world in
      let (now, accounts) = (world.now, world.accounts)
      let posted = try accounts.seal(
        postedForm: [("state", "s"), ("code", "")], now: now)
      let form = try accounts.form(ofPosted: posted, now: now)
      #expect(form.map(\.name) == ["state", "code"])
      #expect(form.map(\.value) == ["s", ""])
      await refusal(.expired) {
        _ = try accounts.form(ofPosted: posted, now: now.addingTimeInterval(121))
      }
      await refusal(.notIssued) { _ = try accounts.form(ofPosted: "ghp_x", now: now) }
    }
  }

  @Test func `a state is valid in any process with the same master key`() async throws {
    try await withWorld { world in
      let (_, state) = try world.accounts.beginBrowserSignIn(
        try start(), in: world.project, now: world.now)
      let again = try World.service(
        store: world.store, master: world.master, passwords: try World.hasher())
      _ = try again.browserSignIn(ofState: state, now: world.now)
      let other = try World.service(
        store: world.store,
        master: try #require(MasterKey(Array(repeating: 9, count: MasterKey.byteCount))),
        passwords: try World.hasher())
      await refusal(.notIssued) { _ = try other.browserSignIn(ofState: state, now: world.now) }
    }
  }
}
