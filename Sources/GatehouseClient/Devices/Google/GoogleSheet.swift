#if canImport(GoogleSignIn)
  import Foundation
  import GoogleSignIn

  #if canImport(UIKit) && !os(watchOS)
    public import UIKit
    /// The type of what Google's sheet is shown over.
    public typealias GooglePresenter = UIViewController
  #else
    public import AppKit
    /// The type of what Google's sheet is shown over.
    public typealias GooglePresenter = NSWindow
  #endif

  /// The sheet of Google's own SDK, 9.0 or later: since then its requests have a nonce.
  ///
  /// The SDK reads the client id from the app's Info.plist (`GIDClientID`) and keeps the signed-in
  /// user in the keychain. It asks Google only when a token is about to expire: a revoked
  /// authorization is noticed within an hour.
  public final class GoogleSheet: GoogleSigningIn {
    private let presenter: @MainActor @Sendable () -> GooglePresenter?
    private static let turn = Turn()

    /// - Parameter presenter: Returns the view controller or window to show the sheet over. Called
    ///   for each sheet.
    public init(presenter: @escaping @MainActor @Sendable () -> GooglePresenter?) {
      self.presenter = presenter
    }

    public func signIn(_ request: GoogleSignInRequest)
      async throws(DeviceFault) -> GoogleAuthorization
    {
      try await Self.turn.take(or: .busy) { () async throws(DeviceFault) in
        let authorization = try await show(request)
        // The app can't close the SDK's sheet, so a late response is discarded.
        if Task.isCancelled { throw .cancelled }
        return authorization
      }
    }

    @MainActor private func show(_ request: GoogleSignInRequest)
      async throws(DeviceFault) -> GoogleAuthorization
    {
      guard let presenter = presenter() else {
        throw .unavailable(detail: "There is nothing to show Google's sheet over")
      }
      do {
        let result = try await GIDSignIn.sharedInstance.signIn(
          withPresenting: presenter, hint: request.hint, additionalScopes: nil,
          nonce: request.nonce)
        return GoogleAuthorization(
          user: result.user.userID, idToken: result.user.idToken?.tokenString,
          accessToken: result.user.accessToken.tokenString)
      } catch {
        throw GoogleFault.fault(error)
      }
    }

    @MainActor public func credentialState(forUserID user: String)
      async throws(DeviceFault) -> ProviderCredentialState
    {
      guard GIDSignIn.sharedInstance.hasPreviousSignIn() else { return .notFound }
      do {
        let restored = try await GIDSignIn.sharedInstance.restorePreviousSignIn()
        return restored.userID == user ? .authorized : .notFound
      } catch {
        switch GoogleFault(error) {
        case .revoked: return .revoked
        case .nobody: return .notFound
        case .other(let fault): throw fault
        }
      }
    }

    @MainActor public func disconnect(userID user: String) async throws(DeviceFault) {
      do {
        if GIDSignIn.sharedInstance.currentUser == nil {
          _ = try await GIDSignIn.sharedInstance.restorePreviousSignIn()
        }
      } catch {
        switch GoogleFault(error) {
        // The authorization is already revoked, so there is nothing to do at Google.
        case .revoked: return GIDSignIn.sharedInstance.signOut()
        case .nobody: throw .unavailable(detail: "No Google account is signed in on the device")
        case .other(let fault): throw fault
        }
      }
      guard GIDSignIn.sharedInstance.currentUser?.userID == user else {
        throw .unavailable(detail: "The device has another Google account")
      }
      do {
        try await GIDSignIn.sharedInstance.disconnect()
      } catch {
        throw GoogleFault.fault(error)
      }
    }

    @MainActor public func signOut() async { GIDSignIn.sharedInstance.signOut() }
  }

  /// What an error of Google's SDK says about the user's authorization.
  private enum GoogleFault {
    case revoked, nobody
    case other(DeviceFault)

    init(_ error: any Error) {
      if let error = error as? GIDSignInError {
        switch error.code {
        case .hasNoAuthInKeychain: self = .nobody
        case .canceled: self = .other(.cancelled)
        default: self = .other(.failed(detail: "GIDSignInError \(error.code.rawValue)"))
        }
        return
      }
      let error = error as NSError
      switch (error.domain, error.code) {
      // AppAuth's OIDErrorCodeOAuthTokenInvalidGrant: the refresh token is no longer valid.
      case ("org.openid.appauth.oauth_token", -10): self = .revoked
      // AppAuth's OIDErrorCodeNetworkError.
      case ("org.openid.appauth.general", -5), (NSURLErrorDomain, _):
        self = .other(.offline(detail: "\(error.domain) \(error.code)"))
      default: self = .other(.failed(detail: "\(error.domain) \(error.code)"))
      }
    }

    static func fault(_ error: any Error) -> DeviceFault {
      switch GoogleFault(error) {
      case .revoked: .failed(detail: "Google no longer accepts the device's token")
      case .nobody: .unavailable(detail: "No Google account is signed in on the device")
      case .other(let fault): fault
      }
    }
  }
#endif
