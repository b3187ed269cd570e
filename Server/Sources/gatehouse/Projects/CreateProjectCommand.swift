import ArgumentParser
import Foundation
import GatehouseServer
import GatehouseProtocol

struct CreateProjectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create",
    abstract: "Create a project and its first API key.",
    discussion: "Also creates the database, or PostgreSQL's tables, if there are none.")

  @Argument(help: "The project id: a lower-case letter, then 2 to 62 of a–z, 0–9 and -.")
  var id: String

  @Option(help: "Display name.")
  var displayName: String?

  @Option(help: "The URL at which clients will reach the server: https://auth.example.com")
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

  @OptionGroup var data: DataOptions

  func validate() throws {
    guard LinkConsent(rawValue: linkConsent) != nil else {
      throw ValidationError("--link-consent \(linkConsent): one of off, anonymized, always")
    }
    if let broken = domain.first(where: { AuthorizedDomain.normalized($0) == nil }) {
      throw ValidationError("--domain \(broken): a host's name alone, such as app.example.com")
    }
  }

  func run() async throws {
    guard let project = ProjectID(id) else {
      throw CommandFailure(
        "“\(id)” is not a project id: a lower-case letter, then 2 to 62 of a–z, 0–9 and -")
    }
    let url = try checkedURL()
    let flag = try data.place().flag
    try await data.withDatabase(making: .production) { database in
      let key = try await create(project, url, in: database)
      Terminal.say("Project \(project) is created.")
      Terminal.say("  API key   \(key.text)")
      Terminal.say("  issuer    \(url)/\(project)")
      Terminal.say("  consent   linkConsent=\(linkConsent)\(consentHint(project))")
      Terminal.say("Next:")
      Terminal.say("  gatehouse providers set apple --bundle-id … \(flag)")
      Terminal.say("  gatehouse admin-keys create --project \(project) \(flag)")
      Terminal.say("  gatehouse serve --public-url \(url) \(flag)")
    }
  }

  /// Apple requires apps to obtain consent before an anonymized identity is linked to an
  /// identifying one.
  private func consentHint(_ project: ProjectID) -> String {
    linkConsent == LinkConsent.off.rawValue
      ? " (unless the app asks: gatehouse projects set \(project) linkConsent=anonymized)" : ""
  }

  private func checkedURL() throws -> String {
    var reader = SettingReader(flags: [Settings.publicURL.key: publicURL])
    guard let url = reader.requiredPublicURL() else {
      throw ConfigurationFaults(faults: reader.faults)
    }
    return url
  }

  private func create(
    _ id: ProjectID, _ url: String, in database: OpenDatabase
  ) async throws -> APIKey {
    var policies = ProjectPolicies()
    policies.allowsAnonymous = anonymous
    policies.linkConsent = LinkConsent(rawValue: linkConsent) ?? .off
    var generator = SystemRandomNumberGenerator()
    let project = Project(
      id: id, number: UInt64.random(in: 100_000_000_000...999_999_999_999, using: &generator),
      displayName: displayName, issuer: "\(url)/\(id)",
      authorizedDomains: ([URL(string: url)?.host].compactMap(\.self)
        + domain.compactMap(AuthorizedDomain.normalized))
        .reduce(into: []) { domains, name in
          if !domains.contains(name) { domains.append(name) }
        },
      policies: policies)
    let key = APIKey.random(for: id)
    try await database.store.write { transaction in
      guard try transaction.project(id) == nil else {
        throw CommandFailure(
          "the project \(id) exists already; `gatehouse projects list` shows its API key")
      }
      try transaction.save(project)
      try transaction.insert(key)
    }
    return key
  }
}
