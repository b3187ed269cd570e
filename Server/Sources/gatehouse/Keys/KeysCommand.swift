import ArgumentParser
import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens

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
    abstract: "Print a new master key.",
    discussion: """
      If the master key is lost, the secrets in the database and all sessions are lost. No backup \
      contains it: keep it in a safe place, apart from the backups.
      """)

  func run() async throws {
    guard let made = MasterKey.random() else {
      throw CommandFailure("the system provided no random bytes")
    }
    Terminal.say(made.base64.reveal())
  }
}

struct ListKeysCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the keys that sign ID tokens, session cookies and checkpoints of the event log."
  )

  @OptionGroup var data: DataOptions

  func run() async throws {
    try await data.withDatabase { database in
      let keys = try await database.store.read { transaction in
        try SigningKeyRecord.Ring.allCases.flatMap { try transaction.signingKeys(of: $0) }
      }
      var table = TextTable(
        "KEY", "SIGNS", "ALGORITHM", "STATE", "PUBLISHED", "SIGNS FROM", "RETIRED")
      for key in keys {
        let state = key.retiredAt != nil ? "retired" : key.activatedAt != nil ? "active" : "next"
        let signsFrom = key.activatedAt ?? key.signsFrom
        table.add(
          key.keyID, key.ring.signs, key.ring.algorithm.rawValue, state,
          key.publishedAt.formatted(.iso8601),
          signsFrom?.formatted(.iso8601) ?? "-", key.retiredAt?.formatted(.iso8601) ?? "-")
      }
      table.say()
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

  @OptionGroup var data: DataOptions

  func run() async throws {
    try await data.withDatabase { database in
      let use: TokenSigningKeys.Use = sessionCookies ? .sessionCookies : .idTokens
      for ring in use.rings { try await rotate(ring, in: database.store) }
    }
  }

  private func rotate(_ ring: SigningKeyRecord.Ring, in store: any Store) async throws {
    let rotation = SigningKeyRotation(ring: ring, store: store)
    let isImmediate = now || discardAll
    let keys =
      isImmediate
      ? try await rotation.rotate(now: Date(), discardingAll: discardAll)
      : try await rotation.rotateSoon(now: Date())
    let active = keys.first { $0.activatedAt != nil && $0.retiredAt == nil }
    let algorithm = ring.algorithm.rawValue
    Terminal.say("Signing with \(active?.keyID ?? "no key") (\(algorithm)).")
    if !isImmediate, let next = keys.first(where: { $0.activatedAt == nil }),
      let signsFrom = next.signsFrom
    {
      Terminal.say(
        "\(next.keyID) (\(algorithm)) is published, and signs from "
          + "\(signsFrom.formatted(.iso8601)).")
    }
  }
}

extension SigningKeyRecord.Ring {
  fileprivate var signs: String {
    switch self {
    case .idTokens, .idTokensES256: "ID tokens"
    case .sessionCookies, .sessionCookiesES256: "session cookies"
    case .eventLog: "checkpoints of the event log"
    }
  }
}
