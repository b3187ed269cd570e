import ArgumentParser
import AsyncHTTPClient

struct DemoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Tell the whole story against a running `gatehouse serve --dev`.",
    discussion: """
      Signs in with Apple, links Google, re-authenticates, revokes and deletes, showing what is sent \
      and what comes back. Makes a person and an account of its own and leaves neither.
      """)

  @Option(help: "Where the server is.")
  var url = Settings.developmentURL

  @Option(help: "Where the simulator is.")
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
