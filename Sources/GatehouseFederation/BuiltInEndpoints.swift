/// Where the providers that are built in are reached.
///
/// The defaults are the vendors' own. A base URL lets the simulator or a test double stand in: only
/// where the server connects changes, the issuers in tokens stay the vendor's.
package struct BuiltInEndpoints: Sendable {
  package var apple = AppleEndpoints()
  package var google = GoogleEndpoints()
  package var facebook = FacebookEndpoints()

  package init() {}

  /// - Throws: ``MalformedBaseURL`` naming the setting.
  package init(_ baseURLs: ProviderBaseURLs) throws(MalformedBaseURL) {
    self.init()
    if let base = baseURLs.apple {
      guard let endpoints = AppleEndpoints(baseURL: base) else {
        throw MalformedBaseURL(setting: "providers.apple.baseURL")
      }
      apple = endpoints
    }
    if let base = baseURLs.google {
      guard let endpoints = GoogleEndpoints(baseURL: base) else {
        throw MalformedBaseURL(setting: "providers.google.baseURL")
      }
      google = endpoints
    }
    if let base = baseURLs.facebook {
      guard let endpoints = FacebookEndpoints(baseURL: base) else {
        throw MalformedBaseURL(setting: "providers.facebook.baseURL")
      }
      facebook = endpoints
    }
  }
}

/// The settings `providers.<name>.baseURL`; nil is the vendor.
package struct ProviderBaseURLs: Hashable, Sendable {
  package var apple: String?
  package var google: String?
  package var facebook: String?

  package init(apple: String? = nil, google: String? = nil, facebook: String? = nil) {
    self.apple = apple
    self.google = google
    self.facebook = facebook
  }

  /// The simulator stands in for whom no other does.
  ///
  /// - Parameter url: Without a slash at the end.
  package mutating func fill(fromSimulator url: String) {
    apple = apple ?? url + "/apple"
    google = google ?? url + "/google"
    facebook = facebook ?? url + "/facebook"
  }
}

/// A base URL that is no absolute http or https URL of the form ``OutboundURL`` takes.
package struct MalformedBaseURL: Error, Hashable, Sendable {
  package let setting: String

  package init(setting: String) { self.setting = setting }
}
