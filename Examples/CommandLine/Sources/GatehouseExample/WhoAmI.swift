import ArgumentParser
import Foundation
import GatehouseClient

struct WhoAmI: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "whoami", abstract: "Show the signed-in user. Sends no request without --online.")

  @OptionGroup var app: AppOptions

  @Flag(help: "Ask the server whether the session is still valid.")
  var online = false

  @Flag(help: "Print an ID token that is valid for at least five minutes, for `curl`.")
  var token = false

  func run() async throws {
    let manager = try app.manager()
    try await Failure.explaining {
      try manager.client.load()
      guard let user = manager.client.currentUser else { throw Failure.notSignedIn }
      if online { _ = try await user.idToken(forcingRefresh: true) }
      if token { return Terminal.say(try await user.idToken().token) }
      Terminal.say(user.snapshot)
      guard let held = user.heldIDToken else { return }
      let isGood = held.expiresAt > manager.client.serverNow
      Terminal.say("auth time   \(held.authenticatedAt.formatted(.iso8601))")
      Terminal.say(
        "token       \(isGood ? "until" : "ended") \(held.expiresAt.formatted(.iso8601))")
    }
  }
}
