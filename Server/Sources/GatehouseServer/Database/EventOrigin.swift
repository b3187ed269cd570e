package import GatehouseProtocol

package import struct Foundation.Date

/// The user, machine or provider that caused an event.
package enum EventActor: Hashable, Sendable {
  /// The account's user, or an attacker who signed in as the user.
  case user
  /// The name of a service account or of an administrator's key.
  case administrator(String)
  /// The user of the operating system who ran a command on the server's machine: the name, or the number
  /// of a user without a name.
  case command(String)
  /// A provider that reported something about its user.
  case provider(ProviderID)
  /// The server itself, on a schedule; also for an account that loses its unverified address because
  /// another user verified it.
  case server

  package var text: String {
    switch self {
    case .user: "user"
    case .administrator(let name): "administrator \(name)"
    case .command(let name): "command \(name)"
    case .provider(let provider): "provider \(provider.text)"
    case .server: "server"
    }
  }

  /// - Parameter name: That of a service account or of an administrator's key.
  package func isAdministrator(named name: String) -> Bool {
    if case .administrator(let own) = self { own.hasSameBytes(as: name) } else { false }
  }

  /// The actor without the names of administrators and operators, for the account's user.
  package var role: String {
    switch self {
    case .administrator: "administrator"
    case .command: "operator"
    case .user, .provider, .server: text
    }
  }

  /// Nil for a text that this version doesn't know.
  package init?(_ text: String) {
    // Every text that `text` writes must be readable: an event that can't be read stops all linking. The
    // name may be empty, or begin with a mark that combines with the space, so the search is for a byte.
    let space = text.utf8.firstIndex(of: UInt8(ascii: " "))
    let name = space.map { String(text[text.utf8.index(after: $0)...]) }
    switch (String(text[..<(space ?? text.endIndex)]), name) {
    case ("user", nil): self = .user
    case ("server", nil): self = .server
    case ("administrator", let name?): self = .administrator(name)
    case ("command", let name?): self = .command(name)
    case ("provider", let name?):
      guard let provider = ProviderID(name) else { return nil }
      self = .provider(provider)
    default: return nil
    }
  }
}

/// The client whose request caused an event. This is personal data.
package struct EventSource: Hashable, Sendable, Codable {
  /// The client address in full, shortened, or nil, as the operator configured it.
  package var address: String?
  /// At most ``textLimit`` bytes, like `app`.
  package var userAgent: String?
  /// The app's bundle id or package name, or the web page's origin.
  package var app: String?
  /// The request's id in the log and in the response's `X-Request-ID`.
  package var request: String?

  package static let textLimit = 256

  package var isEmpty: Bool {
    address == nil && userAgent == nil && app == nil && request == nil
  }

  package init(
    address: String? = nil, userAgent: String? = nil, app: String? = nil, request: String? = nil
  ) {
    self.address = address
    self.userAgent = userAgent
    self.app = app
    self.request = request
  }
}

/// The actor and the source of the current work. Set when the work begins, for example when a
/// request's caller is identified. Read when an event is recorded.
package struct EventOrigin: Sendable {
  package var actor: EventActor
  package var source: EventSource
  /// Nil for work that no request asked for.
  package var subject: RequestSubject?
  /// The clock for events about settings: the store's functions for settings have no parameter for
  /// the time.
  package var clock: @Sendable () -> Date
  /// Called with each event whose transaction was committed.
  package var committed: (@Sendable (Event) -> Void)?

  package init(
    _ actor: EventActor, source: EventSource = EventSource(), subject: RequestSubject? = nil,
    clock: @escaping @Sendable () -> Date = { Date(timeIntervalSince1970: 0) },
    committed: (@Sendable (Event) -> Void)? = nil
  ) {
    self.actor = actor
    self.source = source
    self.subject = subject
    self.clock = clock
    self.committed = committed
  }

  /// The same origin with another actor.
  package func with(actor: EventActor) -> EventOrigin {
    var copy = self
    copy.actor = actor
    return copy
  }

  @TaskLocal package static var current = EventOrigin(.server)
}
