package import Foundation
package import GatehouseClient

/// The values of ``FirebaseOptions``, to pass between threads.
package struct OptionValues: Sendable, Hashable {
  package var googleAppID = ""
  package var gcmSenderID = ""
  package var apiKey: String?
  package var bundleID: String?
  package var clientID: String?
  package var projectID: String?
  package var databaseURL: String?
  package var storageBucket: String?
  package var appGroupID: String?
  package var serverURL: URL?
  package var listensForChanges = true
  package var formerFirebaseApp: FormerFirebaseApp?
  package var reinstallation = Reinstallation.startSignedOut

  package init() {}

  /// - Throws: `ConfigurationFault` that says what is wrong with the file.
  package init(contentsOfFile path: String) throws(ConfigurationFault) {
    let file = try ServiceInfo(Self.bytes(ofFile: path), name: path)
    googleAppID = try file.required(.googleAppID)
    gcmSenderID = file[.senderID] ?? ""
    apiKey = file[.apiKey]
    bundleID = file[.bundleID]
    clientID = file[.clientID]
    projectID = file[.projectID]
    databaseURL = file.values["DATABASE_URL"]
    storageBucket = file.values["STORAGE_BUCKET"]
    if let appID = file[.formerGoogleAppID] {
      formerFirebaseApp = FormerFirebaseApp(
        googleAppID: appID, apiKey: try file.required(.formerAPIKey))
    }
    guard let server = file[.serverURL] else { return }
    guard let url = URL(string: server) else {
      throw ConfigurationFault("\(path): \(file.spelling(of: .serverURL)) is not a URL")
    }
    serverURL = url
  }

  private static func bytes(ofFile path: String) throws(ConfigurationFault) -> Data {
    guard
      let file = FileHandle(forReadingAtPath: path),
      let data = try? file.read(upToCount: ServiceInfo.longestBytes + 1)
    else { throw ConfigurationFault("\(path) can't be read") }
    return data
  }

  package func clientConfiguration() throws(ConfigurationFault) -> ClientConfiguration {
    guard let serverURL else {
      throw ConfigurationFault(
        """
        The server's address is missing: add GATEHOUSE_URL to GoogleService-Info.plist, set \
        FirebaseOptions.serverURL, or call Auth.useEmulator(withHost:port:).
        """)
    }
    guard let apiKey, !apiKey.isEmpty else {
      throw ConfigurationFault(
        "There is no API key: add API_KEY to GoogleService-Info.plist, or set FirebaseOptions.apiKey."
      )
    }
    var configuration = try ClientConfiguration(
      serverURL: serverURL, apiKey: apiKey, projectID: projectID)
    configuration.bundleID = bundleID ?? Bundle.main.bundleIdentifier
    configuration.clientID = clientID
    configuration.googleAppID = googleAppID
    configuration.listensForChanges = listensForChanges
    configuration.formerFirebaseApp = formerFirebaseApp
    return configuration
  }
}
