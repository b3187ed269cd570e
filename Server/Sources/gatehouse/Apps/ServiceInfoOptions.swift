import ArgumentParser
import Foundation
import GatehouseProtocol
import GatehouseServer

/// The file for an app's `GoogleService-Info.plist`, and the value in it that isn't stored with the app.
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

  /// Checks, before anything is created, that no file would be replaced without `--force`.
  func checkTarget() throws {
    if output != "-" && !force && FileManager.default.fileExists(atPath: output) {
      throw CommandFailure(
        "\(output) exists: replace it with --force, or name another file with --output")
    }
  }

  func write(_ app: JSONObject, of project: ProjectClient) async throws {
    try checkTarget()
    let id = app.shown("appId")
    let file = try await project.send(
      .get, "iosApps", id, "config", query: ["googleClientId": googleClientID])
    guard let contents = file["configFileContents"]?.string.flatMap({ Data(base64Encoded: $0) })
    else { throw CommandFailure("the server's answer has no file") }
    if output == "-" {
      return Terminal.write(String(decoding: contents, as: UTF8.self))
    }
    do {
      try contents.write(to: URL(fileURLWithPath: output), options: .atomic)
    } catch {
      throw CommandFailure(
        "\(output) can't be written: \(error.localizedDescription). The app exists: `gatehouse apps show "
          + "\(id)` writes its file")
    }
    project.say(app) {
      Terminal.say("\(app.shown("bundleId")) is an app of \(project.project).")
      Terminal.say("  app id      \(id)")
      Terminal.say("  API key     \(app.shown("apiKey"))")
      Terminal.say("  URL scheme  \(file.shown("urlScheme"))")
      Terminal.say("  file        \(output)")
      Terminal.say(
        "For sign-in in a browser, add the URL scheme to the app's URL types (Xcode: the target, Info)."
      )
      guard let warning = file["warning"]?.string?.printable else { return }
      Terminal.say(warning)
      Terminal.say(
        googleClientID == nil
          ? "Then write the file again: gatehouse apps show \(id) --force --google-client-id …"
          : "gatehouse providers set google --client-id …")
    }
  }
}
