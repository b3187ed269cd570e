#if os(Linux) || os(macOS)
  public import Foundation

  /// A browser that comes back to a port of this machine, for apps without a sheet of the system's
  /// (RFC 8252 §7.3).
  ///
  /// While a sign-in is under way it listens on 127.0.0.1, on a port that the system picks, for one
  /// request: `GET` to a path that is made anew each time and that only the browser was told, with
  /// `Host` naming that port and no other, from a navigation. Whatever else comes is answered with an
  /// error and changes nothing. What the browser is opened with, which other users of the machine may
  /// see, is an address of the listener's that sends it on; on Linux other users' connections are
  /// refused. At most 16 connections, of which the oldest makes room for the next;
  /// 32 KiB and ten seconds each.
  ///
  /// That a person closed the browser can't be seen here: the wait then ends by its timeout, or with
  /// the task, as ``DeviceFault/cancelled``. One at a time for each presenter.
  public final class LoopbackPresenter: WebPresenting {
    private let opener: BrowserOpener
    private let timeout: Duration
    private let turn = Turn()

    /// - Parameters:
    ///   - opener: Shows the address to the person.
    ///   - timeout: How long the person may take. The server's own limit is ten minutes.
    public init(opener: BrowserOpener = .system, timeout: Duration = .seconds(600)) {
      self.opener = opener
      self.timeout = timeout
    }

    public func present(_ begin: @Sendable (_ redirectURL: String) throws(ClientError) -> URL)
      async throws(DeviceFault) -> URL
    {
      try await turn.take(or: .busy) { () async throws(DeviceFault) in
        let answer = SheetAnswer<URL>()
        // Nobody else knows the path, so nobody else can use up the one answer.
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
          throw .unavailable(detail: "The listener has no address")
        }
        listener.run(to: url, until: .now + timeout) { outcome in answer.give(outcome) }
        defer { listener.stop() }
        try await opener.open(beginURL)
        return try await answer.value()
      }
    }
  }
#endif
