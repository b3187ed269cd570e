import Foundation

/// A folder for one test, which is removed afterwards.
struct TemporaryFolder: Sendable {
  let path: String

  /// Every test that runs a program starts here, and waits for its turn: see ``Turns``.
  static func with<Result: Sendable>(
    _ body: (TemporaryFolder) async throws -> Result
  ) async throws -> Result {
    try await Turns.ofTests.take { try await make(body) }
  }

  private static func make<Result: Sendable>(
    _ body: (TemporaryFolder) async throws -> Result
  ) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("gatehouse-e2e-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(TemporaryFolder(path: folder.path))
  }

  /// Writes `text` to a file in the folder and returns its path.
  func write(_ name: String, _ text: String) throws -> String {
    let path = self.path + "/" + name
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }
}
