import Foundation
import Testing

/// Archives `value` as secure coding asks, and reads it back.
func archived<Value: NSObject & NSSecureCoding>(
  _ value: Value, sourceLocation: SourceLocation = #_sourceLocation
) throws -> Value {
  #expect(Value.supportsSecureCoding, sourceLocation: sourceLocation)
  let data = try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true)
  return try #require(
    try NSKeyedUnarchiver.unarchivedObject(ofClass: Value.self, from: data),
    sourceLocation: sourceLocation)
}

/// An archive with no key of the object's own.
func emptyCoder() throws -> NSKeyedUnarchiver {
  let archiver = NSKeyedArchiver(requiringSecureCoding: true)
  archiver.finishEncoding()
  return try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
}
