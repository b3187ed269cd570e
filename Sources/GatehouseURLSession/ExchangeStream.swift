package import Foundation

/// A response that is read while it arrives.
package struct ExchangeStream: Sendable {
  package var status: Int
  /// Names in lower case.
  package var headers: [String: String]
  /// Throws ``ExchangeFault``. The exchange ends when the caller releases this.
  package var pieces: AsyncThrowingStream<Data, any Error>
}
