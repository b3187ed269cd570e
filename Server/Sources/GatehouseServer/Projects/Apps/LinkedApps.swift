import GatehouseProtocol

/// The apps of all projects that may open the server's links. Apple and Google read the list at
/// addresses of the host that name no project.
package struct LinkedApps: Hashable, Sendable {
  /// `TEAM123456.com.example.app`, each once, ordered byte by byte. If an app has no team and the server
  /// has only one project, the team of the project's `apple.com` is used. Otherwise an app without a
  /// team is omitted, because Apple needs the team.
  package let appleAppIDs: [String]
  /// One for each package name, with the fingerprints from every project that has it.
  package let androidApps: [Android]

  package struct Android: Hashable, Sendable {
    package let packageName: String
    package let fingerprints: [String]
  }

  /// The maximum of each kind. Apple accepts only documents up to 128 KiB.
  private static let maximumApps = 500

  init(reading transaction: Transaction) throws {
    var appleAppIDs: [String] = []
    var fingerprints: [String: [String]] = [:]
    let projects = try transaction.projects()
    for project in projects {
      let apple = try transaction.provider(.apple, in: project.id)?.apple
      // An administrator of one project can set this team over REST, but the links of the host
      // belong to all projects. With several projects, only the team that the operator sets for an
      // app (`gatehouse apps`) is used.
      let team = projects.count == 1 ? apple?.teamID : nil
      let apps = try transaction.apps(of: project.id)
      appleAppIDs += apps.compactMap { Self.appID($0.bundleID, team: $0.teamID ?? team) }
      let known = apps.map(\.bundleID)
      appleAppIDs += (apple?.bundleIDs ?? []).filter { !known.containsBytes(of: $0) }
        .compactMap { Self.appID($0, team: team) }
      for app in try transaction.androidApps(of: project.id) {
        fingerprints[app.packageName, default: []] += app.fingerprints
      }
    }
    self.appleAppIDs = Array(Set(appleAppIDs).sorted().prefix(Self.maximumApps))
    androidApps = fingerprints.sorted { $0.key < $1.key }.prefix(Self.maximumApps)
      .map { Android(packageName: $0.key, fingerprints: Array(Set($0.value).sorted())) }
  }

  /// The app id, in ASCII only, so that Swift compares the strings byte by byte.
  private static func appID(_ bundleID: String, team: String?) -> String? {
    guard let team, App.isTeamID(team), App.isBundleID(bundleID) else { return nil }
    return "\(team).\(bundleID)"
  }
}
