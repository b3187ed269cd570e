import GatehouseProtocol

/// The property list that an app on Apple's platforms reads when it starts.
///
/// The keys are Firebase's, so that code which reads them works unchanged. The server's own address
/// is added as ``urlKey``.
package struct GoogleServiceInfo: Sendable {
  package static let fileName = "GoogleService-Info.plist"
  /// The key of the server's address, such as `https://auth.example.com`.
  package static let urlKey = "GATEHOUSE_URL"

  /// The URL scheme that the app must register for browser sign-ins: its client id at Google,
  /// reversed. Without a client id, the scheme is derived from the app id, as in Firebase's SDK. The
  /// file contains it as `REVERSED_CLIENT_ID`, which Firebase's guides refer to.
  package let urlScheme: String

  private let values: [(key: String, value: String)]

  /// - Parameters:
  ///   - googleClientID: The app's own client id at Google, that of an iOS client. The provider's client
  ///   id is usually that of a web client, with which Google's sheet can't return to the app.
  ///   - serverURL: The address at which apps reach the server.
  package init(
    _ app: App, of project: Project, googleClientID: String?, serverURL: String
  ) {
    var values: [(String, String)] = [
      ("API_KEY", app.apiKey),
      ("BUNDLE_ID", app.bundleID),
      ("GCM_SENDER_ID", String(project.number)),
      (Self.urlKey, serverURL),
      ("GOOGLE_APP_ID", app.id),
      ("PLIST_VERSION", "1"),
      ("PROJECT_ID", project.id.text),
    ]
    if let clientID = googleClientID, !clientID.isEmpty {
      values.append(("CLIENT_ID", clientID))
      urlScheme = Self.reversed(clientID)
    } else {
      urlScheme = "app-" + app.id.replacing(":", with: "-")
    }
    values.append(("REVERSED_CLIENT_ID", urlScheme))
    self.values = values.sorted { $0.0 < $1.0 }
  }

  /// The property list in XML, which any of Apple's editors can open.
  package var xml: String {
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      #"<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "#
        + #""http://www.apple.com/DTDs/PropertyList-1.0.dtd">"#,
      #"<plist version="1.0">"#,
      "<dict>",
    ]
    for (key, value) in values {
      lines.append("\t<key>\(Self.escaped(key))</key>")
      lines.append("\t<string>\(Self.escaped(value))</string>")
    }
    lines += ["</dict>", "</plist>"]
    return lines.joined(separator: "\n") + "\n"
  }

  /// `1-a.apps.example.com` → `com.example.apps.1-a`: the URL scheme to which Google's sheet
  /// returns.
  private static func reversed(_ clientID: String) -> String {
    clientID.split(separator: ".", omittingEmptySubsequences: false).reversed()
      .joined(separator: ".")
  }

  /// XML 1.0 §2.4 and §2.2: markup is escaped, and characters that XML doesn't allow are omitted.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\t", "\n", "\r": escaped += "&#\(scalar.value);"
      case "\u{20}"..."\u{D7FF}", "\u{E000}"..."\u{FFFD}", "\u{10000}"..."\u{10FFFF}":
        escaped.unicodeScalars.append(scalar)
      default: break
      }
    }
    return escaped
  }
}
