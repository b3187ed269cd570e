import Foundation
import GatehouseVerifier
import Hummingbird
import Logging

/// A back end with private notes, and a document for each user.
@main
struct NotesAPI {
  static func main() async throws {
    let settings = Settings(ProcessInfo.processInfo.environment)
    let configuration: VerifierConfiguration
    let webhook: WebhookVerifier?
    do {
      configuration = try settings.verifierConfiguration()
      webhook = try settings.webhookVerifier()
    } catch {
      FileHandle.standardError.write(Data("notes-api: \(error)\n".utf8))
      exit(2)
    }
    let logger = Logger(label: "notes-api")
    let verifier = IDTokenVerifier(configuration)
    do {
      // Fetches the keys at the start, so that a faulty configuration is logged now. If the
      // Gatehouse server isn't running yet, the keys are fetched later.
      try await verifier.prepare()
    } catch {
      logger.warning("no keys yet", metadata: ["reason": "\(error)"])
    }
    let application = Application(
      router: routes(verifier: verifier, webhook: webhook),
      configuration: .init(address: .hostname("127.0.0.1", port: settings.port)),
      onServerRunning: { channel in
        print("Notes API listens on http://127.0.0.1:\(channel.localAddress?.port ?? 0)")
        fflush(nil)
      },
      logger: logger)
    try await application.runService()
  }
}

/// The settings, from the environment.
struct Settings {
  var port: Int
  /// The server's public URL in production. Without it the development server's keys are used.
  var publicURL: String?
  var developmentURL: String
  var project: String
  var apiKey: String?
  /// The secret of the hook that posts events to `/events`. Without it, this path doesn't exist.
  var webhookSecret: String?

  init(_ environment: [String: String]) {
    port = environment["PORT"].flatMap { Int($0) } ?? 8080
    publicURL = environment["GATEHOUSE_PUBLIC_URL"]
    developmentURL = environment["GATEHOUSE_DEV_URL"] ?? "http://127.0.0.1:9099"
    project = environment["GATEHOUSE_PROJECT"] ?? "demo"
    apiKey = environment["GATEHOUSE_API_KEY"]
    webhookSecret = environment["GATEHOUSE_WEBHOOK_SECRET"]
  }

  func webhookVerifier() throws -> WebhookVerifier? {
    guard let webhookSecret else { return nil }
    guard let verifier = WebhookVerifier(secret: webhookSecret) else {
      throw MissingSetting(name: "GATEHOUSE_WEBHOOK_SECRET (whsec_…)")
    }
    return verifier
  }

  func verifierConfiguration() throws -> VerifierConfiguration {
    guard let publicURL else {
      return try .development(serverURL: developmentURL, projectID: project)
    }
    guard let apiKey else { throw MissingSetting(name: "GATEHOUSE_API_KEY") }
    return try VerifierConfiguration(publicURL: publicURL, projectID: project, apiKey: apiKey)
  }
}

struct MissingSetting: Error, CustomStringConvertible {
  let name: String

  var description: String { "\(name) is not set: see README.md" }
}
