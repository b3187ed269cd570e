import ArgumentParser
import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@testable import gatehouse

@Suite struct MasterKeyWatchTests {
  @Test func `a server that can't read its key file any more stays announced, with its keys`()
    async throws
  {
    try await withTables { folder, key in
      let file = folder + "/key"
      try PrivateFile.write(Data(key.base64.reveal().utf8), toNew: file)
      let options = try DataOptions.parse(["--data", folder, "--master-key-file", file])
      try await options.withDatabase { database in
        var place = try options.place()
        // Servers on several machines are announced in the database. This engine isn't opened.
        place.engine = try DatabaseEngines.named("postgres://db.example.com/app", by: "--database")
        let watch = MasterKeyWatch(
          database.masterKeys, file: file,
          presence: try ServerPresence(
            at: place, masterKeys: database.masterKeys, store: database.store))
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        try await watch.refreshKeys(now: start)

        try FileManager.default.removeItem(atPath: file)
        let later = start.addingTimeInterval(RunningServers.silenceSeconds + 1)
        await #expect {
          try await watch.refreshKeys(now: later)
        } throws: { error in
          "\(error)".hasPrefix("the master key file \(file) can't be found")
        }
        let servers = try await RunningServers(store: database.store).all(now: later)
        #expect(servers.map(\.masterKeys) == [[key.name]])
      }
    }
  }

  @Test func `a key file without the key that encrypts is reported until it has the key again`()
    async throws
  {
    try await withTables { folder, key in
      let file = folder + "/key"
      try MasterKeyFile.write([key], to: file)
      let options = try DataOptions.parse(["--data", folder, "--master-key-file", file])
      try await options.withDatabase { database in
        let watch = MasterKeyWatch(
          database.masterKeys, file: file,
          presence: try ServerPresence(
            at: try options.place(), masterKeys: database.masterKeys, store: database.store))
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        try MasterKeyFile.write([try #require(MasterKey.random()).key], to: file)
        for seconds in [0, MasterKeyWatch.secondsBetweenFaults] {
          await #expect {
            try await watch.refreshKeys(now: now.addingTimeInterval(seconds))
          } throws: { error in
            "\(error)"
              == "the master key file \(file) lacks the key \(key.name), under which the database is "
              + "encrypted. Put it back from your copy before this server stops: without it no server "
              + "can start"
          }
        }
        // Between two reports there is none.
        try await watch.refreshKeys(now: now.addingTimeInterval(1))
        #expect(database.masterKeys.current.id == key.id)
        try MasterKeyFile.write([key], to: file)
        try await watch.refreshKeys(now: now)
      }
    }
  }
}
