import GatehouseProtocol
import HTTPTypes

/// A URL that opens the app for which a sign-in link was created, if a browser opened the link. The
/// system opens the app by itself if the app is associated with this server (`AppLinks/`).
enum AppLink {
  /// The URL for the button. Nil unless the link names an app of the project that the device can
  /// have: the URL contains the code, and any client can request a link that names any app.
  ///
  /// - On Apple's devices, the URL's scheme is the bundle id, and the link is in `deep_link_id`,
  ///   where Firebase's SDKs look for it.
  /// - On Android, the URL is an `intent:` for the link itself (Chrome, "Android Intents with
  ///   Chrome"). The app's lowest version (`amv`) isn't checked: the store does that.
  static func url(
    _ fields: ActionLinkFields, at address: HandlerAddress, in project: Project, _ call: Call,
    _ services: APIServices
  ) async throws -> String? {
    let agent = call.head.headerFields[.userAgent] ?? ""
    let link = "\(address.url)/__/auth/action?\(fields.forApp.text)"
    if agent.contains("Android"), let package = fields.packageName {
      let apps = try await services.projects.androidApps(of: project.id)
      guard apps.contains(where: { $0.packageName.hasSameBytes(as: package) }),
        let start = link.firstRange(of: "://")
      else { return nil }
      return "intent://\(link[start.upperBound...])#Intent;scheme=\(link[..<start.lowerBound]);"
        + "package=\(package);end"
    }
    let isApple = ["iPhone", "iPad", "Macintosh"].contains { agent.contains($0) }
    guard isApple, let bundleID = fields.bundleID, isScheme(bundleID),
      try await services.projects.apps(of: project.id).contains(where: {
        $0.bundleID.hasSameBytes(as: bundleID)
      })
    else { return nil }
    return "\(bundleID)://google/link?" + Query { $0.add("deep_link_id", link) }.text
  }

  /// A scheme begins with a letter (RFC 3986 §3.1). All other characters of a bundle id are allowed
  /// in a scheme.
  private static func isScheme(_ bundleID: String) -> Bool {
    bundleID.utf8.first.map { (0x61...0x7A).contains($0 | 0x20) } ?? false
  }
}
