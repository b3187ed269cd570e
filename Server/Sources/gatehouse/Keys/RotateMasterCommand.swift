import ArgumentParser
import Foundation
import GatehouseServer

struct RotateMasterCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rotate-master",
    abstract: "Encrypt all secrets under a new master key, while servers run.",
    discussion: """
      Adds a new key to the master key file, waits until the running servers have it, and encrypts \
      every secret again. If the command is interrupted, run it again to continue. Refresh tokens \
      that were created with the old key stay valid; when none is left, `gatehouse keys \
      retire-master` removes the old key. If the key is in an environment variable, put both keys \
      into it (with white space between them), restart the server with it, and run this command \
      with it. The command has no --server: run it on the server's machine.
      """)

  @OptionGroup var data: DataOptions

  func run() async throws {
    let place = try data.place()
    do {
      try await rotate(at: place)
    } catch let error as StoreError {
      throw CommandFailure(
        "\(error). The rotation isn't finished, and nothing is lost: run this command again")
    }
  }

  /// Each step can fail, and the process can end after each: the next run continues. First the file has
  /// the new key, then the servers, then the database begins to use it.
  private func rotate(at place: DataPlace) async throws {
    try await data.withDatabase { database in
      let rotation = MasterKeyRotation(store: database.store, ring: database.masterKeys)
      let status = try await rotation.status()
      if status.isResealing {
        let count = try await rotation.resume(now: Date())
        return Terminal.say(
          "Finished the rotation that was interrupted: \(count) secrets are encrypted under "
            + "\(database.masterKeys.current.name).")
      }
      let old = database.masterKeys.current
      let next: [UInt8]
      if let added = status.next {
        next = added
      } else {
        next = try addKey(
          to: place.keyFile, database, former: status.former,
          using: try await rotation.users(of: status, now: Date()))
      }
      try await waitForServers(on: place, toHold: MasterKeyName.of(next))
      guard try await rotation.begin(next, now: Date()) else {
        throw CommandFailure("another rotation of the master key has begun: run this command again")
      }
      let count = try await rotation.reseal()
      Terminal.say(
        "\(count) secrets are encrypted under the new master key, \(MasterKeyName.of(next)).")
      Terminal.say(
        "The old key, \(old.name), is still needed for refresh tokens, and for backups created "
          + "until now: keep it as long as those. Later, retire it with `gatehouse keys "
          + "retire-master`.")
    }
  }

  /// Adds a new key to the file. If the file is full, the oldest former keys leave it.
  ///
  /// - Parameters:
  ///   - former: The ids of the former keys.
  ///   - users: What still needs a former key; nil if nothing does.
  private func addKey(
    to file: String?, _ database: OpenDatabase, former: [[UInt8]], using users: String?
  ) throws -> [UInt8] {
    guard let file else {
      throw CommandFailure(
        "the master key is given as a value, to which no key can be added. Put both keys into it "
          + "(the old one, white space, and one from `gatehouse keys new-master`), restart the "
          + "server with it, and run this command with it. Or keep the key in a file: "
          + "--master-key-file")
    }
    guard let made = MasterKey.random()?.key else {
      throw CommandFailure("the system provided no random bytes")
    }
    var left: [String] = []
    let current = database.masterKeys.current
    let keys = try MasterKeyFile.change(file, keeping: current) { keys in
      let excess = max(0, keys.count + 1 - MasterKeyRing.maximumKeys)
      // New keys are added at the end.
      let oldest = keys.filter { former.contains($0.id) }.prefix(users == nil ? excess : 0)
      guard oldest.count == excess else {
        throw CommandFailure(
          "the master key file \(file) has \(keys.count) keys, and a server can hold at most "
            + "\(MasterKeyRing.maximumKeys). Retire the former ones first: `gatehouse keys "
            + "retire-master`\(users.map { ". They are still needed: \($0)" } ?? ""). Nothing was changed"
        )
      }
      left = oldest.map(\.name)
      return keys.filter { !left.contains($0.name) } + [made]
    }
    if !left.isEmpty {
      Terminal.say(
        "Removed \(left.joined(separator: ", ")) from the file, to make room: no session needs it. "
          + "Backups from the time of that key can't be restored without it.")
    }
    database.masterKeys.adopt(keys)
    return made.id
  }

  /// A server that doesn't have the key yet could not decrypt data that is encrypted under it.
  private func waitForServers(on place: DataPlace, toHold key: String) async throws {
    // Longer than a server takes to announce its keys.
    let deadline = ContinuousClock.now + .seconds(RunningServers.announcementSeconds + 5)
    while true {
      let behind = try place.servers(now: Date()).filter { !$0.masterKeys.contains(key) }
      guard let server = behind.first else { return }
      guard ContinuousClock.now < deadline else {
        throw CommandFailure(
          "a server (\(server.name)) doesn't have the new master key \(key): its key was given as "
            + "a value, or in another file, such as that of another machine. Nothing was encrypted. "
            + "Give that server both keys, and run this command again")
      }
      try await Task.sleep(for: .milliseconds(200))
    }
  }
}

struct RetireMasterCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retire-master",
    abstract: "Remove the former master keys, when no session needs them.",
    discussion: """
      Removes them from the master key file, and keeps the current key. The command fails in the \
      first ten minutes after the rotation, and while sessions use refresh tokens that were created \
      with a former key. Backups from before the rotation still need the former keys. If the keys \
      are in an environment variable, the command names those to remove, until the variable has \
      only the current key. The command has no --server: run it on the server's machine.
      """)

  @Flag(help: "Don't wait: end the sessions that were not refreshed since the rotation.")
  var endSessions = false

  @OptionGroup var data: DataOptions

  func run() async throws {
    let place = try data.place()
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
      try await waitForServers(rotation)
      // A server may have encrypted a secret under the former key at the moment of the rotation.
      _ = try await rotation.reseal()
      let names = status.former.map { MasterKeyName.of($0) }.joined(separator: ", ")
      guard let file = place.keyFile else {
        // Each run names the keys again until the operator has removed them.
        return Terminal.say(
          "Remove \(names) from the variable, keep \(database.masterKeys.current.name), and "
            + "restart the server.")
      }
      _ = try MasterKeyFile.change(file, keeping: database.masterKeys.current) { keys in
        keys.filter { !status.former.contains($0.id) }
      }
      Terminal.say("Retired \(names). Backups from before the rotation still need them.")
    }
  }

  /// Directly after the rotation, a server may still encrypt with the former key. The key must not be
  /// removed before all of that is encrypted again.
  private func waitForServers(_ rotation: MasterKeyRotation) async throws {
    let seconds = try await rotation.secondsUntilServersHaveSwitched(now: Date())
    guard seconds > 0 else { return }
    // A clock that was set back doesn't make the command wait for hours.
    try await Task.sleep(for: .seconds(min(seconds, 60)))
  }

  private func checkTokens(
    _ status: MasterKeyRotation.Status, _ rotation: MasterKeyRotation
  ) async throws {
    guard !endSessions, let users = try await rotation.users(of: status, now: Date()) else {
      return
    }
    throw CommandFailure(users)
  }
}

extension MasterKeyRotation {
  /// What still needs a former key, and what to do about it; nil if nothing does, except backups.
  fileprivate func users(of status: Status, now: Date) async throws -> String? {
    let pending = PendingTokenCodec.lifetimeSeconds
    let age = status.rotatedAt.map { now.timeIntervalSince($0) } ?? .infinity
    guard age >= pending else {
      return
        "the rotation was \(Int(age)) seconds ago, and sign-ins in progress may use tokens of the "
        + "former key until \(Int(pending)) seconds after the rotation. Try again after that time"
    }
    let sessions = try await sessionsOfFormerKeys()
    guard sessions > 0 else { return nil }
    return
      "\(sessions) sessions haven't been refreshed since the rotation and would end. Wait, or end "
      + "them with --end-sessions"
  }
}
