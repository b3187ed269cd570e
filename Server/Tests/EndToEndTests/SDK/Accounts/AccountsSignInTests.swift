import GatehouseClient
import Synchronization
import Testing

/// New and existing accounts, and the user's consent, against the real server.
@Suite(.developmentServer) struct AccountsSignInTests {
  private struct WrongAnswer: Error {}

  @Test func `a user with a hidden address links an existing account`() async throws {
    let device = try await AccountDevice(hidesEmail: true)
    let email = Unique.email()
    let existing = try await device.manager.client.createUser(
      email: email, password: "long enough"
    ).user.uid
    try device.manager.client.signOut()

    guard
      case .newAccount(let question) = try await device.manager.signIn(with: .apple, ifNew: .ask)
    else { throw WrongAnswer() }
    #expect(question.provider == .apple)
    #expect(device.manager.authState == .signedOut)
    let linked = try await question.linkToExisting(
      by: .password(email: email, password: "long enough"))
    #expect(linked.result?.user.uid == existing)
    #expect(device.apple.sheetCount == 1)

    try device.manager.client.signOut()
    #expect(try await device.signIn().uid == existing)
  }

  @Test func `a new user is asked first, and then gets an account with a name`() async throws {
    let device = try await AccountDevice(hidesEmail: true)
    guard
      case .newAccount(let question) = try await device.manager.signIn(with: .apple, ifNew: .ask)
    else { throw WrongAnswer() }
    let result = try #require(try await question.continue().result)
    #expect(result.isNewUser)
    #expect(result.snapshot.displayName?.hasPrefix("Ada") == true)
    #expect(device.apple.sheetCount == 1)
  }

  @Test func `a saved password beside Apple's account signs in`() async throws {
    let device = try await AccountDevice()
    let email = Unique.email()
    let uid = try await device.manager.client.createUser(email: email, password: "long enough")
      .user.uid
    try device.manager.client.signOut()
    device.apple.set { $0.password = (email, "long enough") }
    #expect(try await device.signIn(with: .offered).uid == uid)
  }

  @Test func `a hidden identity and Google are linked only with consent`() async throws {
    try await GatehouseServer.with { server in
      let set = try await server.administrator.call(
        .patch, "config", ["linkConsent": "anonymized"], version: "v2")
      try #require(set.verdict == "200")
      let asked = Asked()
      let device = try await AccountDevice(server: server, hidesEmail: true) { joins in
        asked.answer(joins)
      }
      let user = try await device.signIn()

      guard case .cancelled = try await device.manager.link(.google) else { throw WrongAnswer() }
      #expect(user.snapshot.providers.map(\.provider) == [.apple])
      asked.agree()
      #expect(try await device.manager.link(.google).result?.user.uid == user.uid)
      #expect(asked.joins == [["apple.com", "google.com"], ["apple.com", "google.com"]])
      let kept = try await server.administrator.account(user.uid)["consents"]
      #expect(kept.array.count == 1)
      #expect(kept[0]["version"] == "2026-11")
    }
  }

  @Test func `a closed sheet changes nothing`() async throws {
    let device = try await AccountDevice()
    device.apple.set { $0.cancels = true }
    guard case .cancelled = try await device.manager.signIn(with: .apple) else {
      throw WrongAnswer()
    }
    #expect(device.manager.authState == .signedOut)
  }

  /// The questions to the user, and the user's answers.
  private final class Asked: Sendable {
    private let state = Mutex<(joins: [[String]], agrees: Bool)>(([], false))
    var joins: [[String]] { state.withLock(\.joins) }
    func agree() { state.withLock { $0.agrees = true } }
    func answer(_ joins: [String]) -> Consent? {
      state.withLock { state in
        state.joins.append(joins)
        return state.agrees ? Consent(version: "2026-11", joins: joins) : nil
      }
    }
  }
}
