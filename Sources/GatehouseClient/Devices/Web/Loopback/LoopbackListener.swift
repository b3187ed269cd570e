#if os(Linux) || os(macOS)
  import Foundation
  import GatehouseProtocol

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #else
    import Darwin
  #endif

  /// Waits on a port of 127.0.0.1 for one response, on its own thread: the wait would block one of
  /// Swift's shared threads.
  ///
  /// Other users of the machine can see the URL that a browser is opened with. So the browser is
  /// opened with a URL of this listener, which contains no secret and redirects to the sign-in
  /// page. If the system reports which user a connection belongs to, only the current user's
  /// connections are served. Otherwise only the first request is redirected: if another user was
  /// faster, the current user sees an error page.
  final class LoopbackListener: Sendable {
    /// The URL that the browser is opened with.
    let beginURL: String
    /// The URL to which the browser has to return.
    let redirectURL: String
    private let beginPath: String
    private let path: String
    private let authority: String
    private let socket: LoopbackSocket
    private let isStopped = Locked(false)

    static let mostConnections = 16
    /// In seconds.
    static let connectionTimeout: TimeInterval = 10
    /// How often the listener checks whether it was stopped, in milliseconds.
    private static let roundMilliseconds: Int32 = 100

    init(beginPath: String, path: String) throws(DeviceFault) {
      let socket = try LoopbackSocket()
      self.socket = socket
      self.beginPath = beginPath
      self.path = path
      authority = "127.0.0.1:\(socket.port)"
      beginURL = "http://\(authority)\(beginPath)"
      redirectURL = "http://\(authority)\(path)"
    }

    /// Ends the wait. The port is free a moment later.
    func stop() { isStopped.withLock { $0 = true } }

    /// Waits until the response arrives, the deadline passes, or the listener is stopped.
    ///
    /// - Parameters:
    ///   - page: The URL to which ``beginURL`` redirects the browser.
    ///   - deadline: By ``Uptime``.
    ///   - end: Called once, on the listener's thread.
    func run(
      to page: URL, until deadline: TimeInterval,
      _ end: @escaping @Sendable (Result<URL, DeviceFault>) -> Void
    ) {
      Thread.detachNewThread { end(self.wait(to: page, until: deadline)) }
    }

    private func wait(
      to page: URL, until deadline: TimeInterval
    ) -> Result<URL, DeviceFault> {
      var connections: [LoopbackSocket: Received] = [:]
      var hasBegun = false
      while true {
        let now = Uptime.seconds
        if isStopped.withLock({ $0 }) || now >= deadline { return .failure(.cancelled) }
        connections = connections.filter { $0.value.deadline > now }
        for ready in LoopbackSocket.ready(
          connections.keys + [socket], withinMilliseconds: Self.roundMilliseconds)
        {
          if ready == socket {
            guard let accepted = socket.accept() else { continue }
            Self.makeRoom(in: &connections)
            connections[accepted] = Received(deadline: now + Self.connectionTimeout)
          } else if let answer = serve(ready, &connections, page, &hasBegun) {
            return .success(answer)
          }
        }
      }
    }

    /// Closes the oldest connection: clients that connect and send nothing can't keep the browser
    /// out.
    private static func makeRoom(in connections: inout [LoopbackSocket: Received]) {
      guard connections.count >= mostConnections,
        let oldest = connections.min(by: { $0.value.deadline < $1.value.deadline })
      else { return }
      connections[oldest.key] = nil
    }

    /// The bytes received over a connection so far.
    private struct Received {
      var bytes: [UInt8] = []
      let deadline: TimeInterval
    }

    private func serve(
      _ connection: LoopbackSocket, _ connections: inout [LoopbackSocket: Received], _ page: URL,
      _ hasBegun: inout Bool
    ) -> URL? {
      switch connection.receive() {
      case .bytes(let part): connections[connection]?.bytes += part
      case .nothingYet: return nil
      case .end:
        connections[connection] = nil
        return nil
      }
      let bytes = connections[connection]?.bytes ?? []
      let refusal: Int
      switch LoopbackRequest(bytes, beginPath: beginPath, path: path, authority: authority) {
      case .incomplete: return nil
      case .refused(let status): refusal = status
      case .begin:
        switch LoopbackPeer(peerPort: connection.port, port: socket.port) {
        case .other: refusal = 403
        case .unknown where hasBegun: refusal = 403
        case .own, .unknown:
          hasBegun = true
          connection.send(LoopbackPage.redirect(to: page))
          connections[connection] = nil
          return nil
        }
      case .answer(let target):
        if LoopbackPeer(peerPort: connection.port, port: socket.port) == .other {
          refusal = 403
        } else if let url = URL(string: "http://\(authority)\(target)") {
          connection.send(LoopbackPage.response(status: 200))
          return url
        } else {
          refusal = 400
        }
      }
      connection.send(LoopbackPage.response(status: refusal))
      connections[connection] = nil
      return nil
    }
  }
#endif
