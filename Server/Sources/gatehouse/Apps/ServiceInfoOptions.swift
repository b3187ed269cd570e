import ArgumentParser
import Foundation
import GatehouseServer
import GatehouseProtocol

/// The file for an app's `GoogleService-Info.plist`, and the values in it that aren't stored with
/// the app.
struct ServiceInfoOptions: ParsableArguments {
  @Option(help: "The file to write, or - for standard output.")
  var output = GoogleServiceInfo.fileName

  @Flag(help: "Replace the file if it exists.")
  var force = false

  @Option(
    help: """
      The app's own client id at Google (type iOS), if it uses Google's SDK. Without it, the file has \
      none.
      """)
  var googleClientID: String?

  @Option(help: "The URL at which apps reach the server. Default: the URL in the issuer.")
  var serverURL: String?

  /// Checks, before anything is created, that no file would be replaced without `--force`.
  func checkTarget() throws {
    if output != "-" && !force && FileManager.default.fileExists(atPath: output) {
      throw CommandFailure(
        "\(output) exists: replace it with --force, or name another file with --output")
    }
  }

  func write(_ app: App, in database: OpenDatabase) async throws {
    try checkTarget()
    let (project, google) = try await database.store.read { transaction in
      (
        try transaction.project(app.project), try transaction.provider(.google, in: app.project)
      )
    }
    guard let project else { throw Apps.Refusal.unknownProject }
    let info = GoogleServiceInfo(
      app, of: project, googleClientID: googleClientID, serverURL: try url(of: project))
    if output == "-" { return Terminal.write(info.xml) }
    do {
      try Data(info.xml.utf8).write(to: URL(fileURLWithPath: output), options: .atomic)
    } catch {
      throw CommandFailure(
        "\(output) can't be written: \(error.localizedDescription). The app exists: `gatehouse apps show "
          + "\(app.id)` writes its file")
    }
    Terminal.say("\(app.bundleID) is an app of \(app.project).")
    Terminal.say("  app id      \(app.id)")
    Terminal.say("  API key     \(app.apiKey)")
    Terminal.say("  URL scheme  \(info.urlScheme)")
    Terminal.say("  file        \(output)")
    Terminal.say(
      "For sign-in in a browser, add the URL scheme to the app's URL types (Xcode: the target, Info)."
    )
    if let advice = advice(on: google, of: app) { Terminal.say(advice) }
  }

  /// What is still to do if the app uses Google's SDK.
  private func advice(on google: ProviderConfiguration?, of app: App) -> String? {
    guard let google, google.isEnabled else { return nil }
    guard let googleClientID else {
      return
        "The file has no client id at Google. If the app uses Google's SDK, create a client of "
        + "type iOS at Google, and write the file again: gatehouse apps show \(app.id) --force "
        + "--google-client-id …"
    }
    guard !google.audiences.containsBytes(of: googleClientID) else {
      return nil
    }
    return
      "google.com doesn't accept tokens for \(googleClientID) yet: add it with gatehouse providers "
      + "set google --client-id"
  }

  private func url(of project: Project) throws -> String {
    guard let url = serverURL ?? project.publicURL else {
      throw CommandFailure(
        "the issuer of \(project.id) doesn't contain the server's URL: give --server-url "
          + Settings.developmentURL)
    }
    return url
  }
}
