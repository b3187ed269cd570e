import Foundation

/// The sheet of Google's own SDK, 9.0 or later: since then its requests have a nonce.
///
/// The app passes in the calls of the SDK, because this package doesn't depend on it:
/// <doc:SigningInWithGoogle> has them. The SDK reads the client id from the app's Info.plist
/// (`GIDClientID`) and keeps the signed-in user in the keychain. It asks Google only when a token is
/// about to expire: a revoked authorization is noticed within an hour.
public final class GoogleSheet: GoogleSigningIn {
  private let show: @MainActor @Sendable (GoogleSignInRequest) async throws -> GoogleAuthorization
  private let restore: @MainActor @Sendable () async throws -> String?
  private let revoke: @MainActor @Sendable () async throws -> Void
  private let forget: @MainActor @Sendable () -> Void
  private static let turn = Turn()

  /// Errors of the closures become ``DeviceFault``s, by their domains and codes as `NSError`s. A
  /// ``DeviceFault`` stays what it is.
  ///
  /// - Parameters:
  ///   - signIn: Shows the sheet with the request's hint and nonce.
  ///   - restore: Restores the user whom the SDK has kept, and returns Google's id of the user. Nil if
  ///     there is none.
  ///   - disconnect: Revokes the authorization of the restored user.
  ///   - signOut: Forgets the user. Sends no request.
  public init(
    signIn:
      @escaping @MainActor @Sendable (GoogleSignInRequest) async throws ->
      GoogleAuthorization,
    restore: @escaping @MainActor @Sendable () async throws -> String?,
    disconnect: @escaping @MainActor @Sendable () async throws -> Void,
    signOut: @escaping @MainActor @Sendable () -> Void
  ) {
    show = signIn
    self.restore = restore
    revoke = disconnect
    forget = signOut
  }

  public func signIn(_ request: GoogleSignInRequest)
    async throws(DeviceFault) -> GoogleAuthorization
  {
    try await Self.turn.take(or: .busy) { () async throws(DeviceFault) in
      let authorization: GoogleAuthorization
      do {
        authorization = try await show(request)
      } catch {
        throw GoogleFault.fault(error)
      }
      // The app can't close the SDK's sheet, so a late response is discarded.
      if Task.isCancelled { throw .cancelled }
      return authorization
    }
  }

  @MainActor public func credentialState(forUserID user: String)
    async throws(DeviceFault) -> ProviderCredentialState
  {
    do {
      return try await isRestored(user) ? .authorized : .notFound
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
      guard try await isRestored(user) else {
        throw DeviceFault.unavailable(detail: "The device has another Google account")
      }
    } catch {
      switch GoogleFault(error) {
      // The authorization is already revoked, so there is nothing to do at Google.
      case .revoked: return forget()
      case .nobody: throw GoogleFault.fault(error)
      case .other(let fault): throw fault
      }
    }
    do {
      try await revoke()
    } catch {
      throw GoogleFault.fault(error)
    }
  }

  @MainActor public func signOut() async { forget() }

  /// - Throws: ``GoogleFault/Nobody`` if the SDK has kept no user.
  @MainActor private func isRestored(_ user: String) async throws -> Bool {
    guard let restored = try await restore() else { throw GoogleFault.Nobody() }
    return restored.utf8.elementsEqual(user.utf8)
  }
}

/// What an error of Google's SDK says about the user's authorization.
private enum GoogleFault {
  case revoked, nobody
  case other(DeviceFault)

  struct Nobody: Error {}

  init(_ error: any Error) {
    switch error {
    case is Nobody: self = .nobody
    case is CancellationError: self = .other(.cancelled)
    case let fault as DeviceFault: self = .other(fault)
    default: self.init(error as NSError)
    }
  }

  private init(_ error: NSError) {
    switch (error.domain, error.code) {
    // GIDSignInError's hasNoAuthInKeychain and canceled.
    case ("com.google.GIDSignIn", -4): self = .nobody
    case ("com.google.GIDSignIn", -5): self = .other(.cancelled)
    case ("com.google.GIDSignIn", _):
      self = .other(.failed(detail: "GIDSignInError \(error.code)"))
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
