#if canImport(AuthenticationServices)
  public import AuthenticationServices
  import Foundation

  #if canImport(UIKit)
    import UIKit
  #elseif canImport(AppKit)
    import AppKit
  #endif

  /// Sign in with Apple by the system's sheet, which also offers the passwords that it has saved.
  ///
  /// One sheet at a time in the whole app: a second is refused with ``DeviceFault/busy``. A task that
  /// is cancelled takes its sheet away.
  public final class AppleSheet: AppleAuthorizing, PasswordOffering {
    /// Where the sheet is shown.
    public typealias Window = @MainActor @Sendable () -> ASPresentationAnchor?

    private let window: Window
    private static let turn = Turn()

    /// - Parameter window: The window to show the sheet over; asked each time. Without it the key
    ///   window of the scene in front.
    public init(window: Window? = nil) {
      self.window = window ?? { ASPresentationAnchor.inFront }
    }

    public func authorize(_ request: AppleAuthorizationRequest)
      async throws(DeviceFault) -> AppleAuthorization
    {
      switch try await perform(apple: request, offersPasswords: false) {
      case .apple(let authorization): return authorization
      case .password: throw .failed(detail: "The sheet answered with a password")
      }
    }

    public func offer(_ apple: AppleAuthorizationRequest?)
      async throws(DeviceFault) -> OfferedCredential
    {
      try await perform(apple: apple, offersPasswords: true)
    }

    /// Asks the system, which keeps the answer up to date and asks Apple now and then.
    ///
    /// - Throws: ``DeviceFault/failed(detail:)`` for whatever the system throws: it says nothing of
    ///   the person.
    public func credentialState(forUserID user: String)
      async throws(DeviceFault) -> ProviderCredentialState
    {
      let state: ASAuthorizationAppleIDProvider.CredentialState
      do {
        state = try await ASAuthorizationAppleIDProvider().credentialState(forUserID: user)
      } catch {
        throw .failed(detail: "The credential's state: \((error as NSError).code)")
      }
      switch state {
      case .authorized: return .authorized
      case .revoked: return .revoked
      case .notFound: return .notFound
      case .transferred: return .transferred
      #if canImport(Darwin)
        @unknown default: throw .failed(detail: "A credential's state that isn't known")
      #endif
      }
    }

    @MainActor private func perform(apple: AppleAuthorizationRequest?, offersPasswords: Bool)
      async throws(DeviceFault) -> OfferedCredential
    {
      guard let anchor = window() else {
        throw .unavailable(detail: "There is no window to show Apple's sheet over")
      }
      return try await Self.turn.take(or: .busy) { () async throws(DeviceFault) in
        try await Self.show(apple, offersPasswords: offersPasswords, over: anchor)
      }
    }

    @MainActor private static func show(
      _ apple: AppleAuthorizationRequest?, offersPasswords: Bool, over anchor: ASPresentationAnchor
    ) async throws(DeviceFault) -> OfferedCredential {
      var requests: [ASAuthorizationRequest] = []
      if let apple {
        let request = ASAuthorizationAppleIDProvider().createRequest()
        request.requestedScopes = apple.scopes.map { $0 == .fullName ? .fullName : .email }
        request.nonce = apple.nonce
        request.state = apple.state
        requests.append(request)
      }
      if offersPasswords { requests.append(ASAuthorizationPasswordProvider().createRequest()) }
      let delegate = AppleSheetDelegate(anchor: anchor)
      let controller = ASAuthorizationController(authorizationRequests: requests)
      controller.delegate = delegate
      controller.presentationContextProvider = delegate
      controller.performRequests()
      defer {
        // The controller has its delegate weakly.
        withExtendedLifetime(delegate) {}
        if Task.isCancelled { controller.cancel() }
      }
      return try await delegate.answer.value()
    }
  }

  extension ASPresentationAnchor {
    /// The key window of the scene in front; nil where the app shows nothing.
    @MainActor static var inFront: ASPresentationAnchor? {
      #if canImport(UIKit)
        let scenes = UIApplication.shared.connectedScenes.compactMap { $0 as? UIWindowScene }
        let inFront =
          scenes.first { $0.activationState == .foregroundActive }
          ?? scenes.first { $0.activationState == .foregroundInactive }
        return inFront?.keyWindow ?? inFront?.windows.first
      #else
        return NSApplication.shared.keyWindow ?? NSApplication.shared.windows.first
      #endif
    }
  }
#endif
