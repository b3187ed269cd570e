#if canImport(AuthenticationServices)
  #if os(watchOS)
    import AuthenticationServices
  #else
    public import AuthenticationServices
  #endif
  import Foundation

  #if canImport(UIKit) && !os(watchOS)
    import UIKit
  #elseif canImport(AppKit)
    import AppKit
  #endif

  /// Sign in with Apple with the system's sheet, which also offers saved passwords.
  ///
  /// Only one sheet is shown at a time in the whole app: a second one is refused with
  /// ``DeviceFault/busy``. Cancelling the task closes its sheet. On watchOS and before iOS 16 the task ends,
  /// but the sheet stays open, because an app can't close it. On watchOS no window can be chosen.
  public final class AppleSheet: AppleAuthorizing, PasswordOffering {
    private static let turn = Turn()

    #if os(watchOS)
      public init() {}
    #else
      /// Returns the window to show the sheet over; nil if there is none.
      public typealias Window = @MainActor @Sendable () -> ASPresentationAnchor?

      private let window: Window

      /// - Parameter window: The window to show the sheet over; asked each time. By default the key
      ///   window of the foreground scene. An app extension must pass its window.
      public init(window: Window? = nil) {
        self.window = window ?? { ASPresentationAnchor.inFront }
      }
    #endif

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

    /// Asks the system, which updates the state by asking Apple from time to time.
    ///
    /// - Throws: ``DeviceFault/failed(detail:)`` for any error of the system. Such an error says
    ///   nothing about the user's authorization.
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
        @unknown default: throw .failed(detail: "The credential's state is unknown to the SDK")
      #endif
      }
    }

    public func observeRevocations(_ observer: @escaping @Sendable () -> Void)
      -> DeviceObservation?
    {
      let notification = RevocationNotification(observer)
      return DeviceObservation { notification.end() }
    }

    @MainActor private func perform(apple: AppleAuthorizationRequest?, offersPasswords: Bool)
      async throws(DeviceFault) -> OfferedCredential
    {
      #if os(watchOS)
        let delegate = AppleSheetDelegate()
      #else
        guard let anchor = window() else {
          throw .unavailable(detail: "There is no window to show Apple's sheet over")
        }
        let delegate = AppleSheetDelegate(anchor: anchor)
      #endif
      return try await Self.turn.take(or: .busy) { () async throws(DeviceFault) in
        try await Self.show(apple, offersPasswords: offersPasswords, delegate)
      }
    }

    @MainActor private static func show(
      _ apple: AppleAuthorizationRequest?, offersPasswords: Bool, _ delegate: AppleSheetDelegate
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
      let controller = ASAuthorizationController(authorizationRequests: requests)
      controller.delegate = delegate
      #if !os(watchOS)
        controller.presentationContextProvider = delegate
      #endif
      perform(controller, quietly: apple == nil)
      defer {
        // The controller holds its delegate weakly.
        withExtendedLifetime(delegate) {}
        #if !os(watchOS)
          if Task.isCancelled, #available(iOS 16, macOS 13, tvOS 16, *) { controller.cancel() }
        #endif
      }
      return try await delegate.answer.value()
    }

    /// - Parameter quietly: Shows nothing if no password is saved. tvOS, watchOS and systems before iOS 16
    ///   don't have this option; the system decides what they show.
    @MainActor private static func perform(
      _ controller: ASAuthorizationController, quietly: Bool
    ) {
      #if os(tvOS) || os(watchOS)
        controller.performRequests()
      #else
        if quietly, #available(iOS 16, macOS 13, *) {
          controller.performRequests(options: .preferImmediatelyAvailableCredentials)
        } else {
          controller.performRequests()
        }
      #endif
    }
  }

  /// The system's notification that a credential may have been revoked.
  // Sendable because nothing changes after `init`.
  private final class RevocationNotification: @unchecked Sendable {
    private let observer: any NSObjectProtocol

    init(_ notified: @escaping @Sendable () -> Void) {
      observer = NotificationCenter.default.addObserver(
        forName: ASAuthorizationAppleIDProvider.credentialRevokedNotification, object: nil,
        queue: nil
      ) { _ in notified() }
    }

    func end() { NotificationCenter.default.removeObserver(observer) }
  }

  #if !os(watchOS)
    extension ASPresentationAnchor {
      /// The key window of the foreground scene; nil if the app shows no window, and in an app extension.
      @MainActor static var inFront: ASPresentationAnchor? {
        #if canImport(UIKit)
          guard let application = UIApplication.ofThisApp else { return nil }
          let scenes = application.connectedScenes.compactMap { $0 as? UIWindowScene }
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
#endif
