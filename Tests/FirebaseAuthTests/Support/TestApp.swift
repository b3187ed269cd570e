import Dispatch
import FirebaseAuth
import FirebaseCore
import Foundation
import GatehouseClient
import Synchronization
import Testing

/// An app of its own, configured against a ``ScriptedServer``.
struct TestApp: Sendable {
  let app: FirebaseApp
  let auth: Auth
  let server: ScriptedServer
  let store: any SessionStore
  let clock: TestClock

  init(
    store: any SessionStore = MemoryStore(),
    name: String = "app-\(UInt64.random(in: 0...UInt64.max))",
    serverURL: URL? = URL(string: "https://auth.example.com"), apiKey: String? = "demo-key"
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
      services: AppServices(store: store, transport: server, clock: clock))
    auth = Auth.auth(app: app)
    self.server = server
    self.store = store
    self.clock = clock
  }

  /// Somebody who is signed in by a password.
  func signedIn(_ email: String = "ann@example.com") async throws -> User {
    try await auth.signIn(withEmail: email, password: "secret-1").user
  }

  /// Everything that was handed to the main actor until now is done.
  static func mainQueueIsEmpty() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
  }
}

/// Time that stands still until it is set, and waits that are over at once: but for those that a
/// client has for later, which end with it.
final class TestClock: ClientClock {
  private let time = Mutex(Date(timeIntervalSince1970: 1_800_000_000))

  var now: Date { time.withLock { $0 } }
  func advance(seconds: TimeInterval) { time.withLock { $0.addTimeInterval(seconds) } }

  func sleep(for duration: Duration) async throws {
    if duration < .seconds(60) { return }
    try await Task.sleep(for: .seconds(86_400))
  }
}

/// What was told, in order, from any thread.
final class Heard<Event: Sendable>: Sendable {
  private let events = Mutex<[Event]>([])

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
  private let flag = Mutex(false)

  func set() { flag.withLock { $0 = true } }
  var isSet: Bool { flag.withLock { $0 } }
}
