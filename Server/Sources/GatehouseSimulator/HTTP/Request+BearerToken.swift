import HTTPTypes
import Hummingbird

extension Request {
  /// The token in the `Authorization` header (RFC 6750 §2.1); nil if there is none.
  var bearerToken: String? {
    let parts = (headers[.authorization] ?? "").split(separator: " ")
    guard parts.count == 2, String(parts[0]).foldingASCII() == "bearer" else { return nil }
    return String(parts[1])
  }
}
