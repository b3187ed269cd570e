import GatehouseAuth
import GatehouseCore
import Foundation
import GatehouseClient
import GatehouseProtocol
import Testing

/// An `Auth` listens to the server while the app is active, and only if the app wants it.
@Suite struct AppActivityTests {
  /// Streams on which nothing happens.
  private final class Streams: StreamingTransport {
    let server: ScriptedServer
    private let counts = Locked((opened: 0, left: 0))

    init(_ server: ScriptedServer) { self.server = server }

    var opened: Int { counts.withLock { $0.opened } }
    var left: Int { counts.withLock { $0.left } }

    func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
      try await server.send(request)
    }

    func stream(_ request: TransportRequest) async throws(TransportFault) -> TransportStream {
      let (pieces, writer) = AsyncThrowingStream.makeStream(of: Data.self)
      writer.onTermination = { [weak self] _ in self?.counts.withLock { $0.left += 1 } }
      writer.yield(Data("event: ready\ndata: {}\n\n".utf8))
      counts.withLock { $0.opened += 1 }
      return TransportStream(
        status: 200, headers: ["content-type": "text/event-stream"], pieces: pieces)
    }
  }

  private func app(listens: Bool = true) throws -> (app: FirebaseApp, streams: Streams) {
    let clock = TestClock()
    let streams = Streams(ScriptedServer { clock.now })
    var values = OptionValues()
    values.googleAppID = "1:2:ios:3"
    values.apiKey = "demo-key"
    values.serverURL = URL(string: "https://auth.example.com")
    values.listensForChanges = listens
    let app = try FirebaseApp.add(
      name: "app-\(UInt64.random(in: 0...UInt64.max))", values: values,
      services: AppServices(store: MemoryStore(), transport: streams, clock: clock))
    return (app, streams)
  }

  private func post(_ name: String) {
    NotificationCenter.default.post(name: NSNotification.Name(name), object: nil)
  }

  @Test func `the stream ends in the background, begins again, and ends with the app`()
    async throws
  {
    let (app, streams) = try app()
    _ = try await Auth.auth(app: app).signIn(withEmail: "ann@example.com", password: "secret-1")
    #expect(await eventually { streams.opened == 1 })
    post("UIApplicationDidEnterBackgroundNotification")
    #expect(await eventually { streams.left == 1 })
    post("UIApplicationDidBecomeActiveNotification")
    post("UIApplicationDidBecomeActiveNotification")
    #expect(await eventually { streams.opened == 2 })
    await app.delete()
    #expect(await eventually { streams.left == 2 })
    #expect(streams.opened == 2)
  }

  @Test func `an app that turned it off opens no stream`() async throws {
    let (app, streams) = try app(listens: false)
    let auth = Auth.auth(app: app)
    _ = try await auth.signIn(withEmail: "ann@example.com", password: "secret-1")
    post("UIApplicationDidBecomeActiveNotification")
    #expect(auth.currentUser != nil)
    #expect(streams.opened == 0)
  }
}
