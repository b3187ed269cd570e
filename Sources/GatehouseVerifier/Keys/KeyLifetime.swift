/// How long a key set is good for, by its HTTP headers and within our bounds.
enum KeyLifetime {
  /// What forbids caching, or allows hardly any, counts as this: an attacker's requests to the back
  /// end must not become its requests to the server.
  static let minimumSeconds = 60
  /// What the server says itself, so that no cache between makes it longer; also where none says
  /// anything.
  static let maximumSeconds = 60 * 60

  /// `max-age` less `Age` (RFC 9111 §4.2).
  static func seconds(cacheControl: String?, age: Int?) -> Int {
    guard let cacheControl else { return maximumSeconds }
    var lifetime: Int?
    for directive in cacheControl.split(separator: ",") {
      let name = directive.drop { $0 == " " || $0 == "\t" }.lowercased()
      if name.hasPrefix("no-store") || name.hasPrefix("no-cache") { return minimumSeconds }
      if name.hasPrefix("max-age=") {
        let digits = name.dropFirst(8).prefix { ("0"..."9").contains($0) }
        // RFC 9111 §1.2.2: what overflows is a very long time.
        lifetime = Int(digits) ?? (digits.isEmpty ? nil : maximumSeconds)
      }
    }
    guard let lifetime else { return maximumSeconds }
    let (rest, overflow) = lifetime.subtractingReportingOverflow(max(0, age ?? 0))
    return overflow ? minimumSeconds : min(max(rest, minimumSeconds), maximumSeconds)
  }
}
