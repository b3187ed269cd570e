import Dispatch
import GatehouseAuth
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CompletionHandlersTests {
  /// Every function of `Auth` with a completion handler. The handler here records its arguments.
  static let calls:
    [(String, @Sendable (Auth, @escaping @Sendable (Bool, (any Error)?) -> Void) -> Void)] = [
      (
        "signIn(with:)",
        { auth, done in
          let credential = EmailAuthProvider.credential(
            withEmail: "a@example.com", password: "secret-1")
          auth.signIn(with: credential) { done($0 != nil, $1) }
        }
      ),
      (
        "signIn(withEmail:password:)",
        { auth, done in
          auth.signIn(withEmail: "a@example.com", password: "secret-1") { done($0 != nil, $1) }
        }
      ),
      (
        "signIn(withEmail:link:)",
        { auth, done in
          auth.signIn(
            withEmail: "a@example.com", link: "https://auth.example.com/?mode=signIn&oobCode=c"
          ) { done($0 != nil, $1) }
        }
      ),
      ("signInAnonymously", { auth, done in auth.signInAnonymously { done($0 != nil, $1) } }),
      (
        "signIn(withCustomToken:)",
        { auth, done in
          auth.signIn(withCustomToken: "t") { done($0 != nil, $1) }
        }
      ),
      (
        "createUser",
        { auth, done in
          auth.createUser(withEmail: "a@example.com", password: "secret-1") { done($0 != nil, $1) }
        }
      ),
      (
        "confirmPasswordReset",
        { auth, done in
          auth.confirmPasswordReset(withCode: "c", newPassword: "secret-2") { done($0 == nil, $0) }
        }
      ),
      ("applyActionCode", { auth, done in auth.applyActionCode("c") { done($0 == nil, $0) } }),
      (
        "sendPasswordReset",
        { auth, done in
          auth.sendPasswordReset(withEmail: "a@example.com") { done($0 == nil, $0) }
        }
      ),
      (
        "sendSignInLink",
        { auth, done in
          let settings = ActionCodeSettings()
          settings.url = URL(string: "https://app.example.com")
          settings.handleCodeInApp = true
          auth.sendSignInLink(toEmail: "a@example.com", actionCodeSettings: settings) {
            done($0 == nil, $0)
          }
        }
      ),
      (
        "initializeRecaptchaConfig",
        { auth, done in
          auth.initializeRecaptchaConfig { done($0 == nil, $0) }
        }
      ),
      (
        "getToken",
        { auth, done in
          auth.getToken(forcingRefresh: false) { done($0 == nil, $1) }
        }
      ),
    ]

  @Test(arguments: calls.indices)
  func `a completion handler is called once, on the main actor, after the call returned`(index: Int)
    async throws
  {
    let test = try TestApp()
    let heard = Heard<Bool>()
    await withCheckedContinuation { continuation in
      let call = Self.calls[index].1
      DispatchQueue.main.async {
        call(test.auth) { succeeded, error in
          MainActor.preconditionIsolated()
          #expect(error == nil, "\(Self.calls[index].0)")
          heard(succeeded)
          continuation.resume()
        }
        #expect(heard.all == [])
      }
    }
    await TestApp.mainQueueIsEmpty()
    #expect(heard.all == [true])
  }

  @Test(arguments: calls.indices.dropLast(2))
  func `a completion handler gets the error, and no value`(index: Int) async throws {
    let test = try TestApp()
    for path in [
      "accounts:signInWithPassword", "accounts:signInWithEmailLink", "accounts:signUp",
      "accounts:signInWithCustomToken", "accounts:resetPassword", "accounts:update",
      "accounts:sendOobCode",
    ] { test.server.refuse(path, "OPERATION_NOT_ALLOWED : not enabled") }
    let error = await withCheckedContinuation { continuation in
      Self.calls[index].1(test.auth) { succeeded, error in
        #expect(!succeeded)
        continuation.resume(returning: error as NSError?)
      }
    }
    #expect(error?.authCode == .operationNotAllowed)
    #expect(error?.localizedDescription == "not enabled")
  }

  @Test func `a call without a handler sends its request`() async throws {
    let test = try TestApp()
    await withCheckedContinuation { continuation in
      let heard = Heard<Void>()
      _ = test.auth.addStateDidChangeListener { _, user in
        if user != nil, heard.all.isEmpty {
          heard(())
          continuation.resume()
        }
      }
      test.auth.signIn(withEmail: "a@example.com", password: "secret-1")
    }
    #expect(test.auth.currentUser?.uid == "a@example.com")
  }

  @Test func `a handler can call Auth again`() async throws {
    let test = try TestApp()
    let uid = await withCheckedContinuation { continuation in
      test.auth.signInAnonymously { result, _ in
        let first = test.auth.currentUser
        #expect(first === result?.user)
        test.auth.currentUser?.getIDTokenForcingRefresh(true) { token, error in
          #expect(token != nil && error == nil)
          do { try test.auth.signOut() } catch { #expect(error as Error? == nil) }
          test.auth.signIn(withCustomToken: "bob") { result, _ in
            continuation.resume(returning: result?.user.uid)
          }
        }
      }
    }
    #expect(uid == "bob")
  }
}
