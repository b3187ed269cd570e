import Foundation
import GatehouseServer
import GatehouseProtocol

/// Replaces encryption: hides the text, and opens it only at its place.
struct TaggingSealer: SecretSealing {
  func seal(_ plaintext: [UInt8], at place: SealedPlace) throws -> [UInt8] {
    Array("\(place)|".utf8) + plaintext.map { $0 ^ 0x5A }
  }

  func open(_ sealed: [UInt8], at place: SealedPlace) throws -> [UInt8] {
    let tag = Array("\(place)|".utf8)
    guard sealed.starts(with: tag) else { throw StoreError.damaged("sealed elsewhere") }
    return sealed.dropFirst(tag.count).map { $0 ^ 0x5A }
  }
}

func withFolder(_ body: (URL) async throws -> Void) async throws {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("gatehouse-\(UUID().uuidString)", isDirectory: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  try await body(folder)
}
