#if os(Linux) || os(macOS)
  public import Foundation

  /// A browser that returns to a port of this machine, for apps without a sheet of the system (RFC
  /// 8252 §7.3).
  ///
  /// During a sign-in the presenter listens on 127.0.0.1, on a port that the system picks, for one
  /// response: a navigation with `GET` to a random path that only the browser knows, with the
  /// address and the port in `Host`. All other requests, except for the redirect to the sign-in
  /// page, get an error and change nothing. Other users of the machine may see the URL that the
  /// browser is opened with; it is a URL of the listener that redirects to the sign-in page. On
  /// Linux, other users' requests are refused. At most 16 connections are open, each with at most
  /// 32 KiB and for ten seconds. If there are more, the oldest is closed.
  ///
  /// The presenter can't notice that a user closed the browser. The wait then ends at its timeout,
  /// or when the task is cancelled, with ``DeviceFault/cancelled``. Each presenter runs one sign-in
  /// at a time.
  public final class LoopbackPresenter: WebPresenting {
    private let opener: BrowserOpener
    private let timeout: TimeInterval
    private let turn = Turn()

    /// - Parameters:
    ///   - opener: Shows the URL to the user.
    ///   - timeout: How long the sign-in may take, in seconds. The server's own limit is ten minutes.
    public init(opener: BrowserOpener = .system, timeout: TimeInterval = 600) {
      self.opener = opener
      self.timeout = timeout
    }

    public func present(_ begin: @Sendable (_ redirectURL: String) throws(ClientError) -> URL)
      async throws(DeviceFault) -> URL
    {
      try await turn.take(or: .busy) { () async throws(DeviceFault) in
        let answer = SheetAnswer<URL>()
        // No other program knows the path, so no other program can send a response to it.
        let listener = try LoopbackListener(
          beginPath: "/firebaseauth/begin/\(Nonce().raw)",
          path: "/firebaseauth/link/\(Nonce().raw)")
        let url: URL
        do throws(ClientError) {
          url = try begin(listener.redirectURL)
        } catch {
          throw .notBegun(error)
        }
        guard let beginURL = URL(string: listener.beginURL) else {
          throw .unavailable(detail: "The listener's address can't be used")
        }
        listener.run(to: url, until: Uptime.seconds + timeout) { outcome in answer.give(outcome) }
        defer { listener.stop() }
        try await opener.open(beginURL)
        return try await answer.value()
      }
    }
  }
#endif
