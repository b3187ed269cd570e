import Foundation

/// The environment variables that name a server to administer.
enum RemoteVariables {
  static let server = "GATEHOUSE_SERVER"
  static let keyFile = "GATEHOUSE_ADMIN_KEY_FILE"
  static let authorities = "GATEHOUSE_SERVER_CA_FILE"
  static let all = [server, keyFile, authorities]

  static func value(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }

  /// For a command that has no `--server`: it must not use another database than the one that the user means.
  ///
  /// - Throws: ``CommandFailure`` if the environment names a server.
  static func refuseServer() throws {
    guard let url = value(server) else { return }
    throw CommandFailure(
      "this command works on the server's machine only, and \(server) names \(url). For the database of this machine, "
        + "unset \(server)")
  }
}
