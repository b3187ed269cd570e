import ArgumentParser
import Foundation
import GatehouseAccounts
import GatehouseModel
import Testing

@testable import gatehouse

@Suite struct MasterKeyWatchTests {
  @Test func `a server that can't read its key file any more stays announced, with its keys`()
    async throws
  {
    try await withTables(missing: 0) { folder, key in
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
}
