import GatehouseAuth
import Foundation
import Testing

/// The ways in which apps and Firebase's guides examine errors, each as it is written there.
@Suite(.timeLimit(.minutes(5)))
struct CaughtErrorTests {
  private func failing() throws -> (TestApp, () async throws -> Void) {
    let test = try TestApp()
    return (
      test,
      {
        test.server.refuse("accounts:signInWithPassword", "USER_DISABLED")
        try await test.auth.signIn(withEmail: "a@example.com", password: "secret-1")
      }
    )
  }

  @Test func `catch let error as NSError`() async throws {
    let (_, fail) = try failing()
    var code: Int?
    do { try await fail() } catch let error as NSError { code = error.code }
    #expect(code == 17005)
  }

  @Test func `catch AuthErrorCode.userDisabled`() async throws {
    let (_, fail) = try failing()
    var isCaught = false
    do {
      try await fail()
    } catch AuthErrorCode.wrongPassword {
      Issue.record("another code")
    } catch AuthErrorCode.userDisabled {
      isCaught = true
    }
    #expect(isCaught)
  }

  @Test func `switch AuthErrorCode(rawValue: error.code)`() async throws {
    let (_, fail) = try failing()
    var isCaught = false
    do {
      try await fail()
    } catch {
      switch AuthErrorCode(rawValue: (error as NSError).code) {
      case .userDisabled: isCaught = true
      default: Issue.record("another code")
      }
    }
    #expect(isCaught)
  }

  @Test func `if let error = error as NSError?, error.code == AuthErrorCode.x.rawValue`()
    async throws
  {
    let (test, _) = try failing()
    test.server.refuse("accounts:signInWithPassword", "USER_DISABLED")
    let isDisabled = await withCheckedContinuation { continuation in
      test.auth.signIn(withEmail: "a@example.com", password: "secret-1") { _, error in
        if let error = error as NSError?, error.code == AuthErrorCode.userDisabled.rawValue {
          continuation.resume(returning: true)
        } else {
          continuation.resume(returning: false)
        }
      }
    }
    #expect(isDisabled)
  }

  @Test func `error as? AuthErrorCode`() async throws {
    let (_, fail) = try failing()
    var code: AuthErrorCode?
    do { try await fail() } catch { code = (error as? AuthErrorCode)?.code }
    #expect(code == .userDisabled)
  }
}
