import Foundation
import GatehouseServer
import TestStores
import Testing

/// A database on which the suite runs. To add another one, add a line to ``all``.
struct StoreFactory: Sendable, CustomTestStringConvertible {
  let name: String
  /// Opens the store whose data is in the folder, as a process does when it starts.
  let open: @Sendable (URL) throws -> any Store

  var testDescription: String { name }

  static let all = [
    StoreFactory(name: "SQLite") { try SQLiteStore.open(at: $0, sealing: TaggingSealer()) },
    StoreFactory(name: "PostgreSQL") { try TestStore.postgres(at: $0, sealing: TaggingSealer()) },
  ]
}

/// Runs `body` on a new store with two projects, `first-project` and `second-project`, and removes
/// the store afterwards.
func withStore(
  _ factory: StoreFactory, _ body: (any Store) async throws -> Void
) async throws {
  try await withFolder { folder in
    let store = try factory.open(folder)
    try await store.write { transaction in
      try transaction.save(try Sample.project("first-project"))
      try transaction.save(try Sample.project("second-project"))
    }
    try await body(store)
    await store.close()
  }
}

func withFolder(_ body: (URL) async throws -> Void) async throws {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("gatehouse-\(UUID().uuidString)", isDirectory: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  try await body(folder)
}

/// Replaces encryption: hides the text, and opens it only at its place.
struct TaggingSealer: SecretSealing {
  func seal(_ plaintext: [UInt8], at place: SealedPlace) throws -> [UInt8] {
    tag(place) + plaintext.map { $0 ^ 0x5A }
  }

  func open(_ sealed: [UInt8], at place: SealedPlace) throws -> [UInt8] {
    let tag = tag(place)
    guard sealed.starts(with: tag) else { throw StoreError.damaged("sealed elsewhere") }
    return sealed.dropFirst(tag.count).map { $0 ^ 0x5A }
  }

  private func tag(_ place: SealedPlace) -> [UInt8] {
    Array("\(place.column.rawValue)|\(place.project)|\(place.row)|".utf8)
  }
}
