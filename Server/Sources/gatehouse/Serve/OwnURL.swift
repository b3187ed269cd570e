import Synchronization

/// The URL at which the server listens. With port 0 it is known only when the port is bound.
final class OwnURL: Sendable {
  private let url: Mutex<String>

  init(_ text: String) { url = Mutex(text) }

  var text: String { url.withLock { $0 } }

  func set(_ text: String) { url.withLock { $0 = text } }
}
