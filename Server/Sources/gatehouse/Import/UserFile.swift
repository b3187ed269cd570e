import Foundation
import GatehouseServer
import GatehouseProtocol

/// A format of `firebase auth:export`.
enum UserFileFormat: String, Sendable, CaseIterable {
  case json, csv

  /// The format that `--format` names, or else the one of the file name's extension.
  static func of(_ path: String, given: String?) throws -> UserFileFormat {
    let name = given ?? URL(fileURLWithPath: path).pathExtension
    guard let format = UserFileFormat(rawValue: name.lowercased()) else {
      throw CommandFailure("\(path): give its format with --format json or --format csv")
    }
    return format
  }
}

/// Reads users from a file of any length, a piece at a time.
struct UserFile {
  private let file: FileHandle
  private let format: UserFileFormat
  /// In bytes; nil if it is unknown.
  let size: Int?

  private static let piece = 1 << 16

  init(_ path: String, _ format: UserFileFormat) throws {
    guard let file = FileHandle(forReadingAtPath: path) else {
      throw CommandFailure("\(path): can't be read; does it exist, and may this user read it?")
    }
    self.file = file
    self.format = format
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    size = (attributes?[.size] as? NSNumber)?.intValue
  }

  /// Passes the rows to `take` in batches of at least 100 rows; the last ones may be smaller.
  ///
  /// - Parameter take: Receives the rows and the number of bytes that were read so far.
  func read(_ take: ([UserFileRow], Int) async throws -> Void) async throws {
    var json = JSONUserScanner()
    var csv = CSVUserScanner()
    var rows: [UserFileRow] = []
    var bytes = 0
    while let piece = try file.read(upToCount: Self.piece), !piece.isEmpty {
      bytes += piece.count
      switch format {
      case .json: try json.scan(piece) { rows.append($0) }
      case .csv: try csv.scan(piece) { rows.append($0) }
      }
      if rows.count >= 100 {
        try await take(rows, bytes)
        rows = []
      }
    }
    if !rows.isEmpty { try await take(rows, bytes) }
    rows = []
    switch format {
    case .json: try json.end()
    case .csv: try csv.end { rows.append($0) }
    }
    if !rows.isEmpty { try await take(rows, bytes) }
  }
}
