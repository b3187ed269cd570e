public import Foundation
import GatehouseProtocol

/// A digest or an authentication code, for example.
extension ContiguousBytes {
  /// Two lower-case hexadecimal digits for each byte.
  public var lowercaseHex: String {
    // An array, made from the memory: a generic function would call an iterator for each byte.
    Hexadecimal.text(unsafe withUnsafeBytes { unsafe Array($0) })
  }
}
