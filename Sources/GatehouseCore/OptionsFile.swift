package import Foundation
package import GatehouseClient

/// Finds the file of `FirebaseApp.configure()`.
///
/// The first of these that exists:
/// 1. the file that the environment variable `GATEHOUSE_CONFIG` names. If the variable is set, no
///    other file is read,
/// 2. `Gatehouse-Info.plist` in the app's bundle, which on Linux is the folder of the executable:
///    the other names belong to Google's SDK in an app that has both,
/// 3. `GoogleService-Info.plist`, `GoogleService-Info.json` there.
///
/// The working directory is not searched: otherwise anyone who can write to the folder in which a
/// command runs could decide to which server its passwords go.
package struct OptionsFile: Sendable {
  package var environment: [String: String]
  package var folders: [URL]

  package init(environment: [String: String], folders: [URL]) {
    self.environment = environment
    self.folders = folders
  }

  /// The search of the running process.
  package static var system: OptionsFile {
    let bundle = Bundle.main
    let folders = [bundle.resourceURL, bundle.executableURL?.deletingLastPathComponent()]
    return OptionsFile(
      environment: ProcessInfo.processInfo.environment, folders: folders.compactMap(\.self))
  }

  /// - Throws: `ConfigurationFault` that lists the searched folders, or says what is wrong with the
  ///   file.
  package func read() throws(ConfigurationFault) -> OptionValues {
    if let named = environment["GATEHOUSE_CONFIG"], !named.isEmpty {
      return try OptionValues(contentsOfFile: named)
    }
    let names = ["Gatehouse-Info.plist", "GoogleService-Info.plist", "GoogleService-Info.json"]
    for folder in folders {
      for name in names {
        let path = folder.appendingPathComponent(name).path
        if FileManager.default.fileExists(atPath: path) {
          return try OptionValues(contentsOfFile: path)
        }
      }
    }
    throw ConfigurationFault(
      """
      There is no GoogleService-Info.plist in \(folders.map(\.path).joined(separator: " or ")). \
      Add it to the app, or name it in the environment variable GATEHOUSE_CONFIG.
      """)
  }
}
