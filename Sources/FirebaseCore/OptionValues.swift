package import Foundation
package import GatehouseClient

/// The values of ``FirebaseOptions``, to hand from thread to thread.
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

  package init() {}

  /// - Throws: `ConfigurationFault` that says what the file lacks.
  package init(contentsOfFile path: String) throws(ConfigurationFault) {
    let file = try OptionsFileContents(path: path)
    guard let googleAppID = file.GOOGLE_APP_ID, let gcmSenderID = file.GCM_SENDER_ID else {
      throw ConfigurationFault("\(path) lacks GOOGLE_APP_ID or GCM_SENDER_ID.")
    }
    self.googleAppID = googleAppID
    self.gcmSenderID = gcmSenderID
    apiKey = file.API_KEY
    bundleID = file.BUNDLE_ID
    clientID = file.CLIENT_ID
    projectID = file.PROJECT_ID
    databaseURL = file.DATABASE_URL
    storageBucket = file.STORAGE_BUCKET
    guard let server = file.GATEHOUSE_URL else { return }
    guard let url = URL(string: server) else {
      throw ConfigurationFault("GATEHOUSE_URL in \(path) is no URL.")
    }
    serverURL = url
  }

  package func clientConfiguration() throws(ConfigurationFault) -> ClientConfiguration {
    guard let serverURL else {
      throw ConfigurationFault(
        """
        Nothing says where the server is: add GATEHOUSE_URL to GoogleService-Info.plist, set \
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
    return configuration
  }
}

/// The keys of the file, as they are written there.
private struct OptionsFileContents: Decodable {
  var API_KEY: String?
  var BUNDLE_ID: String?
  var CLIENT_ID: String?
  var DATABASE_URL: String?
  var GATEHOUSE_URL: String?
  var GCM_SENDER_ID: String?
  var GOOGLE_APP_ID: String?
  var PROJECT_ID: String?
  var STORAGE_BUCKET: String?

  private static let bytesAtMost = 1 << 20

  init(path: String) throws(ConfigurationFault) {
    guard
      let file = FileHandle(forReadingAtPath: path),
      let data = try? file.read(upToCount: Self.bytesAtMost + 1)
    else { throw ConfigurationFault("\(path) can't be read.") }
    guard data.count <= Self.bytesAtMost else {
      throw ConfigurationFault("\(path) is larger than 1 MiB.")
    }
    do {
      self =
        if path.hasSuffix(".json") {
          try JSONDecoder().decode(Self.self, from: data)
        } else {
          try PropertyListDecoder().decode(Self.self, from: data)
        }
    } catch {
      throw ConfigurationFault("\(path) is no property list or JSON object with texts: \(error)")
    }
  }
}
