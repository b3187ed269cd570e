/// How an app wants the user to have authenticated at the provider (OpenID Connect Core §3.1.2.1).
///
/// A provider may ignore such a wish, so its answer is held against it.
public struct AuthenticationDemand: Hashable, Sendable {
  /// `max_age`: for how many seconds, at most, the authentication may have been over when the sign-in
  /// began.
  public var maximumAgeSeconds: Int?
  /// `acr_values`: how, one of these; empty for any way.
  public var contextClasses: [String]

  public init(maximumAgeSeconds: Int? = nil, contextClasses: [String] = []) {
    self.maximumAgeSeconds = maximumAgeSeconds
    self.contextClasses = contextClasses
  }

  /// Of an authorization request's parameters.
  ///
  /// Returns nil if `max_age` isn't a whole number of seconds, of at most nine digits: a limit that
  /// nobody can read is none.
  public init?(parameters: [(name: String, value: String)]) {
    self.init()
    for (name, value) in parameters {
      if name.hasSameBytes(as: "max_age") {
        guard (1...9).contains(value.utf8.count),
          value.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let seconds = Int(value)
        else { return nil }
        maximumAgeSeconds = seconds
      } else if name.hasSameBytes(as: "acr_values") {
        contextClasses = value.split(separator: " ").map(String.init)
      }
    }
  }
}
