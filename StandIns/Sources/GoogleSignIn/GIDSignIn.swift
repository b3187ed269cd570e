public import Foundation
import SimulatedDevice
import Synchronization
public import UIKit

/// Google's SDK: it keeps the signed-in user, and refreshes the tokens only when they expire soon.
public final class GIDSignIn: NSObject, Sendable {
  /// A restored token that expires earlier is refreshed first.
  static let minimalSecondsToExpireOnRestore: TimeInterval = 600

  private struct State {
    var user: GIDGoogleUser?
    var configuration: GIDConfiguration?
    /// The contents of the keychain. They outlive the process and the app.
    var keychain: GoogleTokens?
  }

  public static let sharedInstance = GIDSignIn()

  private let state = Mutex(State())

  public var currentUser: GIDGoogleUser? { state.withLock { $0.user } }
  public var configuration: GIDConfiguration? {
    get { state.withLock { $0.configuration } }
    set { state.withLock { $0.configuration = newValue } }
  }

  public func handle(_ url: URL) -> Bool { false }

  public func hasPreviousSignIn() -> Bool { state.withLock { $0.keychain != nil } }

  /// Sends no request if the stored access token is valid for ten more minutes.
  @discardableResult
  public func restorePreviousSignIn() async throws -> GIDGoogleUser {
    if let user = currentUser { return try await user.refreshTokensIfNeeded() }
    guard var tokens = state.withLock({ $0.keychain }) else {
      throw GIDSignInError(.hasNoAuthInKeychain)
    }
    let limit = SimulatedDevice.now.addingTimeInterval(Self.minimalSecondsToExpireOnRestore)
    if tokens.accessTokenExpires < limit {
      do {
        tokens = try await tokens.refreshed()
      } catch let error where (error as NSError).domain == "org.openid.appauth.oauth_token" {
        forget(refreshToken: tokens.refreshToken)
        throw error
      }
    }
    return signedIn(tokens)
  }

  public func restorePreviousSignIn(
    completion: (@MainActor @Sendable (GIDGoogleUser?, (any Error)?) -> Void)? = nil
  ) {
    Task { @MainActor in
      do { completion?(try await restorePreviousSignIn(), nil) } catch { completion?(nil, error) }
    }
  }

  /// Removes the user from this device only.
  public func signOut() {
    state.withLock {
      $0.user = nil
      $0.keychain = nil
    }
  }

  /// Revokes the tokens at Google, then signs out here. Without tokens it only signs out.
  public func disconnect() async throws {
    let tokens = state.withLock { state in
      state.user.map { user in user.tokens.withLock { $0 } } ?? state.keychain
    }
    try await tokens?.revoke()
    signOut()
  }

  public func disconnect(completion: (@MainActor @Sendable ((any Error)?) -> Void)? = nil) {
    Task { @MainActor in
      do {
        try await disconnect()
        completion?(nil)
      } catch { completion?(error) }
    }
  }

  @MainActor @discardableResult
  public func signIn(
    withPresenting presentingViewController: UIViewController, hint: String? = nil,
    additionalScopes: [String]? = nil, nonce: String? = nil
  ) async throws -> GIDSignInResult {
    switch SimulatedDevice.current.decision {
    case .agrees: break
    case .cancels: throw GIDSignInError(.canceled)
    case .waits:
      try? await Task.sleep(for: .seconds(600))
      throw GIDSignInError(.canceled)
    }
    let configuration = currentConfiguration
    let (tokens, code) = try await GoogleTokens.signIn(configuration, nonce: nonce)
    return GIDSignInResult(user: signedIn(tokens), serverAuthCode: code)
  }

  @MainActor public func signIn(
    withPresenting presentingViewController: UIViewController,
    completion: (@MainActor @Sendable (GIDSignInResult?, (any Error)?) -> Void)? = nil
  ) {
    Task { @MainActor in
      do {
        completion?(try await signIn(withPresenting: presentingViewController), nil)
      } catch { completion?(nil, error) }
    }
  }

  /// Simulates a restart of the app: only the keychain remains.
  public func simulateRelaunch() { state.withLock { $0.user = nil } }

  private var currentConfiguration: GIDConfiguration {
    // The real SDK reads the app's Info.plist.
    configuration ?? GIDConfiguration(clientID: SimulatedDevice.current.googleClientID)
  }

  private func signedIn(_ tokens: GoogleTokens) -> GIDGoogleUser {
    let user = GIDGoogleUser(tokens, configuration: currentConfiguration)
    state.withLock {
      $0.user = user
      $0.keychain = tokens
    }
    return user
  }

  func keep(_ tokens: GoogleTokens) {
    state.withLock { state in
      if state.keychain?.clientID == tokens.clientID { state.keychain = tokens }
    }
  }

  /// Google rejected the refresh token: the user has revoked the authorization.
  func forget(refreshToken: String) {
    state.withLock { state in
      if state.keychain?.refreshToken == refreshToken { state.keychain = nil }
    }
  }
}
