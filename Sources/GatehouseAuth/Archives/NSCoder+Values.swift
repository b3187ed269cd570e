package import Foundation
package import GatehouseProtocol

// Writes and reads optional values. Each read first checks whether the key exists: on platforms
// without Objective-C, decoding a missing value fails the whole archive. There, a value of an
// unexpected class ends the process (`NSKeyedUnarchiver`), so never read an archive from an
// untrusted source.

extension NSCoder {
  /// - Returns: nil if the key is missing.
  package func object<Value: NSObject & NSCoding>(_ type: Value.Type, _ key: String) -> Value? {
    guard containsValue(forKey: key) else { return nil }
    return decodeObject(of: type, forKey: key)
  }

  package func encode(text: String?, forKey key: String) {
    if let text { encode(text as NSString, forKey: key) }
  }

  package func text(_ key: String) -> String? { object(NSString.self, key).map { $0 as String } }

  package func encode(date: Date?, forKey key: String) {
    if let date { encode(date as NSDate, forKey: key) }
  }

  package func date(_ key: String) -> Date? { object(NSDate.self, key).map { $0 as Date } }

  /// Encoded as JSON text: an archive of dictionaries would need a list of every class in it.
  package func encode(json: JSONObject?, forKey key: String) {
    if let json { encode(Data(json.serialized()) as NSData, forKey: key) }
  }

  /// - Returns: nil if the key is missing, or its value is not a JSON object.
  package func json(_ key: String) -> JSONObject? {
    guard let data = object(NSData.self, key) else { return nil }
    return try? JSONObject(parsing: [UInt8](data as Data))
  }
}
