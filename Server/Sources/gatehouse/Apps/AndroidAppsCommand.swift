import ArgumentParser
import GatehouseProtocol
import GatehouseServer

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

  @OptionGroup var confirmation: ConfirmationOptions
  @OptionGroup var project: ProjectOptions

  func validate() throws {
    guard AndroidApp.isPackageName(packageName) else {
      throw ValidationError("\(packageName): not an application id such as com.example.app")
    }
    for text in fingerprint where AndroidApp.fingerprint(text) == nil {
      throw ValidationError(
        "--fingerprint \(text): SHA-256 is 32 pairs of hexadecimal digits, such as 14:6D:E9:…; SHA-1 "
          + "isn't enough")
    }
  }

  func run() async throws {
    try await project.run { project in
      var body = JSONObject(ifPresent: ["displayName": name])
      body["sha256CertFingerprints"] = .array(fingerprint.map { .string($0) })
      let app: JSONObject
      if let known = try await known(in: project) {
        let old = known.strings("sha256CertFingerprints")
        if !old.isEmpty {
          try confirmation.confirm("Replace the fingerprints of \(packageName)?")
        }
        app = try await project.send(.patch, "androidApps", packageName, body: body)
      } else {
        body["packageName"] = .string(packageName)
        app = try await project.send(.post, "androidApps", body: body)
      }
      project.say(app) {
        let count = app.strings("sha256CertFingerprints").count
        Terminal.say(
          "\(packageName) is an app of \(project.project), signed with \(count) "
            + "\(count == 1 ? "certificate" : "certificates").")
      }
    }
  }

  private func known(in project: ProjectClient) async throws -> JSONObject? {
    do {
      return try await project.send(.get, "androidApps", packageName)
    } catch let refusal as AdministrationRefusal where refusal.isNotFound {
      return nil
    }
  }
}

struct ListAndroidAppsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List a project's apps on Android.")

  @OptionGroup var project: ProjectOptions

  func run() async throws {
    try await project.run { project in
      let answer = try await project.send(.get, "androidApps")
      project.say(answer) {
        var table = TextTable("APPLICATION ID", "FINGERPRINT", "NAME")
        for app in answer.objects("apps") {
          for fingerprint in app.strings("sha256CertFingerprints") {
            table.add(app.shown("packageName"), fingerprint, app.shown("displayName"))
          }
        }
        table.say()
      }
    }
  }
}

struct DeleteAndroidAppCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete an app on Android. Links no longer open it.")

  @Argument(help: "The application id.")
  var packageName: String

  @OptionGroup var confirmation: ConfirmationOptions
  @OptionGroup var project: ProjectOptions

  func run() async throws {
    try await project.run { project in
      try confirmation.confirm("Delete \(packageName)?")
      let answer = try await project.send(
        .delete, "androidApps", packageName, hint: "`gatehouse apps android list` lists them")
      project.say(answer) { Terminal.say("Deleted \(packageName).") }
    }
  }
}
