public import Foundation

/// The app's folders. An uninstallation removes them, but not the keychain.
public enum SimulatedInstallation {
  static let folder = FileManager.default.temporaryDirectory
    .appending(path: "stand-ins-\(ProcessInfo.processInfo.processIdentifier)")

  /// Deletes the app and installs it again.
  public static func reinstall() { try? FileManager.default.removeItem(at: folder) }
}

extension URL {
  /// Foundation has this only on Apple's platforms.
  public static var applicationSupportDirectory: URL {
    SimulatedInstallation.folder.appending(path: "Application Support")
  }
}
