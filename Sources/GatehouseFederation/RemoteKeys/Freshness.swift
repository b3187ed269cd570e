/// How long a key set is valid, by its HTTP headers and within our limits.
package struct Freshness: Sendable {
  package static let minimumSeconds = 5 * 60
  package static let maximumSeconds = 24 * 60 * 60
  /// The validity if the provider doesn't say.
  package static let standardSeconds = 60 * 60

  /// `max-age` minus `Age` (RFC 9111 §4.2), between five minutes and a day. If caching is forbidden
  /// (`no-store`, `no-cache`), it is five minutes: an attacker's requests must not each cause one
  /// of ours.
  package static func seconds(cacheControl: String?, age: Int?) -> Int {
    guard let cacheControl else { return standardSeconds }
    var lifetime: Int?
    for directive in cacheControl.split(separator: ",") {
      let name = directive.drop { $0 == " " || $0 == "\t" }.lowercased()
      if name.hasPrefix("no-store") || name.hasPrefix("no-cache") { return minimumSeconds }
      if name.hasPrefix("max-age=") {
        let digits = name.dropFirst(8).prefix { ("0"..."9").contains($0) }
        // RFC 9111 §1.2.2: a number that overflows means a very long time.
        lifetime = Int(digits) ?? (digits.isEmpty ? nil : maximumSeconds)
      }
    }
    guard let lifetime else { return standardSeconds }
    let (rest, overflow) = lifetime.subtractingReportingOverflow(max(0, age ?? 0))
    return overflow ? minimumSeconds : min(max(rest, minimumSeconds), maximumSeconds)
  }
}
