package import Foundation

/// An answer that is read while it arrives.
package struct ExchangeStream: Sendable {
  package var status: Int
  /// Names in lower case.
  package var headers: [String: String]
  /// Throws ``ExchangeFault``. If the caller stops reading, the exchange ends.
  package var pieces: AsyncThrowingStream<Data, any Error>
}
