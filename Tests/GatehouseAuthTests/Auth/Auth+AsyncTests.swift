import GatehouseAuth
import Testing

@Suite(.timeLimit(.minutes(5)))
struct AuthAsyncTests {
  @Test func `the state changes begin with the present user, and continue with the next`()
    async throws
  {
    let test = try TestApp()
    var changes = test.auth.authStateChanges.makeAsyncIterator()
    #expect(await changes.next() == .some(nil))
    let user = try await test.signedIn()
    #expect(await changes.next() == user)
    _ = try await user.getIDToken(forcingRefresh: true)
    try test.auth.signOut()
    #expect(await changes.next() == .some(nil))
  }

  @Test func `the token changes include a refreshed token`() async throws {
    let test = try TestApp()
    let user = try await test.signedIn()
    var changes = test.auth.idTokenChanges.makeAsyncIterator()
    #expect(await changes.next() == user)
    _ = try await user.getIDToken(forcingRefresh: true)
    #expect(await changes.next() == user)
    try test.auth.signOut()
    #expect(await changes.next() == .some(nil))
  }

  @Test func `the sequences end with the task that iterates`() async throws {
    let test = try TestApp()
    let states = Task {
      var count = 0
      for await _ in test.auth.authStateChanges { count += 1 }
      return count
    }
    let tokens = Task {
      var count = 0
      for await _ in test.auth.idTokenChanges { count += 1 }
      return count
    }
    states.cancel()
    tokens.cancel()
    #expect(await states.value <= 1)
    #expect(await tokens.value <= 1)
  }

  @Test func `an iterator's listener is removed with it`() async throws {
    let test = try TestApp()
    do {
      var changes = test.auth.authStateChanges.makeAsyncIterator()
      #expect(await changes.next() == .some(nil))
      #expect(test.auth.listenerCount == 1)
    }
    #expect(test.auth.listenerCount == 0)
  }
}
