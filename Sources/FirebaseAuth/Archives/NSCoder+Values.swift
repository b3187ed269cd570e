package import Foundation
package import GatehouseJSON

// Reading and writing optional values. Each reading asks for the key first: where there is no
// Objective-C, decoding what is missing fails the whole archive. A value of another class than the one
// asked for ends the process there (`NSKeyedUnarchiver`), so an archive from elsewhere isn't for reading.

extension NSCoder {
  /// - Returns: nil where there is nothing.
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

  /// As its text: an archive of dictionaries would need a list of every class within.
  package func encode(json: JSONObject?, forKey key: String) {
    if let json { encode(Data(json.serialized()) as NSData, forKey: key) }
  }

  /// - Returns: nil where there is nothing, or no JSON object.
  package func json(_ key: String) -> JSONObject? {
    guard let data = object(NSData.self, key) else { return nil }
    return try? JSONObject(parsing: [UInt8](data as Data))
  }
}
