public import Foundation

extension ClientConfiguration {
  /// Reads a `GoogleService-Info.plist`, as `gatehouse apps add` writes it, or a JSON file.
  ///
  /// - Parameters:
  ///   - file: A property list (XML or binary) or a JSON object, of at most 1 MiB. It has
  ///     Firebase's keys: `API_KEY`, and optionally `PROJECT_ID`, `BUNDLE_ID`, `CLIENT_ID` and
  ///     `GOOGLE_APP_ID`; and `GATEHOUSE_URL`, and `FORMER_GOOGLE_APP_ID` with
  ///     `FORMER_API_KEY` for a ``FormerFirebaseApp``. JSON can also have the names of this type's
  ///     properties (`serverURL`, `apiKey`, …), or the format of Google's `google-services.json`.
  ///     Unknown keys are ignored.
  ///   - serverURL: Takes precedence over the file's URL; required for a file from Firebase's
  ///     console.
  /// - Throws: ``ConfigurationFault``, which names the file.
  public init(contentsOf file: URL, serverURL: URL? = nil) throws(ConfigurationFault) {
    let name = file.lastPathComponent
    guard let handle = try? FileHandle(forReadingFrom: file),
      let data = try? handle.read(upToCount: ServiceInfo.longestBytes + 1)
    else { throw ConfigurationFault("\(name) can't be read") }
    try self.init(data: data, name: name, serverURL: serverURL)
  }

  /// Reads the contents of such a file.
  ///
  /// - Parameter name: The name that errors use for the data.
  public init(data: Data, name: String, serverURL: URL? = nil) throws(ConfigurationFault) {
    try self.init(ServiceInfo(data, name: name), serverURL: serverURL)
  }

  package init(_ info: ServiceInfo, serverURL: URL? = nil) throws(ConfigurationFault) {
    let apiKey = try info.required(.apiKey)
    let url: URL
    if let serverURL {
      url = serverURL
    } else {
      let text = try info.required(.serverURL)
      guard let parsed = URL(string: text) else {
        throw ConfigurationFault("\(info.name): \(info.spelling(of: .serverURL)) isn't a URL")
      }
      url = parsed
    }
    do {
      try self.init(serverURL: url, apiKey: apiKey, projectID: info[.projectID])
    } catch {
      throw ConfigurationFault("\(info.name): \(error.description)")
    }
    bundleID = info[.bundleID]
    clientID = info[.clientID]
    googleAppID = info[.googleAppID]
    if let appID = info[.formerGoogleAppID] {
      formerFirebaseApp = FormerFirebaseApp(
        googleAppID: appID, apiKey: try info.required(.formerAPIKey))
    }
  }
}
