import Testing

/// The same request many times concurrently.
@Suite(.developmentServer)
struct ConcurrencyTests {
  @Test func `one credential presented 100 times at once signs in once`() async throws {
    let server = try suiteServer()
    let credential = try await server.providers.apple(try await server.providers.person())
      .credential
    let verdicts = try await many(100) { try await server.app.signIn(credential).verdict }
    #expect(verdicts.count { $0 == "200" } == 1)
    let refused =
      "400 MISSING_OR_INVALID_NONCE : Duplicate credential received. Please try again with a new "
      + "credential."
    #expect(verdicts.count { $0 == refused } == 99)
  }

  @Test func `50 refreshes at once leave one session with one successor`() async throws {
    let server = try suiteServer()
    let session = try await server.app.signUp(Unique.email("refresh"), "a long password")
    let refreshToken = try #require(session.json["refreshToken"].string)
    let replies = try await many(50) { try await server.app.refresh(refreshToken) }
    #expect(replies.allSatisfy { $0.status == 200 })
    let successors = Set(replies.compactMap { $0.json["refresh_token"].string })
    #expect(successors.count == 1)
    let successor = try #require(successors.first)
    #expect(successor != refreshToken)
    #expect(try await server.app.refresh(successor).verdict == "200")
  }

  @Test func `one identity that arrives 20 times at once is one account`() async throws {
    let server = try suiteServer()
    let person = try await server.providers.person()
    var credentials: [Credential] = []
    for _ in 0..<20 { credentials.append(try await server.providers.google(person)) }
    let uids = try await withThrowingTaskGroup(of: String?.self) { group in
      for credential in credentials {
        group.addTask { try await server.app.signIn(credential).json["localId"].string }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(uids.count == 20)
    #expect(Set(uids).count == 1)
    #expect(!uids.contains(nil))
  }

  private func many<Result: Sendable>(
    _ count: Int, _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> [Result] {
    try await withThrowingTaskGroup(of: Result.self) { group in
      for _ in 0..<count { group.addTask { try await body() } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }
}
