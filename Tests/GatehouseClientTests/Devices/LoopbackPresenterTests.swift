#if os(Linux) || os(macOS)
  import Foundation
  import GatehouseClient
  import Testing

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  @Suite struct LoopbackPresenterTests {
    private static let page = URL(filePath: "/sign-in")

    /// What the browser does with the redirect URL. It is opened with another URL, from which it
    /// has to be redirected.
    private func presenter(
      timeout: TimeInterval = 60, _ browser: @escaping @Sendable (String) async throws -> Void
    ) -> LoopbackPresenter {
      LoopbackPresenter(
        opener: BrowserOpener { url throws(DeviceFault) in
          do {
            try await browser(try await self.redirected(from: url))
          } catch let fault as DeviceFault {
            throw fault
          } catch {
            throw .failed(detail: "\(error)")
          }
        }, timeout: timeout)
    }

    /// The URL to which the browser is redirected from the one that it is opened with.
    private func redirected(from url: URL) async throws -> String {
      #expect(url.path().hasPrefix("/firebaseauth/begin/"))
      let session = URLSession(configuration: .ephemeral)
      defer { session.invalidateAndCancel() }
      let (_, response) = try await session.data(from: url)
      return try #require(response.url).absoluteString
    }

    /// Opens the redirect URL itself, as if the server had redirected the browser there at once.
    private func present(_ presenter: LoopbackPresenter) async throws(DeviceFault) -> URL {
      try await presenter.present { redirectURL throws(ClientError) in
        guard let url = URL(string: redirectURL) else { throw .badAnswer(detail: redirectURL) }
        return url
      }
    }

    @discardableResult
    private func get(_ url: String, _ headers: [String: String] = [:]) async throws -> (Int, String)
    {
      var request = URLRequest(url: try #require(URL(string: url)), timeoutInterval: 60)
      for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
      let session = URLSession(configuration: .ephemeral)
      defer { session.invalidateAndCancel() }
      let (data, response) = try await session.data(for: request)
      return (
        try #require(response as? HTTPURLResponse).statusCode, String(decoding: data, as: UTF8.self)
      )
    }

    /// Checks repeatedly, for five minutes at most.
    private func waitUntilRefused(_ port: UInt16) async throws {
      let end = ContinuousClock.now + .seconds(300)
      while (try? IdleConnection(port: port)) != nil {
        try #require(ContinuousClock.now < end)
        try await Task.sleep(for: .milliseconds(5))
      }
    }

    @Test func `the browser's last address is the answer, and it is told to go back`() async throws
    {
      let presenter = presenter { redirectURL in
        let (status, page) = try await self.get(
          redirectURL + "?deep_link_id=https%3A%2F%2Fx%3Fa%3Db")
        #expect(status == 200)
        #expect(page.contains("return to the app"))
      }
      let answer = try await present(presenter)
      #expect(answer.host() == "127.0.0.1")
      #expect(answer.path().hasPrefix("/firebaseauth/link/"))
      #expect(answer.query() == "deep_link_id=https%3A%2F%2Fx%3Fa%3Db")
    }

    @Test func `the URL that the browser is opened with doesn't contain the answer's URL`()
      async throws
    {
      let opened = SheetAnswer<URL>()
      let presenter = LoopbackPresenter(
        opener: BrowserOpener { url throws(DeviceFault) in
          opened.give(.success(url))
          do {
            let redirectURL = try await self.redirected(from: url)
            try await self.get(redirectURL + "?deep_link_id=a")
          } catch {
            throw .failed(detail: "\(error)")
          }
        }, timeout: 60)
      let answer = try await present(presenter)
      let url = try await opened.value()
      #expect(url.query() == nil)
      #expect(!url.absoluteString.contains(answer.lastPathComponent))
    }

    @Test func `other requests are refused, and the wait goes on`() async throws {
      let presenter = presenter { redirectURL in
        let port = try #require(URL(string: redirectURL)?.port)
        #expect(try await self.get("http://127.0.0.1:\(port)/favicon.ico").0 == 404)
        #expect(try await self.get("http://localhost:\(port)/?deep_link_id=a").0 == 421)
        #expect(
          try await self.get("http://127.0.0.1:\(port)/firebaseauth/link?deep_link_id=a").0 == 404)
        #expect(try await self.get(redirectURL).0 == 403)
        #expect(
          try await self.get(redirectURL + "?deep_link_id=a", ["Sec-Fetch-Mode": "no-cors"]).0
            == 403)
        try await self.get(redirectURL + "?deep_link_id=b")
      }
      #expect(try await present(presenter).query() == "deep_link_id=b")
    }

    @Test func `connections that send nothing block no request, however many there are`()
      async throws
    {
      let presenter = presenter { redirectURL in
        let port = try #require(URL(string: redirectURL)?.port)
        let idle = try (0..<40).map { _ in try IdleConnection(port: UInt16(port)) }
        try await self.get(redirectURL + "?deep_link_id=b")
        withExtendedLifetime(idle) {}
      }
      #expect(try await present(presenter).query() == "deep_link_id=b")
    }

    @Test func `afterwards the listener is closed`() async throws {
      let presenter = presenter { try await self.get($0 + "?deep_link_id=a") }
      let port = try #require(try await present(presenter).port)
      try await waitUntilRefused(UInt16(port))
    }

    @Test func `a browser that doesn't return counts as cancelled`() async {
      let presenter = LoopbackPresenter(
        opener: BrowserOpener { _ throws(DeviceFault) in }, timeout: 0.001)
      await #expect(throws: DeviceFault.cancelled) { try await present(presenter) }
    }

    @Test func `a task that is cancelled doesn't wait`() async {
      let opened = SheetAnswer<Bool>()
      let presenter = presenter { _ in opened.give(.success(true)) }
      let task = Task { () async throws(DeviceFault) in try await present(presenter) }
      #expect((try? await opened.value()) == true)
      task.cancel()
      await #expect(throws: DeviceFault.cancelled) { try await task.value }
    }

    @Test func `a second browser is refused while one is open`() async throws {
      let opened = SheetAnswer<String>()
      let presenter = presenter { opened.give(.success($0)) }
      async let first = present(presenter)
      let redirectURL = try await opened.value()
      await #expect(throws: DeviceFault.busy) { try await present(presenter) }
      try await get(redirectURL + "?deep_link_id=a")
      #expect(try await first.query() == "deep_link_id=a")
    }

    @Test func `without a URL nothing is opened`() async {
      let presenter = presenter { _ in Issue.record("opened") }
      let fault = ClientError.invalidArgument(detail: "made up")
      await #expect(throws: DeviceFault.notBegun(fault)) {
        try await presenter.present { _ throws(ClientError) in throw fault }
      }
    }

    @Test func `a browser that can't be opened is reported`() async {
      let presenter = presenter { _ in throw DeviceFault.unavailable(detail: "made up") }
      await #expect(throws: DeviceFault.unavailable(detail: "made up")) {
        try await present(presenter)
      }
    }

    @Test func `each sign-in has its own port and path`() async throws {
      let presenter = presenter { try await self.get($0 + "?deep_link_id=a") }
      let first = try await present(presenter)
      let second = try await present(presenter)
      #expect(first.path() != second.path())
    }
  }
#endif
