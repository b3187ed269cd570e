#if canImport(AuthenticationServices)
  public import AuthenticationServices
  import Foundation

  /// A sign-in page in the system's browser sheet, which closes when it reaches a URL with the
  /// app's own scheme (`ASWebAuthenticationSession`; RFC 8252 §7.1).
  ///
  /// Only one sheet is shown at a time in the whole app: a second one is refused with
  /// ``DeviceFault/busy``. Cancelling the task closes its sheet. The app needn't register the
  /// scheme in its Info.plist: the sheet itself waits for a URL with it.
  @available(tvOS 16, *)
  public final class WebSheet: WebPresenting {
    private let scheme: String
    private let isEphemeral: Bool
    private static let turn = Turn()

    #if os(tvOS) || os(watchOS)
      /// - Parameters:
      ///   - scheme: A scheme that the server accepts for the app:
      ///     ``ClientConfiguration/callbackScheme``.
      ///   - isEphemeral: Whether the sheet shares no cookies with the browser. tvOS doesn't have
      ///     this option.
      public init(scheme: String, isEphemeral: Bool = false) {
        self.scheme = scheme
        self.isEphemeral = isEphemeral
      }
    #else
      private let window: AppleSheet.Window

      /// - Parameters:
      ///   - scheme: A scheme that the server accepts for the app:
      ///     ``ClientConfiguration/callbackScheme``.
      ///   - isEphemeral: Whether the sheet shares no cookies with the browser. Then the user isn't
      ///     signed in at the provider already, and the system doesn't ask for permission first.
      ///   - window: Returns the window to show the sheet over. By default the key window of the
      ///     foreground scene. An app extension must pass its window.
      public init(scheme: String, isEphemeral: Bool = false, window: AppleSheet.Window? = nil) {
        self.scheme = scheme
        self.isEphemeral = isEphemeral
        self.window = window ?? { ASPresentationAnchor.inFront }
      }
    #endif

    public func present(_ begin: @Sendable (_ redirectURL: String) throws(ClientError) -> URL)
      async throws(DeviceFault) -> URL
    {
      let url: URL
      do {
        url = try begin("\(scheme)://firebaseauth/link")
      } catch {
        throw .notBegun(error)
      }
      return try await show(url)
    }

    @MainActor private func show(_ url: URL) async throws(DeviceFault) -> URL {
      #if !(os(tvOS) || os(watchOS))
        guard let anchor = window() else {
          throw .unavailable(detail: "There is no window to show the browser over")
        }
        let provider = WebSheetAnchor(anchor)
        // The session holds its provider weakly.
        defer { withExtendedLifetime(provider) {} }
      #endif
      return try await Self.turn.take(or: .busy) { () async throws(DeviceFault) in
        try await open(url) { session in
          #if !(os(tvOS) || os(watchOS))
            session.presentationContextProvider = provider
          #endif
          #if !os(tvOS)
            session.prefersEphemeralWebBrowserSession = isEphemeral
          #endif
        }
      }
    }

    /// - Parameter prepare: Sets the options that the platform has.
    @MainActor private func open(
      _ url: URL, _ prepare: @MainActor (ASWebAuthenticationSession) -> Void
    ) async throws(DeviceFault) -> URL {
      let answer = SheetAnswer<URL>()
      let session = ASWebAuthenticationSession(
        url: url, callbackURLScheme: scheme,
        // The system calls it on its own queue (macOS). Without `@Sendable` it would be isolated to
        // the main actor, like the surrounding code, and trap there.
        completionHandler: { @Sendable url, error in answer.give(Self.outcome(url, error)) })
      prepare(session)
      guard session.start() else {
        throw .unavailable(detail: "The system's browser sheet couldn't be opened")
      }
      defer { if Task.isCancelled { session.cancel() } }
      return try await answer.value()
    }

    private static func outcome(_ url: URL?, _ error: (any Error)?) -> Result<URL, DeviceFault> {
      if let url { return .success(url) }
      guard let error = error as? ASWebAuthenticationSessionError else {
        return .failure(.failed(detail: "The browser sheet gave no answer"))
      }
      switch error.code {
      case .canceledLogin: return .failure(.cancelled)
      default:
        return .failure(
          .unavailable(detail: "ASWebAuthenticationSessionError \(error.code.rawValue)"))
      }
    }
  }

  #if !(os(tvOS) || os(watchOS))
    @MainActor
    private final class WebSheetAnchor: NSObject,
      ASWebAuthenticationPresentationContextProviding
    {
      private let anchor: ASPresentationAnchor
      init(_ anchor: ASPresentationAnchor) { self.anchor = anchor }
      func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor {
        anchor
      }
    }
  #endif
#endif
