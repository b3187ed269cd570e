import Foundation

/// The command-line arguments.
struct Arguments {
  /// The source of the keys.
  enum Keys {
    case file(String, issuer: String)
    case developmentServer(String)
  }

  var keys: Keys
  var audience: String
  /// The time of the verification. A back end uses its own clock.
  var now = Date()
  var tokenFile: String

  static let usage = """
    usage: verify-token --jwks FILE --issuer URL --audience PROJECT [--now SECONDS] TOKEN_FILE
           verify-token --dev-server URL --audience PROJECT TOKEN_FILE

    Gatehouse serves its key set at <issuer>/.well-known/jwks.json (see its discovery document).
    """

  /// Nil if something is missing or unknown.
  init?(_ words: [String]) {
    var values: [String: String] = [:]
    var rest = words[...]
    while let flag = rest.first, flag.hasPrefix("--") {
      guard let value = rest.dropFirst().first else { return nil }
      values[flag] = value
      rest = rest.dropFirst(2)
    }
    guard let audience = values["--audience"], let tokenFile = rest.first, rest.count == 1
    else { return nil }
    if let server = values["--dev-server"] {
      keys = .developmentServer(server)
    } else if let file = values["--jwks"], let issuer = values["--issuer"] {
      keys = .file(file, issuer: issuer)
    } else {
      return nil
    }
    self.audience = audience
    self.tokenFile = tokenFile
    guard let seconds = values["--now"] else { return }
    guard let seconds = Double(seconds) else { return nil }
    now = Date(timeIntervalSince1970: seconds)
  }
}
