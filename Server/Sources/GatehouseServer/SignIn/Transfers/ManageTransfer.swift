import Foundation
import GatehouseProtocol

/// `defaultSupportedIdpConfigs/apple.com/transfer`: keeps users' accounts when an app moves to another team at Apple.
/// See ``TeamTransfer``. The client repeats a request with the token of the response until there is none.
struct ManageTransfer: Endpoint {
  let services: APIServices

  var routes: [Route] {
    let transfer = "v2/projects/*/defaultSupportedIdpConfigs/*/transfer"
    return [
      .administrator(.get, transfer, "transfer.get", role: .viewer, get),
      .administrator(.post, "\(transfer):prepare", "transfer.prepare", prepare),
      .administrator(.post, "\(transfer):finish", "transfer.finish", finish),
    ]
  }

  /// Apple throttles faster requests.
  private static let requestInterval = Duration.milliseconds(100)

  func get(_ call: Call) async throws -> Answer {
    let project = try call.requireProject().id
    _ = try await apple(call)
    return Answer(
      TransferStatus(
        counts: try await services.accounts.store.read {
          try $0.countSubjectTransfers(of: .apple, in: project)
        }))
  }

  /// Stores users' transfer identifiers. The key that asks Apple is that of the configuration, or if the new team's key
  /// is configured already, the key in the request, which isn't stored.
  func prepare(_ call: Call) async throws -> Answer {
    try call.refuseUnknownMembers(TransferRequest.knownMembers)
    let request = try call.request(TransferRequest.self)
    var provider = try await apple(call)
    guard let team = request.targetTeamID, App.isTeamID(team) else {
      throw APIError.invalidArgument(
        "targetTeamId is the team to which the app moves: ten capital letters and digits.")
    }
    switch (request.teamID, request.keyID, request.privateKey) {
    case (nil, nil, nil): break
    case (let teamID?, let keyID?, let privateKey?):
      provider.apple?.teamID = teamID
      provider.apple?.keyID = keyID
      provider.apple?.privateKey = privateKey
    default: throw APIError.invalidArgument("teamId, keyId and privateKey belong together.")
    }
    if provider.apple?.teamID?.hasSameBytes(as: team) == true {
      throw APIError.invalidArgument(
        "targetTeamId is the team that is configured: give the old team's key in teamId, keyId and privateKey."
      )
    }
    let app = try app(request, of: provider)
    var migration: AppleMigration?
    let progress = try await transfer(call).prepare(
      forTeam: team, after: try request.start
    ) { subject in
      try await asking { () async throws(FederationError) in
        let apple =
          if let migration { migration } else { try await begin(provider, app) }
        migration = apple
        return try await apple.transferSubject(of: subject, toTeam: team)
      }
    }
    return Answer(PreparedTransfers(progress: progress))
  }

  /// After the transfer: gives identities their subjects in the new team, whose key is configured.
  func finish(_ call: Call) async throws -> Answer {
    try call.refuseUnknownMembers(TransferRequest.knownMembers)
    let request = try call.request(TransferRequest.self)
    let provider = try await apple(call)
    let app = try app(request, of: provider)
    var migration: AppleMigration?
    let progress = try await transfer(call).complete(after: try request.start) { subject in
      let user = try await asking { () async throws(FederationError) in
        let apple =
          if let migration { migration } else { try await begin(provider, app) }
        migration = apple
        return try await apple.user(ofTransferSubject: subject)
      }
      return user.map { TeamTransfer.Migrated(subject: $0.subject, email: $0.email) }
    }
    return Answer(FinishedTransfers(progress: progress))
  }

  private func transfer(_ call: Call) throws -> TeamTransfer {
    TeamTransfer(
      store: services.accounts.store, project: try call.requireProject().id, clock: services.clock)
  }

  private func apple(_ call: Call) async throws -> ProviderConfiguration {
    guard call.path.resource?.hasSameBytes(as: ProviderID.apple.text) == true,
      let provider = try await services.projects.provider(
        .apple, in: try call.requireProject().id)
    else { throw APIError.notFound(.configurationNotFound) }
    return provider
  }

  /// The client id of the app that moves. All apps of a team have the same subjects.
  private func app(
    _ request: TransferRequest, of provider: ProviderConfiguration
  ) throws(APIError) -> String {
    if let clientID = request.clientID { return clientID }
    let apps = provider.audiences.filter { !$0.hasSameBytes(as: provider.clientID) }
    guard let app = apps.first ?? provider.audiences.first else {
      throw .invalidArgument("No app is configured for Apple: clientId is the one that moves.")
    }
    guard apps.count <= 1 else {
      throw .invalidArgument(
        "Several apps are configured for Apple: clientId is the one that moves.")
    }
    return app
  }

  private func begin(
    _ provider: ProviderConfiguration, _ app: String
  ) async throws(FederationError) -> AppleMigration {
    try await services.federation.appleMigration(
      of: app, for: provider, now: services.clock())
  }

  private func asking<Result>(
    _ body: () async throws(FederationError) -> Result
  ) async throws -> Result {
    try await Task.sleep(for: Self.requestInterval)
    do throws(FederationError) {
      return try await body()
    } catch {
      // A client tries again after 503.
      throw error.isTemporary
        ? APIError.unavailable("Apple: \(error).")
        : APIError.refused(.operationNotAllowed, "Apple: \(error).")
    }
  }
}

struct TransferRequest: WireRequest {
  private(set) var targetTeamID: String?
  private(set) var clientID: String?
  private(set) var teamID: String?
  private(set) var keyID: String?
  private(set) var privateKey: Secret<String>?
  private var pageToken: String?

  static let knownMembers = KnownMembers([
    "targetTeamId", "clientId", "teamId", "keyId", "privateKey", "pageToken",
  ])

  init(_ fields: WireFields) throws(WireError) {
    targetTeamID = try fields.nonEmptyString("targetTeamId")
    clientID = try fields.nonEmptyString("clientId")
    teamID = try fields.nonEmptyString("teamId")
    keyID = try fields.nonEmptyString("keyId")
    privateKey = try fields.nonEmptyString("privateKey").map { Secret($0) }
    pageToken = try fields.nonEmptyString("pageToken")
  }

  /// The subject after which the request continues.
  var start: Subject? {
    get throws(APIError) {
      guard let pageToken else { return nil }
      guard let subject = Subject(pageToken) else { throw .refused(.invalidPageSelection) }
      return subject
    }
  }
}

struct PreparedTransfers: WireResponse {
  let progress: TeamTransfer.Progress

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("prepared", progress.done)
    writer.member("unknown", progress.unknown)
    writer.member("nextPageToken", ifPresent: progress.next?.text)
  }
}

struct FinishedTransfers: WireResponse {
  let progress: TeamTransfer.Progress

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("moved", progress.done)
    writer.member("unknown", progress.unknown)
    writer.member("gone", progress.gone)
    writer.member("inConflict", progress.taken.map(\.text))
    writer.member("nextPageToken", ifPresent: progress.next?.text)
  }
}

struct TransferStatus: WireResponse {
  let counts: SubjectTransferCounts

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("prepared", counts.prepared)
    writer.member("moved", counts.completed)
  }
}
