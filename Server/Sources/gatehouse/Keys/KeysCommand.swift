import ArgumentParser
import Foundation
import GatehouseServer
import GatehouseProtocol

struct KeysCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys", abstract: "The server's signing keys and its master key.",
    subcommands: [
      NewMasterKeyCommand.self, ListKeysCommand.self, RotateKeysCommand.self,
      RotateMasterCommand.self, RetireMasterCommand.self, ResealVaultCommand.self,
    ])
}

struct NewMasterKeyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new-master",
    abstract: "Create a master key.",
    discussion: """
      If the master key is lost, the secrets in the database and all sessions are lost. No backup \
      contains it: keep it in a safe place, apart from the backups.
      """)

  @Option(
    help: "The new file for the key, which only its owner can read. Default: standard output.")
  var output: String?

  func run() async throws {
    guard let made = MasterKey.random() else {
      throw CommandFailure("the system provided no random bytes")
    }
    guard let output else { return Terminal.say(made.base64.reveal()) }
    try PrivateFile.make(output, with: Data((made.base64.reveal() + "\n").utf8))
    Terminal.say("Wrote \(output). Keep a copy in a safe place, apart from the backups.")
  }
}

struct ListKeysCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the keys that sign ID tokens, session cookies and checkpoints of the event log."
  )

  @OptionGroup var administration: AdministrationOptions

  func run() async throws {
    try await administration.withClient { client in
      let answer = try await client.send(.get, ["v2", "server", "signingKeys"])
      client.say(answer) {
        var table = TextTable(
          "KEY", "SIGNS", "ALGORITHM", "STATE", "PUBLISHED", "SIGNS FROM", "RETIRED")
        let uses = [
          "idTokens": "ID tokens", "sessionCookies": "session cookies",
          "eventLog": "checkpoints of the event log",
        ]
        for key in answer.objects("keys") {
          let use = key.shown("use")
          table.add(
            key.shown("keyId"), uses[use] ?? use, key.shown("algorithm"), key.shown("state"),
            key.shown("publishTime"), key.shown("signsFrom"), key.shown("retireTime"))
        }
        table.say()
      }
    }
  }
}

struct RotateKeysCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rotate",
    abstract: "Sign with a new key, ahead of schedule.",
    discussion: """
      Keys rotate automatically every 30 days. A running server applies a change within a second. \
      The new key is published first, and signs two hours later, when every back end that caches \
      the key set has fetched it. With --now it signs at once: back ends that have not fetched it \
      yet reject its tokens until they do. If keys were stolen, --discard-all removes every older \
      key from the key set at once. Back ends then reject all ID tokens when they fetch the key set \
      again (within an hour), and clients refresh. With --session-cookies as well, all session \
      cookies are rejected instead, and users sign in again.
      """)

  @Flag(help: "Rotate the keys that sign session cookies, not those that sign ID tokens.")
  var sessionCookies = false

  @Flag(help: "Sign with the new key at once, before back ends have fetched it.")
  var now = false

  @Flag(help: "Reject everything that the older keys signed. The new key signs at once.")
  var discardAll = false

  @OptionGroup var confirmation: ConfirmationOptions
  @OptionGroup var administration: AdministrationOptions

  func run() async throws {
    let isImmediate = now || discardAll
    let request: JSONObject = [
      "use": .string(sessionCookies ? "sessionCookies" : "idTokens"), "now": .bool(now),
      "discardAll": .bool(discardAll),
    ]
    try await administration.withClient { client in
      if discardAll {
        try confirmation.confirm(
          sessionCookies
            ? "Reject every session cookie? All users of cookies sign in again."
            : "Reject every ID token? Clients refresh, and back ends load the key set again.")
      }
      let answer = try await client.send(
        .post, ["v2", "server", "signingKeys"], verb: "rotate", request)
      client.say(answer) {
        for key in answer.objects("keys") {
          let name = "\(key.shown("keyId")) (\(key.shown("algorithm")))"
          switch key.shown("state") {
          case "active": Terminal.say("Signing with \(name).")
          case "next" where !isImmediate:
            Terminal.say("\(name) is published, and signs from \(key.shown("signsFrom")).")
          default: break
          }
        }
      }
    }
  }
}
