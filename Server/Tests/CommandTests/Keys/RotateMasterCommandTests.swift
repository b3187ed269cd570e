import ArgumentParser
import Foundation
import GRDB
import GatehouseServer
import Testing

@testable import gatehouse

/// The command changes a file and a database. Whatever fails, both stay usable, and the next run continues.
@Suite struct RotateMasterCommandTests {
  private struct Place {
    let folder: String
    let file: String
    var options: [String] { ["--data", folder, "--master-key-file", file] }

    func rotate() async throws {
      let command = try RotateMasterCommand.parse(options)
      try await command.run()
    }

    func bytes() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: file)) }

    func keys() throws -> [String] { try MasterKeySource.read(file).map(\.name) }

    /// The key under which the database is encrypted.
    func current() async throws -> String {
      try await DataOptions.parse(options).withDatabase { $0.masterKeys.current.name }
    }

    /// Makes the last rotation one of this many seconds ago.
    func rotated(secondsAgo: TimeInterval) throws {
      let time = Date().timeIntervalSince1970 - secondsAgo
      let queue = try DatabaseQueue(path: folder + "/" + SQLiteStore.fileName)
      try queue.write {
        try $0.execute(
          sql: "UPDATE server_values SET value = ? WHERE name = 'masterKeyRotatedAt'",
          arguments: [Data(String(time).utf8)])
      }
      try queue.close()
    }
  }

  private func with(
    fileName: String = "master.key", _ body: (Place, MasterKey) async throws -> Void
  ) async throws {
    try await withTables { folder, key in
      let file = folder + "/" + fileName
      try PrivateFile.write(Data((key.base64.reveal() + "\n").utf8), toNew: file)
      try await body(Place(folder: folder, file: file), key)
    }
  }

  @Test func `while former keys may be needed, a full file is left as it is`() async throws {
    try await with { place, _ in
      for _ in 1..<MasterKeyRing.maximumKeys { try await place.rotate() }
      let (before, current) = (try place.bytes(), try await place.current())
      #expect(try place.keys().count == 16)
      await #expect {
        try await place.rotate()
      } throws: { error in
        "\(error)".hasPrefix(
          "the master key file \(place.file) has 16 keys, and a server can hold at most 16. Retire the "
            + "former ones first: `gatehouse keys retire-master`. They are still needed: the rotation was "
        )
          && "\(error)".hasSuffix("Nothing was changed")
      }
      #expect(try place.bytes() == before)
      #expect(try await place.current() == current)
    }
  }

  @Test func `from a full file, the oldest key that nothing needs any more leaves`() async throws {
    try await with { place, first in
      for _ in 1..<MasterKeyRing.maximumKeys { try await place.rotate() }
      let before = try place.keys()
      #expect(before.first == first.name)
      try place.rotated(secondsAgo: PendingTokenCodec.lifetimeSeconds + 1)
      try await place.rotate()
      let after = try place.keys()
      #expect(after.count == 16)
      #expect(after.dropLast() == before.dropFirst())
      #expect(try await place.current() == after.last)
      let mode = try FileManager.default.attributesOfItem(atPath: place.file)[.posixPermissions]
      #expect(mode as? NSNumber == 0o600)
    }
  }

  @Test func `if the file can't be written, nothing has changed`() async throws {
    // The new file's name would be too long.
    try await with(fileName: String(repeating: "k", count: 253)) { place, key in
      let before = try place.bytes()
      await #expect {
        try await place.rotate()
      } throws: { error in
        "\(error)".hasPrefix("the master key file \(place.file) can't be written: ")
          && "\(error)".hasSuffix("Nothing was changed")
      }
      #expect(try place.bytes() == before)
      #expect(try await place.current() == key.name)
    }
  }

  @Test func `if the database fails after the file was changed, the next run uses the file's key`()
    async throws
  {
    try await with { place, key in
      let queue = try DatabaseQueue(path: place.folder + "/" + SQLiteStore.fileName)
      try await queue.write {
        try $0.execute(
          sql: """
            CREATE TRIGGER broken BEFORE UPDATE ON server_values WHEN NEW.name = 'masterKeyCheck'
            BEGIN SELECT RAISE(ABORT, 'broken'); END
            """)
      }
      await #expect {
        try await place.rotate()
      } throws: { error in
        "\(error)".hasSuffix(
          "The rotation isn't finished, and nothing is lost: run this command again")
      }
      let keys = try place.keys()
      #expect(keys.count == 2)
      #expect(try await place.current() == key.name)
      try await queue.write { try $0.execute(sql: "DROP TRIGGER broken") }
      try queue.close()
      try await place.rotate()
      #expect(try place.keys() == keys)
      #expect(try await place.current() == keys[1])
    }
  }

  @Test func `a retirement leaves a file without the database's key as it is`() async throws {
    try await with { place, old in
      try await place.rotate()
      let database = try await OpenDatabase.open(
        try DataOptions.parse(place.options).place(), requiring: nil, making: nil, migrating: false)
      await database.store.close()
      // A tool has put the old file back meanwhile.
      try MasterKeyFile.write([old], to: place.file)
      let before = try place.bytes()
      #expect {
        _ = try MasterKeyFile.change(place.file, keeping: database.masterKeys.current) { _ in [] }
      } throws: { error in
        "\(error)".hasPrefix(
          "the master key file \(place.file) lacks the key \(database.masterKeys.current.name)")
      }
      #expect(try place.bytes() == before)
    }
  }

  @Test(arguments: [
    (
      17,
      "has 17 keys, more than the 16 that a server can hold. Make a copy of all of them first. Then remove "
        + "the last one: a rotation that failed has added it. If the database needs it, a command says so: "
        + "then put it back, and remove the first one, which is the oldest"
    ),
    (
      0,
      "is empty. Put the database's key back from your copy. A new key can't decrypt an existing database"
    ),
  ])
  func `a file with too many keys or none is named with a remedy that loses none`(
    _ count: Int, _ message: String
  ) async throws {
    try await with { place, _ in
      let keys = try (0..<count).map { _ in try #require(MasterKey.random()).key }
      try MasterKeyFile.write(keys, to: place.file)
      #expect {
        try MasterKeySource.read(place.file)
      } throws: { error in
        "\(error)" == "the master key file \(place.file) \(message)"
      }
    }
  }
}
