import GatehouseAuth
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct UpdateCurrentUserTests {
  @Test
  func `a user of another app of the project becomes the current one, after the server confirms`()
    async throws
  {
    let one = try TestApp()
    let other = try TestApp()
    let user = try await one.signedIn()
    try await other.auth.updateCurrentUser(user)
    #expect(other.auth.currentUser?.uid == user.uid)
    #expect(other.server.paths == ["accounts:lookup"])
  }

  @Test func `a nil user is rejected with its own error`() async throws {
    let test = try TestApp()
    let error = await withCheckedContinuation { continuation in
      test.auth.updateCurrentUser(nil) { continuation.resume(returning: $0 as NSError?) }
    }
    #expect(error?.code == 17067)
    #expect(error?.authCode == .nullUser)
  }

  @Test func `another tenant's user is rejected, and the current user stays`() async throws {
    let one = try TestApp()
    let other = try TestApp()
    let user = try await one.signedIn()
    let mine = try await other.signedIn("bob@example.com")
    other.auth.tenantID = "tenant"
    let error = await authError { try await other.auth.updateCurrentUser(user) }
    #expect(error?.authCode == .tenantIDMismatch)
    #expect(other.auth.currentUser === mine)
  }

  @Test(arguments: [
    ("USER_DISABLED", AuthErrorCode.userDisabled), ("TOKEN_EXPIRED", .userTokenExpired),
  ])
  func `a session that the server has ended is rejected`(message: String, code: AuthErrorCode)
    async throws
  {
    let one = try TestApp()
    let other = try TestApp()
    let user = try await one.signedIn()
    other.server.refuse("accounts:lookup", message)
    let error = await authError { try await other.auth.updateCurrentUser(user) }
    #expect(error?.authCode == code)
    #expect(other.auth.currentUser == nil)
  }

  @Test func `a lost network keeps the current user`() async throws {
    let one = try TestApp()
    let other = try TestApp()
    let user = try await one.signedIn()
    let mine = try await other.signedIn("bob@example.com")
    other.server.lose("accounts:lookup")
    let error = await authError { try await other.auth.updateCurrentUser(user) }
    #expect(error?.authCode == .networkError)
    #expect(other.auth.currentUser === mine)
  }
}
