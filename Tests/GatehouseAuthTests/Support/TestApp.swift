import Dispatch
import GatehouseAuth
import GatehouseCore
import Foundation
import GatehouseClient
import GatehouseProtocol
import Testing

/// An app of one test, configured with a ``ScriptedServer``.
struct TestApp: Sendable {
  let app: FirebaseApp
  let auth: Auth
  let server: ScriptedServer
  let store: any SessionStore
  let clock: TestClock

  init(
    store: any SessionStore = MemoryStore(),
    name: String = "app-\(UInt64.random(in: 0...UInt64.max))",
    serverURL: URL? = URL(string: "https://auth.example.com"), apiKey: String? = "demo-key",
    notifications: NotificationCenter = NotificationCenter()
  ) throws {
    let clock = TestClock()
    let server = ScriptedServer { clock.now }
    var values = OptionValues()
    values.googleAppID = "1:2:ios:3"
    values.gcmSenderID = "2"
    values.apiKey = apiKey
    values.projectID = "demo"
    values.bundleID = "com.example.app"
    values.serverURL = serverURL
    app = try FirebaseApp.add(
      name: name, values: values,
      services: AppServices(
        store: store, transport: server, clock: clock, notifications: notifications))
    auth = Auth.auth(app: app)
    self.server = server
    self.store = store
    self.clock = clock
  }

  /// A user who is signed in with a password.
  func signedIn(_ email: String = "ann@example.com") async throws -> User {
    try await auth.signIn(withEmail: email, password: "secret-1").user
  }

  /// Returns when everything that was queued on the main actor before is done.
  static func mainQueueIsEmpty() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
  }
}

/// Time that stands still until it is set. Sleeps end immediately, except those that a client
/// schedules for later: these end with the client.
final class TestClock: ClientClock {
  private let time = Locked(Date(timeIntervalSince1970: 1_800_000_000))

  var now: Date { time.withLock { $0 } }
  func advance(seconds: TimeInterval) { time.withLock { $0.addTimeInterval(seconds) } }

  func sleep(for duration: TimeInterval) async throws {
    if duration < 60 { return }
    try await Task.sleep(for: .seconds(86_400))
  }
}

/// The recorded events, in order, from any thread.
final class Heard<Event: Sendable>: Sendable {
  private let events = Locked<[Event]>([])

  func callAsFunction(_ event: Event) { events.withLock { $0.append(event) } }
  var all: [Event] { events.withLock { $0 } }
}

/// The code and domain of what `body` throws, by the cast that Firebase's guides use.
func authError(_ body: () async throws -> Void) async -> NSError? {
  do {
    try await body()
    return nil
  } catch let error as NSError {
    return error
  }
}

extension NSError {
  var authCode: AuthErrorCode? {
    domain == AuthErrors.domain ? AuthErrorCode(rawValue: code) : nil
  }
}

/// Set once.
final class LockedFlag: Sendable {
  private let flag = Locked(false)

  func set() { flag.withLock { $0 = true } }
  var isSet: Bool { flag.withLock { $0 } }
}

/// Waits for an effect of another thread, five minutes at most.
func eventually(_ holds: () -> Bool) async -> Bool {
  let end = ContinuousClock.now + .seconds(300)
  while ContinuousClock.now < end {
    if holds() { return true }
    await Task.yield()
  }
  return false
}
