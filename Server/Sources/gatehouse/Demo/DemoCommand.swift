import ArgumentParser
import AsyncHTTPClient

struct DemoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Run a complete example against a running `gatehouse serve --dev`.",
    discussion: """
      Signs in with Apple, links Google, re-authenticates, revokes Apple's tokens and deletes the \
      account, and shows every request and response. It creates its own simulated person and its \
      own account; the account is deleted at the end, the person stays in the simulator.
      """)

  @Option(help: "The server's URL.")
  var url = Settings.developmentURL

  @Option(help: "The simulator's URL.")
  var simulator = Settings.simulatorURL

  func run() async throws {
    let http = HTTPClient(eventLoopGroupProvider: .singleton)
    let story = DemoStory(http: DemoClient(http: http), server: url, simulator: simulator)
    do {
      let count = try await story.tell()
      try? await http.shutdown()
      Terminal.say()
      Terminal.say("All \(count) steps succeeded.")
    } catch {
      try? await http.shutdown()
      throw error
    }
  }
}
