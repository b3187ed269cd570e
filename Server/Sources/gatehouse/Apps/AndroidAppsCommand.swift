import ArgumentParser
import Foundation
import GatehouseServer
import GatehouseProtocol

struct AndroidAppsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "android", abstract: "Apps on Android that the server's links open.",
    discussion: "docs/guides/app-links.md describes the rest of the setup for Android.",
    subcommands: [
      SetAndroidAppCommand.self, ListAndroidAppsCommand.self, DeleteAndroidAppCommand.self,
    ])
}

struct SetAndroidAppCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Register an app, or replace its fingerprints.")

  @Argument(help: "The application id: com.example.app")
  var packageName: String

  @Option(
    help: """
      The SHA-256 fingerprint of the certificate that signs the app, as keytool and Google Play \
      show it. May be repeated.
      """)
  var fingerprint: [String]

  @Option(help: "Display name.")
  var name: String?

  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func validate() throws {
    guard AndroidApp.isPackageName(packageName) else {
      throw ValidationError("\(packageName): not an application id such as com.example.app")
    }
    guard (1...AndroidApp.maximumFingerprints).contains(fingerprint.count) else {
      throw ValidationError(
        "give --fingerprint 1 to \(AndroidApp.maximumFingerprints) times")
    }
    for text in fingerprint where AndroidApp.fingerprint(text) == nil {
      throw ValidationError(
        "--fingerprint \(text): SHA-256 is 32 pairs of hexadecimal digits, such as 14:6D:E9:…; SHA-1 "
          + "isn't enough")
    }
  }

  func run() async throws {
    try await data.withDatabase { database in
      let project = try await project.resolve(in: database)
      var fingerprints: [String] = []
      for text in fingerprint.compactMap(AndroidApp.fingerprint)
      where !fingerprints.containsBytes(of: text) { fingerprints.append(text) }
      let app = AndroidApp(
        project: project, packageName: packageName, displayName: name, fingerprints: fingerprints,
        createdAt: Date())
      do {
        try await AndroidApps(store: database.store).set(app)
      } catch AndroidApps.Refusal.tooMany {
        throw CommandFailure(
          "\(project) has \(AndroidApp.maximumPerProject) apps on Android: delete one first")
      }
      Terminal.say(
        "\(packageName) is an app of \(project), signed with \(fingerprints.count) "
          + "\(fingerprints.count == 1 ? "certificate" : "certificates").")
    }
  }
}

struct ListAndroidAppsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List a project's apps on Android.")

  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func run() async throws {
    try await data.withDatabase { database in
      let project = try await project.resolve(in: database)
      let apps = try await database.store.read { try $0.androidApps(of: project) }
      var table = TextTable("APPLICATION ID", "FINGERPRINT", "NAME")
      for app in apps {
        for fingerprint in app.fingerprints {
          table.add(app.packageName, fingerprint, app.displayName ?? "-")
        }
      }
      table.say()
    }
  }
}

struct DeleteAndroidAppCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete an app on Android. Links no longer open it.")

  @Argument(help: "The application id.")
  var packageName: String

  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func run() async throws {
    try await data.withDatabase { database in
      let project = try await project.resolve(in: database)
      guard try await AndroidApps(store: database.store).delete(packageName, of: project) else {
        throw CommandFailure(
          "\(project) has no app “\(packageName)”; `gatehouse apps android list` lists them")
      }
      Terminal.say("Deleted.")
    }
  }
}
