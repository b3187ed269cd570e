import Foundation

/// Lists and documents that are read and written as a whole, as JSON text.
enum JSONColumn {
  static func text(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  /// - Throws: `StoreError.damaged`, which names `what`.
  static func value<Value: Decodable>(_ text: String, _ what: String) throws -> Value {
    do {
      return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
    } catch {
      throw StoreError.damaged("a stored \(what) can't be read")
    }
  }
}
