/// Where the providers that are built in are reached.
///
/// The defaults are the vendors' own. A base URL (`providers.apple.baseURL`,
/// `providers.google.baseURL`) lets the simulator or a test double stand in: only where the server
/// connects changes, the issuers in tokens stay the vendor's.
package struct BuiltInEndpoints: Sendable {
  package var apple: AppleEndpoints
  package var google: GoogleEndpoints

  package init(
    apple: AppleEndpoints = AppleEndpoints(), google: GoogleEndpoints = GoogleEndpoints()
  ) {
    self.apple = apple
    self.google = google
  }

  /// - Parameters: Base URLs; nil is the vendor's.
  /// - Throws: ``MalformedBaseURL`` naming the setting.
  package init(
    appleBaseURL: String?, googleBaseURL: String?
  ) throws(MalformedBaseURL) {
    self.init()
    if let base = appleBaseURL {
      guard let endpoints = AppleEndpoints(baseURL: base) else {
        throw MalformedBaseURL(setting: "providers.apple.baseURL")
      }
      apple = endpoints
    }
    if let base = googleBaseURL {
      guard let endpoints = GoogleEndpoints(baseURL: base) else {
        throw MalformedBaseURL(setting: "providers.google.baseURL")
      }
      google = endpoints
    }
  }
}

/// A base URL that is no absolute http or https URL of the form ``OutboundURL`` takes.
package struct MalformedBaseURL: Error, Hashable, Sendable {
  package let setting: String

  package init(setting: String) { self.setting = setting }
}
