/// For how long a fetched key set is used: as its HTTP headers say, within limits.
public struct KeyLifetime: Sendable {
  /// The lifetime if the headers forbid caching (`no-store`, `no-cache`) or allow less. Otherwise
  /// requests with invented tokens could become requests to the key set's server.
  public let minimumSeconds: Int
  /// The longest lifetime, even if the headers allow more.
  public let maximumSeconds: Int
  /// The lifetime if the headers say nothing.
  public let defaultSeconds: Int

  public init(minimumSeconds: Int, maximumSeconds: Int, defaultSeconds: Int) {
    self.minimumSeconds = minimumSeconds
    self.maximumSeconds = maximumSeconds
    self.defaultSeconds = defaultSeconds
  }

  /// `max-age` minus `Age` (RFC 9111 §4.2), within the limits.
  public func seconds(cacheControl: String?, age: Int?) -> Int {
    guard let cacheControl else { return defaultSeconds }
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
    guard let lifetime else { return defaultSeconds }
    let (rest, overflow) = lifetime.subtractingReportingOverflow(max(0, age ?? 0))
    return overflow ? minimumSeconds : min(max(rest, minimumSeconds), maximumSeconds)
  }
}
