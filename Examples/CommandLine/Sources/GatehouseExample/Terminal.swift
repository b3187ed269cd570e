import Foundation
import GatehouseClient

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Output to the user, and questions.
enum Terminal {
  static func say(_ line: String) { print(line) }

  static func say(_ user: UserSnapshot) {
    say("uid         \(user.uid)")
    if let name = user.displayName { say("name        \(name)") }
    if let email = user.email {
      say("email       \(email)\(user.isEmailVerified ? " (verified)" : "")")
    }
    let providers = user.providers.map(\.provider.rawValue)
    say("signs in by \(user.isAnonymous ? "nothing" : providers.joined(separator: ", "))")
  }

  static func complain(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
  }

  /// - Returns: False also at the end of the input.
  static func confirm(_ question: String) -> Bool {
    complain("\(question) [y/N]")
    return ["y", "yes"].contains(readLine()?.lowercased())
  }

  /// Asks without showing what the user types. Reads a line if the input is not a terminal.
  static func password() throws -> String {
    let password: String?
    if isatty(STDIN_FILENO) == 1 {
      password = getpass("Password: ").map { String(cString: $0) }
    } else {
      password = readLine()
    }
    guard let password, !password.isEmpty else { throw Failure.cancelled }
    return password
  }
}
