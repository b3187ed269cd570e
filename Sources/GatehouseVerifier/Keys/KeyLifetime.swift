/// How long a key set may be used, by its HTTP headers and within our bounds.
enum KeyLifetime {
  /// The shortest lifetime, even if the response forbids caching: otherwise each request of an
  /// attacker to the back end could cause a request to the server.
  static let minimumSeconds = 60
  /// The longest lifetime. It is the one that the server sends, so that no cache on the way can
  /// extend it. It is also used if no header gives a lifetime.
  static let maximumSeconds = 60 * 60

  /// `max-age` minus `Age` (RFC 9111 §4.2).
  static func seconds(cacheControl: String?, age: Int?) -> Int {
    guard let cacheControl else { return maximumSeconds }
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
    guard let lifetime else { return maximumSeconds }
    let (rest, overflow) = lifetime.subtractingReportingOverflow(max(0, age ?? 0))
    return overflow ? minimumSeconds : min(max(rest, minimumSeconds), maximumSeconds)
  }
}
