import Foundation
import Testing

/// Archives `value` with secure coding, and reads it back.
func archived<Value: NSObject & NSSecureCoding>(
  _ value: Value, sourceLocation: SourceLocation = #_sourceLocation
) throws -> Value {
  #expect(Value.supportsSecureCoding, sourceLocation: sourceLocation)
  let data = try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true)
  return try #require(
    try NSKeyedUnarchiver.unarchivedObject(ofClass: Value.self, from: data),
    sourceLocation: sourceLocation)
}

/// An archive without any key of an object.
func emptyCoder() throws -> NSKeyedUnarchiver {
  let archiver = NSKeyedArchiver(requiringSecureCoding: true)
  archiver.finishEncoding()
  return try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
}
