import ArgumentParser
import Foundation
import GatehouseServer
import GatehouseProtocol

/// Flags of the commands that ask Apple about users.
struct TransferOptions: ParsableArguments {
  @Option(help: "The bundle id of the app that moves. Default: the project's only app.")
  var clientID: String?

  @OptionGroup var connection: ProviderConnection
  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  /// Requests in a second, so that Apple doesn't throttle them.
  private static let perSecond = 10
  /// Apple's access token is valid for an hour.
  private static let renewalSeconds: TimeInterval = 3000
  private static let maximumAttempts = 5

  /// Opens the database, and passes the transfer and the calls to Apple to `body`.
  ///
  /// - Parameter change: Changes Apple's configuration for this command only.
  func withTransfer(
    _ change: @Sendable (inout ProviderConfiguration) throws -> Void = { _ in },
    _ body: (TeamTransfer, AppleCalls) async throws -> Void
  ) async throws {
    try await data.withDatabase { database in
      let project = try await project.resolve(in: database)
      var provider = try await database.provider(ProviderID.apple.text, of: project)
      try change(&provider)
      let clientID = try app(of: provider)
      try await connection.withFederation(to: database) { [provider] federation in
        try await body(
          TeamTransfer(store: database.store, project: project, clock: { Date() }),
          AppleCalls(federation: federation, provider: provider, clientID: clientID))
      }
    }
  }

  private func app(of provider: ProviderConfiguration) throws -> String {
    if let clientID { return clientID }
    let apps = provider.audiences.filter { !$0.hasSameBytes(as: provider.clientID) }
    guard let app = apps.first ?? provider.audiences.first else {
      throw CommandFailure("no app is configured for Apple: name it with --client-id")
    }
    guard apps.count <= 1 else {
      throw CommandFailure(
        "several apps are configured for Apple: name the one that moves with --client-id; "
          + "all apps of a team have the same subjects")
    }
    return app
  }

  /// Calls Apple at a limited rate. Repeats a call after a temporary failure.
  final class AppleCalls {
    private let federation: Federation
    private let provider: ProviderConfiguration
    private let clientID: String
    private var migration: (value: AppleMigration, at: Date)?

    init(federation: Federation, provider: ProviderConfiguration, clientID: String) {
      self.federation = federation
      self.provider = provider
      self.clientID = clientID
    }

    func ask<Answer>(
      _ call: (AppleMigration) async throws(FederationError) -> Answer
    ) async throws -> Answer {
      var attempt = 1
      while true {
        try await Task.sleep(for: .seconds(1) / TransferOptions.perSecond)
        do throws(FederationError) {
          return try await call(try await current())
        } catch {
          guard error.mayPass, attempt < TransferOptions.maximumAttempts else {
            throw CommandFailure(
              "Apple: \(error). The results so far are stored: run the command again to continue")
          }
          attempt += 1
          try await Task.sleep(for: .seconds(1 << attempt))
        }
      }
    }

    private func current() async throws(FederationError) -> AppleMigration {
      let now = Date()
      if let migration, now.timeIntervalSince(migration.at) < TransferOptions.renewalSeconds {
        return migration.value
      }
      let value = try await federation.appleMigration(of: clientID, for: provider, now: now)
      migration = (value, now)
      return value
    }
  }
}

extension FederationError {
  /// Whether the same request may succeed a little later.
  fileprivate var mayPass: Bool {
    switch self {
    case .unreachable: true
    case .refusedByProvider(let status, _): status == 429 || status >= 500
    default: false
    }
  }
}

extension TeamTransfer.Progress {
  /// The counts that aren't zero, for a line of the terminal.
  func text(_ verb: String) -> String {
    var parts = ["\(done) \(verb)"]
    if unknown > 0 { parts.append("\(unknown) unknown to Apple") }
    if gone > 0 { parts.append("\(gone) deleted or unlinked since") }
    if !taken.isEmpty { parts.append("\(taken.count) in conflict") }
    return parts.joined(separator: ", ")
  }
}
