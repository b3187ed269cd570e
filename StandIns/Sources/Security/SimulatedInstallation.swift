public import Foundation

/// The app's folders, which an uninstallation removes and the keychain outlives.
public enum SimulatedInstallation {
  static let folder = FileManager.default.temporaryDirectory
    .appending(path: "stand-ins-\(ProcessInfo.processInfo.processIdentifier)")

  /// Deletes the app and installs it again.
  public static func reinstall() { try? FileManager.default.removeItem(at: folder) }
}

extension URL {
  /// Foundation has it on Apple's platforms only.
  public static var applicationSupportDirectory: URL {
    SimulatedInstallation.folder.appending(path: "Application Support")
  }
}
