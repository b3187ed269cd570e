import GatehouseProtocol

/// How an app requires the user to authenticate at the provider (OpenID Connect Core §3.1.2.1).
///
/// A provider may ignore these parameters, so its response is checked against them.
package struct AuthenticationDemand: Hashable, Sendable {
  /// `max_age`: the greatest age of the user's authentication when the sign-in began, in seconds.
  package var maximumAgeSeconds: Int?
  /// `acr_values`: the accepted authentication contexts (`acr`). If empty, any context is accepted.
  package var contextClasses: [String]

  package init(maximumAgeSeconds: Int? = nil, contextClasses: [String] = []) {
    self.maximumAgeSeconds = maximumAgeSeconds
    self.contextClasses = contextClasses
  }

  /// Reads an authorization request's parameters.
  ///
  /// Returns nil if `max_age` isn't a whole number of seconds with at most nine digits: a limit
  /// that can't be read must not be ignored.
  package init?(parameters: [(name: String, value: String)]) {
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
