import Foundation
import GatehouseClient
import Testing

/// Several processes of an app, and restarts after a kill.
@Suite(.developmentServer)
struct ProcessTests {
  private func start(_ command: String, _ person: String, in folder: TemporaryFolder) throws
    -> ChildProcess
  {
    let server = try suiteServer()
    return try ChildProcess(
      try Binary.path(of: "ClientProcess"),
      [command, server.baseURL, server.simulatorURL, folder.path + "/store", person],
      folder: folder)
  }

  private func run(_ command: String, _ person: String, in folder: TemporaryFolder)
    async throws -> [String]
  {
    let process = try start(command, person, in: folder)
    let status = try await process.end()
    try #require(status == 0, "\(process.errors)")
    return process.output.split(separator: "\n").map(String.init)
  }

  /// Apple returns the name only once. The client stores it before its request, so a kill in
  /// between doesn't lose it.
  @Test func `a kill between Apple's sheet and the response loses no name`() async throws {
    let server = try suiteServer()
    let person = try await server.providers.person(givenName: "Zo\u{eb}")
    try await TemporaryFolder.with { folder in
      let killed = try start("sign-in-unanswered", person, in: folder)
      let isSending = try await Deadline.wait { killed.output.contains("sending") }
      try #require(isSending, "\(killed.output)\(killed.errors)")
      killed.kill()
      #expect(try await killed.end() == -9)
      #expect(killed.output.hasPrefix("sheet: Zo\u{eb}\n"))

      let lines = try await run("sign-in", person, in: folder)
      #expect(lines.first == "sheet: no name")
      let words = try #require(lines.last).split(separator: " ", maxSplits: 3)
      try #require(words.count == 4)
      #expect(words[3].hasPrefix("Zo\u{eb}"))
      let account = try await server.administrator.account(String(words[2]))
      #expect(account["displayName"].string?.hasPrefix("Zo\u{eb}") == true)
    }
  }

  /// The control: a device without the first one's store has no name to send.
  @Test func `without the store the name is lost`() async throws {
    let person = try await suiteServer().providers.person(givenName: "Zo\u{eb}")
    try await TemporaryFolder.with { folder in
      let killed = try start("sign-in-unanswered", person, in: folder)
      _ = try await Deadline.wait { killed.output.contains("sending") }
      killed.kill()
      try await killed.end()
    }
    try await TemporaryFolder.with { folder in
      let lines = try await run("sign-in", person, in: folder)
      #expect(lines.last?.hasSuffix("no name") == true)
    }
  }

  @Test func `processes that refresh one session at once stay signed in`() async throws {
    let person = try await suiteServer().providers.person()
    try await TemporaryFolder.with { folder in
      let signedIn = try #require(try await run("sign-in", person, in: folder).last)
      let uid = String(signedIn.split(separator: " ")[2])
      let processes = try (0..<3).map { _ in try start("refresh", person, in: folder) }
      for process in processes {
        #expect(try await process.end() == 0, "\(process.errors)")
        #expect(process.output == "still: \(uid)\n")
      }
      #expect(try await run("refresh", person, in: folder) == ["still: \(uid)"])
    }
  }
}
