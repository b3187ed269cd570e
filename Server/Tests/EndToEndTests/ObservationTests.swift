import Foundation
import Testing

/// Metrics and traces, as the operator's own tools read them.
@Suite struct ObservationTests {
  @Test func `sign-ins are counted by method, and promtool finds no fault`() async throws {
    try await TemporaryFolder.with { folder in
      let server = try await GatehouseServer.start(
        .init(arguments: ["--metrics-port", "0"]), in: folder)
      defer { server.process.kill() }
      let email = Unique.email()
      _ = try await server.app.signUp(email, "a long password")
      #expect(try await server.app.signIn(email, "a long password").verdict == "200")
      #expect(try await server.app.signIn(email, "a wrong password").status == 400)
      _ = try await server.app.call("signUp", ["returnSecureToken": true])
      let sheet = try await server.providers.apple(try await server.providers.person())
      #expect(try await server.app.signIn(sheet.credential).verdict == "200")
      let metrics = try await HTTP.get(try #require(server.metricsURL)).text
      for line in [
        #"gatehouse_sign_ins_total{method="password",outcome="signed_up"} 1"#,
        #"gatehouse_sign_ins_total{method="password",outcome="signed_in"} 1"#,
        #"gatehouse_sign_ins_total{method="password",outcome="refused"} 1"#,
        #"gatehouse_sign_ins_total{method="anonymous",outcome="signed_up"} 1"#,
        #"gatehouse_sign_ins_total{method="apple.com",outcome="signed_up"} 1"#,
        #"gatehouse_refusals_total{code="INVALID_PASSWORD"} 1"#,
      ] { #expect(metrics.contains(line + "\n"), "\(line)") }
      for name in [
        "gatehouse_build_info{", "gatehouse_commit_duration_seconds_count ",
        #"gatehouse_outbound_requests_total{kind="keys",provider="none",outcome="ok"} "#,
        #"gatehouse_signing_key_age_seconds{kind="idTokens"} "#, "gatehouse_passwords_waiting 0",
        #"gatehouse_outbox_oldest_seconds{kind="#, "process_resident_memory_bytes ",
        "process_cpu_seconds_total ", "process_open_fds ", "process_max_fds ",
        "process_start_time_seconds ",
      ] { #expect(metrics.contains("\n\(name)"), "\(name)") }
      let file = folder.path + "/metrics"
      try Data(metrics.utf8).write(to: URL(fileURLWithPath: file))
      let check = try ChildProcess(
        "/bin/sh", ["-c", "promtool check metrics < \(file)"], environment: [:], folder: folder)
      #expect(try await check.end() == 0, "\(check.output)\(check.errors)")
    }
  }

  /// `promtool test rules` compares which alerts fire for made-up series.
  @Test func `each alert fires when it should, and not before`() async throws {
    try await TemporaryFolder.with { folder in
      let rules = Python.repository + "/deploy/prometheus"
      for arguments in [["check", "rules", "alerts.yml"], ["test", "rules", "alerts_test.yml"]] {
        let tool = try ChildProcess(
          "/bin/sh", ["-c", "cd '\(rules)' && promtool \(arguments.joined(separator: " "))"],
          environment: [:], folder: folder)
        #expect(try await tool.end() == 0, "\(tool.output)\(tool.errors)")
      }
    }
  }

  @Test func `a request is a trace: the caller's, with transactions and calls of others below it`()
    async throws
  {
    try await Python.serve("trace_collector.py") { collector in
      let url = try #require(collector["url"].string)
      try await TemporaryFolder.with { folder in
        let server = try await GatehouseServer.start(
          .init(arguments: ["--set", "traces.endpoint=\(url)/v1/traces"]), in: folder)
        defer { server.process.kill() }
        let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
        let person = try await server.providers.person()
        let google = try await server.providers.google(person)
        let reply = try await HTTP.post(
          "\(server.baseURL)/v1/accounts:signInWithIdp?key=any",
          [
            "postBody": .string(google.postBody), "requestUri": "http://localhost",
            "returnSecureToken": true,
          ],
          headers: [("traceparent", "00-\(trace)-00f067aa0ba902b7-01")])
        #expect(reply.verdict == "200")
        let app = NativeApp(server: server)
        let end = try await app.open("google.com", parameters: ["person": person])
        #expect(try await app.redeem(end.deepLink["link"], "google.com").verdict == "200")
        #expect(try await server.stop() == 0)
        let kept = try await HTTP.get(url).json
        #expect(kept["faults"].array.isEmpty, "\(kept["faults"])")
        let spans = kept["spans"].array.filter { $0["trace"].string == trace }
        let request = try #require(
          spans.first { $0["name"].string == "POST /v1/accounts:signInWithIdp" })
        #expect(request["parent"].string == "00f067aa0ba902b7")
        #expect(request["kind"].string == "SPAN_KIND_SERVER")
        #expect(request["service"].string == "gatehouse")
        #expect(request["attributes"]["http.response.status_code"].number == 200)
        #expect(request["attributes"]["gatehouse.project"].string == "demo")
        let below = spans.filter { $0["parent"] == request["span"] }.map { $0["name"].string }
        #expect(below.contains("write transaction"))
        let call = try #require(kept["spans"].array.first { $0["name"].string == "provider" })
        #expect(call["kind"].string == "SPAN_KIND_CLIENT")
        #expect(call["attributes"]["gatehouse.provider"].string == "google.com")
        #expect(
          kept["spans"].array.first { $0["span"] == call["parent"] }?["name"] == request["name"])
        #expect(spans.allSatisfy { ($0["nanoseconds"].number ?? -1) >= 0 })
        #expect(!kept["spans"].array.contains { $0["name"].string?.contains("readyz") == true })
      }
    }
  }

  @Test func `a collector that can't be reached doesn't disturb sign-ins`() async throws {
    try await TemporaryFolder.with { folder in
      let port = try await FreePort.next()
      let server = try await GatehouseServer.start(
        .init(arguments: ["--set", "traces.endpoint=http://127.0.0.1:\(port)/v1/traces"]),
        in: folder)
      defer { server.process.kill() }
      #expect(try await server.app.signUp(Unique.email(), "a long password").verdict == "200")
      #expect(try await server.stop() == 0)
      #expect(server.process.errors.contains("spans can't be sent to the collector"))
    }
  }

  @Test func `SIGHUP applies the log level, and names what needs a restart`() async throws {
    try await Production.with { production, _, _ in
      let file = production.folder.path + "/settings.json"
      func write(_ level: String, retentionDays: Int) throws {
        let text =
          #"{"log": {"level": "\#(level)"}, "events": {"retentionDays": \#(retentionDays)}}"#
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
      }
      try write("info", retentionDays: 400)
      let server = try await production.start(["--config", file])
      defer { server.process.kill() }
      func log(_ text: String) async throws -> Bool {
        try await Deadline.wait { server.process.errors.contains(text) }
      }
      try write("debug", retentionDays: 30)
      server.process.hangUp()
      #expect(
        try await log(
          #"the settings were read again changed="log.level events.retentionDays" needs_restart=events.retentionDays"#
        ))
      _ = try await HTTP.get(server.baseURL + "/v1/projects?key=unknown")
      #expect(try await log(" debug "))
      try write("loud", retentionDays: 30)
      server.process.hangUp()
      #expect(try await log("the settings have faults; the former stay in use"))
      #expect(try await HTTP.get(server.baseURL + "/livez").status == 200)
    }
  }
}
