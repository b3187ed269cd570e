#if os(Linux)
  import Testing

  /// A full disk is reported as such and loses nothing. No restart is needed once there is room.
  @Suite struct FullDiskTests {
    @Test func `on a full disk writes fail, reads work, and room restores writes`() async throws {
      // A limit on the size of files is a portable substitute for a full disk. The first start needs almost
      // 1 MiB, for the log of all migrations.
      let options = GatehouseServer.Options(fileSizeLimitKibibytes: 2048)
      try await TemporaryFolder.with { folder in
        let server = try await GatehouseServer.start(options, in: folder)
        defer { server.process.kill() }
        let kept = try await server.app.signUp(Unique.email(), "a long password")
        #expect(kept.verdict == "200")
        var refusal = kept
        for _ in 0..<2000 where refusal.status == 200 {
          refusal = try await server.app.call("signUp", ["returnSecureToken": true])
        }
        #expect(refusal.verdict == "503")
        #expect(
          refusal.json["error"]["errors"][0]["message"].string
            == "The service is currently unavailable.")
        // The server also notices by itself: it soon uses up the remaining room.
        let isUnready = try await Deadline.wait {
          try await HTTP.get(server.baseURL + "/readyz").status == 503
        }
        #expect(isUnready)
        #expect(try await HTTP.get(server.baseURL + "/livez").status == 200)
        let idToken = try #require(kept.json["idToken"].string)
        #expect(try await server.app.lookup(idToken).verdict == "200")

        try await server.process.liftFileSizeLimit(folder)
        let after = try await server.app.call("signUp", ["returnSecureToken": true])
        #expect(after.verdict == "200")
        // For a second after a failed write, the server doesn't write again.
        let isReady = try await Deadline.wait {
          try await HTTP.get(server.baseURL + "/readyz").status == 200
        }
        #expect(isReady)
        #expect(try await server.app.lookup(idToken).verdict == "200")
        #expect(try await server.stop() == 0)
      }
    }

    @Test func `an import onto a full disk says what is there, and a rerun completes it`()
      async throws
    {
      try await TemporaryFolder.with { folder in
        let production = try await Production.make(in: folder)
        let count = 4000
        let users = (0..<count).map {
          #"{"localId":"user-\#($0)","email":"user-\#($0)@example.com"}"#
        }
        let file = try folder.write(
          "users.json", #"{"users":["# + users.joined(separator: ",\n") + "]}")
        let command = [try Binary.path(), "import", file, "--data", folder.path + "/data"]
        let run = { (limit: String) in
          let process = try ChildProcess(
            "/bin/bash",
            ["-c", "trap '' XFSZ; ulimit -S -f \(limit); exec \"$@\"", "bash"] + command,
            environment: ["GATEHOUSE_MASTER_KEY": production.masterKey], folder: folder)
          return (status: try await process.end(), process)
        }
        let full = try await run("2048")
        #expect(full.status == 1)
        let errors = full.1.errors
        #expect(errors.contains("Error: the import stopped: "), "\(errors)")
        let said = "These accounts, and perhaps some more, are in the database: "
        let imported = Self.firstNumber(errors.split(separator: said).last)
        let completed = try await run("unlimited")
        #expect(completed.status == 0)
        let rest = Self.firstNumber(completed.1.output[...])
        #expect((1...count - rest).contains(imported), "\(errors)\(completed.1.output)")
        #expect(completed.1.output.contains("\(count - rest) existed already, 0 not imported"))
      }
    }

    private static func firstNumber(_ text: Substring?) -> Int {
      Int(text?.prefix { $0.isNumber } ?? "") ?? 0
    }

    @Test func `a start on a full disk names the problem and the remedy`() async throws {
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
