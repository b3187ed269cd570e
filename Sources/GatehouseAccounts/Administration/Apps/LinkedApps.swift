import GatehouseModel

/// The apps of all the server's projects that its links may open: what Apple and Google read at
/// addresses of the host, which know no project.
package struct LinkedApps: Hashable, Sendable {
  /// `TEAM123456.com.example.app`, each once, ordered byte by byte. An app without a team is of its
  /// project's apple.com's where the server has one project, and else left out: Apple can't be told of
  /// it.
  package let appleAppIDs: [String]
  /// One for each package name, with the fingerprints of every project that has it.
  package let androidApps: [Android]

  package struct Android: Hashable, Sendable {
    package let packageName: String
    package let fingerprints: [String]
  }

  /// Longer documents than these make are refused by those who read them: Apple takes 128 KiB.
  private static let maximumApps = 500

  init(reading transaction: any StoreTransaction) throws {
    var appleAppIDs: [String] = []
    var fingerprints: [String: [String]] = [:]
    let projects = try transaction.projects()
    for project in projects {
      let apple = try transaction.provider(.apple, in: project.id)?.apple
      // An administrator of one project sets it over REST, and the host's links are those of all: where
      // there are several, the operator's word on an app's team counts (`gatehouse apps`).
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

  /// ASCII alone, so that Swift's comparison of strings is that of bytes.
  private static func appID(_ bundleID: String, team: String?) -> String? {
    guard let team, App.isTeamID(team), App.isBundleID(bundleID) else { return nil }
    return "\(team).\(bundleID)"
  }
}
