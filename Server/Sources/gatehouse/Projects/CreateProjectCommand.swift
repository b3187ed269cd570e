import ArgumentParser
import Foundation
import GatehouseProtocol
import GatehouseServer

struct CreateProjectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create",
    abstract: "Create a project and its first API key.",
    discussion: "Also creates the database, or PostgreSQL's tables, if there are none.")

  @Argument(help: "The project id: a lower-case letter, then 2 to 62 of a–z, 0–9 and -.")
  var id: String

  @Option(help: "Display name.")
  var displayName: String?

  @Option(
    help: """
      The URL at which clients will reach the server: https://auth.example.com. The project's issuer begins \
      with it, and can't be changed later.
      """)
  var publicURL: String?

  @Option(help: "A host that sign-in may return to. May be repeated.")
  var domain: [String] = []

  @Flag(help: "Allow anonymous accounts.")
  var anonymous = false

  @Option(
    help: ArgumentHelp(
      "When linking requires the user's consent: off, anonymized (for an identity with a private "
        + "relay address, as Apple requires of apps), always.", valueName: "policy"))
  var linkConsent = LinkConsent.off.rawValue

  @OptionGroup var administration: AdministrationOptions

  func validate() throws {
    guard LinkConsent(rawValue: linkConsent) != nil else {
      throw ValidationError("--link-consent \(linkConsent): one of off, anonymized, always")
    }
    guard ProjectID(id) != nil else {
      throw ValidationError(
        "“\(id)” is not a project id: a lower-case letter, then 2 to 62 of a–z, 0–9 and -")
    }
    if let broken = domain.first(where: { AuthorizedDomain.normalized($0) == nil }) {
      throw ValidationError("--domain \(broken): a host's name alone, such as app.example.com")
    }
  }

  func run() async throws {
    let url = try administration.isRemote ? nil : SettingReader.publicURL(flag: publicURL)
    try await administration.withClient(publicURL: url, making: .production) { client in
      var body = JSONObject(ifPresent: ["projectId": id, "displayName": displayName])
      body["authorizedDomains"] = .array(domain.map { .string($0) })
      body["policies"] = [
        "allowsAnonymous": .bool(anonymous), "linkConsent": .string(linkConsent),
      ]
      let project = try await client.send(.post, ["v2", "projects"], body)
      let flag = try administration.flag
      client.say(project) {
        Terminal.say("Project \(id) is created.")
        Terminal.say("  API key   \(project.shown("apiKey"))")
        Terminal.say("  issuer    \(project.shown("issuer"))")
        Terminal.say("  consent   linkConsent=\(linkConsent)\(consentHint)")
        Terminal.say("Next:")
        Terminal.say("  gatehouse providers set apple --bundle-id … \(flag)")
        Terminal.say("  gatehouse admin-keys create --project \(id) \(flag)")
        if let url { Terminal.say("  gatehouse serve --public-url \(url) \(flag)") }
      }
    }
  }

  /// Apple requires apps to obtain consent before an anonymized identity is linked to an
  /// identifying one.
  private var consentHint: String {
    linkConsent == LinkConsent.off.rawValue
      ? " (unless the app asks: gatehouse projects set \(id) linkConsent=anonymized)" : ""
  }
}
