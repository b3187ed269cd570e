import ArgumentParser
import Foundation
import GatehouseAccounts
import GatehouseOperation

struct RotateMasterCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rotate-master",
    abstract: "Encrypt everything under a new master key, while servers run.",
    discussion: """
      Adds a new key to the master key's file, waits until the running servers hold it, and seals \
      every secret again. Interrupted, it goes on when it is run again. Refresh tokens made with \
      the old key stay good; `gatehouse keys retire-master` ends the old key when they are gone. \
      Where the key comes from a variable, put both keys into it (white space between them), \
      restart the server with it, and run this with it.
      """)

  @OptionGroup var data: DataOptions

  func run() async throws {
    let (folder, source) = try data.place()
    try await data.withDatabase { database in
      let rotation = MasterKeyRotation(store: database.store, ring: database.masterKeys)
      let status = try await rotation.status()
      if status.isResealing {
        let count = try await rotation.reseal()
        return Terminal.say(
          "Finished the rotation that was interrupted: \(count) secrets are under "
            + "\(database.masterKeys.current.name).")
      }
      let old = database.masterKeys.current
      let next = try status.next ?? addKey(to: source.keyFile(dataFolder: folder), database)
      try await waitForServers(on: folder, toHold: MasterKeyName.of(next))
      guard try await rotation.begin(next, now: Date()) else { return }
      let count = try await rotation.reseal()
      Terminal.say("\(count) secrets are under the new master key, \(MasterKeyName.of(next)).")
      Terminal.say(
        "The old one, \(old.name), still opens refresh tokens, and backups made until now: keep it "
          + "as long as those. Later, end it here with `gatehouse keys retire-master`.")
    }
  }

  /// Puts a new key into the file, beside those that are there.
  private func addKey(to file: String?, _ database: OpenDatabase) throws -> [UInt8] {
    guard let file else {
      throw CommandFailure(
        "the master key comes as a value, to which no key can be added. Put both keys into it "
          + "(the old one, white space, and one from `gatehouse keys new-master`), restart the "
          + "server with it, and run this with it. Or keep the key in a file: --master-key-file")
    }
    guard let made = MasterKey.random()?.key else {
      throw CommandFailure("no random bytes were to be had")
    }
    let keys = try MasterKeySource.read(file)
    try MasterKeyFile.write(keys + [made], to: file)
    database.masterKeys.adopt(keys + [made])
    return made.id
  }

  /// A server that doesn't hold the key yet would read nothing that is sealed with it.
  private func waitForServers(on folder: String, toHold key: String) async throws {
    let deadline = ContinuousClock.now + .seconds(5)
    while true {
      let behind = ServingMark.running(in: folder).filter { !$0.masterKeys.contains(key) }
      guard let server = behind.first else { return }
      guard ContinuousClock.now < deadline else {
        throw CommandFailure(
          "the server with the process id \(server.process) doesn't hold the new master key "
            + "\(key): it got its key as a value, or from another file. Nothing was encrypted. "
            + "Restart it with both keys, and run this again")
      }
      try await Task.sleep(for: .milliseconds(200))
    }
  }
}

struct RetireMasterCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retire-master", abstract: "Take former master keys out of use.",
    discussion: """
      Refuses for ten minutes after the rotation, and while refresh tokens made with them are in \
      use. Backups made before the rotation still need them.
      """)

  @Flag(help: "Don't wait: end the sessions that nobody has refreshed since the rotation.")
  var endSessions = false

  @OptionGroup var data: DataOptions

  func run() async throws {
    let (folder, source) = try data.place()
    try await data.withDatabase { database in
      let rotation = MasterKeyRotation(store: database.store, ring: database.masterKeys)
      let status = try await rotation.status()
      guard !status.isResealing else {
        throw CommandFailure(
          "a rotation was interrupted; finish it with `gatehouse keys rotate-master`")
      }
      guard !status.former.isEmpty else {
        return Terminal.say("There is no former master key.")
      }
      try await checkTokens(status, rotation)
      // What a server sealed in the moment of the change may be under the former key.
      _ = try await rotation.reseal()
      let names = status.former.map { MasterKeyName.of($0) }.joined(separator: ", ")
      guard let file = source.keyFile(dataFolder: folder) else {
        return Terminal.say(
          "Take \(names) out of the variable, leave \(database.masterKeys.current.name), and restart "
            + "the server.")
      }
      try MasterKeyFile.write(
        try MasterKeySource.read(file).filter { !status.former.contains($0.id) }, to: file)
      try await rotation.forgetFormer()
      Terminal.say("Retired \(names). Backups made under it need it still.")
    }
  }

  private func checkTokens(
    _ status: MasterKeyRotation.Status, _ rotation: MasterKeyRotation
  ) async throws {
    let pending = PendingTokenCodec.lifetimeSeconds
    let age = status.rotatedAt.map { Date().timeIntervalSince($0) } ?? .infinity
    guard age >= pending || endSessions else {
      throw CommandFailure(
        "the rotation is \(Int(age)) seconds ago, and sign-ins under way may hold tokens of the "
          + "former key for \(Int(pending)). Wait so long")
    }
    let sessions = try await rotation.sessionsOfFormerKeys()
    guard sessions == 0 || endSessions else {
      throw CommandFailure(
        "\(sessions) sessions haven't been refreshed since the rotation and would end. Wait, or end "
          + "them with --end-sessions")
    }
  }
}
