import Synchronization

/// Where the server listens, which with port 0 is known once the port is bound.
final class OwnURL: Sendable {
  private let url: Mutex<String>

  init(_ text: String) { url = Mutex(text) }

  var text: String { url.withLock { $0 } }

  func set(_ text: String) { url.withLock { $0 = text } }
}
