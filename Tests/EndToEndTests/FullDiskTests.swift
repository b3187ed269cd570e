#if os(Linux)
  import Testing

  /// A disk that is full is told as such, loses nothing, and is recovered from without a restart.
  @Suite struct FullDiskTests {
    @Test func `without room writes are refused, reads go on, and room ends it`() async throws {
      // A limit on the size of files is the portable stand-in for a full disk.
      let options = GatehouseServer.Options(fileSizeLimitKibibytes: 1024)
      try await TemporaryFolder.with { folder in
        let server = try await GatehouseServer.start(options, in: folder)
        defer { server.process.kill() }
        let kept = try await server.app.signUp(Unique.email(), "a long password")
        #expect(kept.verdict == "200")
        var refusal = kept
        for _ in 0..<2000 where refusal.status == 200 {
          refusal = try await server.app.call("signUp", ["returnSecureToken": true])
        }
        #expect(refusal.verdict == "503 The service is currently unavailable.")
        // It finds out for itself, too: what is left of the room is soon used up.
        let isUnready = try await Deadline.wait(seconds: 60) {
          try await HTTP.get(server.baseURL + "/readyz").status == 503
        }
        #expect(isUnready)
        #expect(try await HTTP.get(server.baseURL + "/livez").status == 200)
        let idToken = try #require(kept.json["idToken"].string)
        #expect(try await server.app.lookup(idToken).verdict == "200")

        try await server.process.liftFileSizeLimit(folder)
        let after = try await server.app.call("signUp", ["returnSecureToken": true])
        #expect(after.verdict == "200")
        #expect(try await HTTP.get(server.baseURL + "/readyz").status == 200)
        #expect(try await server.app.lookup(idToken).verdict == "200")
        #expect(try await server.stop() == 0)
      }
    }

    @Test func `a start without room says what is missing and what to do`() async throws {
      try await TemporaryFolder.with { folder in
        let options = GatehouseServer.Options(fileSizeLimitKibibytes: 16)
        let refused = await #expect(throws: DidNotStart.self) {
          try await GatehouseServer.start(options, in: folder)
        }
        #expect(refused?.errors.contains("Raise it (ulimit -f)") == true, "\(refused as Any)")
      }
    }
  }
#endif
