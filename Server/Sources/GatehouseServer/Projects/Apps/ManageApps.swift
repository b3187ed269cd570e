import Foundation
import GatehouseProtocol

/// `v2/projects/{p}/iosApps` and `androidApps`, in the form of Firebase Management. An app is named by its id or its
/// bundle id, or by its package name.
struct ManageApps: Endpoint {
  let services: APIServices
  let configuration: APIConfiguration

  var routes: [Route] {
    let apple = "v2/projects/*/iosApps"
    let android = "v2/projects/*/androidApps"
    return [
      .administrator(.get, apple, "iosApps.list", role: .viewer, list),
      .administrator(.post, apple, "iosApps.create", create),
      .administrator(.get, "\(apple)/*", "iosApps.get", role: .viewer, get),
      .administrator(.patch, "\(apple)/*", "iosApps.patch", patch),
      .administrator(.delete, "\(apple)/*", "iosApps.delete", delete),
      .administrator(.get, "\(apple)/*/config", "iosApps.config", role: .viewer, file),
      .administrator(.get, android, "androidApps.list", role: .viewer, listAndroid),
      .administrator(.post, android, "androidApps.create", createAndroid),
      .administrator(.get, "\(android)/*", "androidApps.get", role: .viewer, getAndroid),
      .administrator(.patch, "\(android)/*", "androidApps.patch", patchAndroid),
      .administrator(.delete, "\(android)/*", "androidApps.delete", deleteAndroid),
    ]
  }

  private static let notFound = APIError.notFound("The project has no such app.")
  private var apps: Apps { Apps(services.projects) }

  // MARK: Apple

  func list(_ call: Call) async throws -> Answer {
    let apps = try await services.projects.apps(of: try call.requireProject().id)
    return Answer(ListResponse("apps", apps.map { AppResource($0) }))
  }

  func create(_ call: Call) async throws -> Answer {
    try call.refuseUnknownMembers(AppResource.knownMembers)
    let resource = try call.request(AppResource.self)
    guard App.isBundleID(resource.bundleID) else {
      throw APIError.invalidArgument(
        "bundleId is missing, or not a bundle id such as com.example.app.")
    }
    return Answer(
      AppResource(
        try await apps.add(
          bundleID: resource.bundleID, displayName: resource.displayName,
          teamID: try resource.checkedTeamID, to: try call.requireProject().id, now: call.now)))
  }

  func get(_ call: Call) async throws -> Answer { Answer(AppResource(try await app(call))) }

  func patch(_ call: Call) async throws -> Answer {
    try call.refuseUnknownMembers(AppResource.knownMembers)
    let resource = try call.request(AppResource.self)
    let mask = FieldMask(call.parameters.string("updateMask"))
    let teamID = try resource.checkedTeamID
    let changed = try await apps.update(
      call.path.resource ?? "", of: try call.requireProject().id
    ) { app in
      if mask.covers("displayName", presentInBody: resource.displayName != nil) {
        app.displayName = resource.displayName.flatMap { $0.isEmpty ? nil : $0 }
      }
      if mask.covers("teamId", presentInBody: resource.teamID != nil) { app.teamID = teamID }
    }
    guard let changed else { throw Self.notFound }
    return Answer(AppResource(changed))
  }

  func delete(_ call: Call) async throws -> Answer {
    guard
      try await apps.delete(call.path.resource ?? "", of: try call.requireProject().id)
    else { throw Self.notFound }
    return Answer(EmptyResponse())
  }

  /// `GoogleService-Info.plist`, in base64. `googleClientId` is the app's own client id at Google.
  func file(_ call: Call) async throws -> Answer {
    let project = try call.requireProject()
    let clientID = call.parameters.string("googleClientId").flatMap { $0.isEmpty ? nil : $0 }
    let info = GoogleServiceInfo(
      try await app(call), of: project, googleClientID: clientID,
      serverURL: configuration.publicURL)
    let google = try await services.projects.provider(.google, in: project.id)
    return Answer(AppFileResponse(info, warning: Self.warning(about: clientID, google)))
  }

  /// What is still to do if the app uses Google's SDK.
  private static func warning(about clientID: String?, _ google: ProviderConfiguration?) -> String?
  {
    guard let google, google.isEnabled else { return nil }
    guard let clientID else {
      return
        "The file has no client id at Google. An app that uses Google's SDK needs its own, of type iOS."
    }
    return google.audiences.containsBytes(of: clientID)
      ? nil : "google.com doesn't accept tokens for \(clientID) yet: add it to its client ids."
  }

  private func app(_ call: Call) async throws -> App {
    let apps = try await services.projects.apps(of: try call.requireProject().id)
    let id = call.path.resource ?? ""
    guard
      let app = apps.first(where: {
        $0.id.hasSameBytes(as: id) || $0.bundleID.hasSameBytes(as: id)
      })
    else { throw Self.notFound }
    return app
  }

  // MARK: Android

  func listAndroid(_ call: Call) async throws -> Answer {
    let apps = try await services.projects.androidApps(of: try call.requireProject().id)
    return Answer(ListResponse("apps", apps.map { AndroidAppResource($0) }))
  }

  func createAndroid(_ call: Call) async throws -> Answer {
    let project = try call.requireProject().id
    let resource = try androidResource(call)
    guard AndroidApp.isPackageName(resource.packageName) else {
      throw APIError.invalidArgument(
        "packageName is missing, or not a package name such as com.example.app.")
    }
    if try await androidApp(resource.packageName, of: project) != nil {
      throw APIError.alreadyExists("The project has an app with this package name.")
    }
    let app = AndroidApp(
      project: project, packageName: resource.packageName, displayName: resource.displayName,
      fingerprints: try resource.checkedFingerprints, createdAt: call.now)
    try await AndroidApps(services.projects).set(app)
    return Answer(AndroidAppResource(app))
  }

  func getAndroid(_ call: Call) async throws -> Answer {
    let app = try await androidApp(
      call.path.resource ?? "", of: try call.requireProject().id)
    guard let app else { throw Self.notFound }
    return Answer(AndroidAppResource(app))
  }

  func patchAndroid(_ call: Call) async throws -> Answer {
    let project = try call.requireProject().id
    let resource = try androidResource(call)
    let mask = FieldMask(call.parameters.string("updateMask"))
    guard var app = try await androidApp(call.path.resource ?? "", of: project) else {
      throw Self.notFound
    }
    if mask.covers("displayName", presentInBody: resource.displayName != nil) {
      app.displayName = resource.displayName.flatMap { $0.isEmpty ? nil : $0 }
    }
    if mask.covers("sha256CertFingerprints", presentInBody: resource.fingerprints != nil) {
      app.fingerprints = try resource.checkedFingerprints
    }
    try await AndroidApps(services.projects).set(app)
    return Answer(AndroidAppResource(app))
  }

  func deleteAndroid(_ call: Call) async throws -> Answer {
    guard
      try await AndroidApps(services.projects).delete(
        call.path.resource ?? "", of: try call.requireProject().id)
    else { throw Self.notFound }
    return Answer(EmptyResponse())
  }

  private func androidResource(_ call: Call) throws -> AndroidAppResource {
    try call.refuseUnknownMembers(AndroidAppResource.knownMembers)
    return try call.request(AndroidAppResource.self)
  }

  private func androidApp(_ name: String, of project: ProjectID) async throws -> AndroidApp? {
    try await services.projects.androidApps(of: project)
      .first { $0.packageName.hasSameBytes(as: name) }
  }
}

/// `projects/{p}/iosApps/{id}`.
struct AppResource: WireRequest, WireResponse {
  var bundleID = ""
  var displayName: String?
  /// Empty to remove it.
  var teamID: String?
  private var project = ""
  private var appID = ""
  private var apiKey = ""
  private var createTime: String?

  static let knownMembers = KnownMembers([
    "name", "appId", "projectId", "bundleId", "displayName", "teamId", "apiKey", "createTime",
  ])

  init(_ fields: WireFields) throws(WireError) {
    bundleID = try fields.string("bundleId") ?? ""
    displayName = try fields.string("displayName")
    teamID = try fields.string("teamId")
  }

  init(_ app: App) {
    project = app.project.text
    appID = app.id
    bundleID = app.bundleID
    displayName = app.displayName
    teamID = app.teamID
    apiKey = app.apiKey
    createTime = app.createdAt.formatted(.iso8601)
  }

  var checkedTeamID: String? {
    get throws(APIError) {
      guard let teamID, !teamID.isEmpty else { return nil }
      guard App.isTeamID(teamID) else {
        throw .invalidArgument("teamId is ten capital letters and digits.")
      }
      return teamID
    }
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("name", "projects/\(project)/iosApps/\(appID)")
    writer.member("appId", appID)
    writer.member("projectId", project)
    writer.member("bundleId", bundleID)
    writer.member("displayName", ifPresent: displayName)
    writer.member("teamId", ifPresent: teamID)
    writer.member("apiKey", apiKey)
    writer.member("createTime", ifPresent: createTime)
  }
}

/// `projects/{p}/iosApps/{id}/config`.
struct AppFileResponse: WireResponse {
  private let info: GoogleServiceInfo
  private let warning: String?

  init(_ info: GoogleServiceInfo, warning: String?) {
    self.info = info
    self.warning = warning
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("configFilename", GoogleServiceInfo.fileName)
    writer.member("configFileContents", Data(info.xml.utf8).base64EncodedString())
    // Extensions: the URL scheme that the app has to register, and what is still to do.
    writer.member("urlScheme", info.urlScheme)
    writer.member("warning", ifPresent: warning)
  }
}

/// `projects/{p}/androidApps/{packageName}`.
struct AndroidAppResource: WireRequest, WireResponse {
  var packageName = ""
  var displayName: String?
  /// SHA-256 of the certificates that the app is signed with, as `keytool` shows them.
  var fingerprints: [String]?
  private var project = ""
  private var createTime: String?

  static let knownMembers = KnownMembers([
    "name", "projectId", "packageName", "displayName", "sha256CertFingerprints", "createTime",
  ])

  init(_ fields: WireFields) throws(WireError) {
    packageName = try fields.string("packageName") ?? ""
    displayName = try fields.string("displayName")
    fingerprints =
      fields.contains("sha256CertFingerprints")
      ? try fields.strings("sha256CertFingerprints") : nil
  }

  init(_ app: AndroidApp) {
    project = app.project.text
    packageName = app.packageName
    displayName = app.displayName
    fingerprints = app.fingerprints
    createTime = app.createdAt.formatted(.iso8601)
  }

  /// In the form in which they are stored, each once.
  var checkedFingerprints: [String] {
    get throws(APIError) {
      let given = fingerprints ?? []
      guard given.count <= AndroidApp.maximumFingerprints else {
        throw .invalidArgument("An app has at most \(AndroidApp.maximumFingerprints) fingerprints.")
      }
      var checked: [String] = []
      for text in given {
        guard let fingerprint = AndroidApp.fingerprint(text) else {
          throw .invalidArgument("“\(text)” is not the SHA-256 of a certificate in hexadecimal.")
        }
        if !checked.containsBytes(of: fingerprint) { checked.append(fingerprint) }
      }
      return checked
    }
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("name", "projects/\(project)/androidApps/\(packageName)")
    writer.member("projectId", project)
    writer.member("packageName", packageName)
    writer.member("displayName", ifPresent: displayName)
    writer.member("sha256CertFingerprints", fingerprints ?? [])
    writer.member("createTime", ifPresent: createTime)
  }
}

extension AndroidApps.Refusal: APIErrorConvertible {
  var apiError: APIError {
    switch self {
    case .unknownProject: .notFound(.projectNotFound)
    case .tooMany:
      .invalidArgument("A project has at most \(AndroidApp.maximumPerProject) apps on Android.")
    }
  }
}
