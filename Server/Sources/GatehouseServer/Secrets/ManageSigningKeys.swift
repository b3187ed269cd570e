import Foundation
import GatehouseProtocol

/// `v2/server/signingKeys`: the keys that sign ID tokens, session cookies and checkpoints of the event log.
struct ManageSigningKeys: Endpoint {
  let services: APIServices

  var routes: [Route] {
    let path = "v2/server/signingKeys"
    return [
      .server(.get, path, "signingKeys.list", role: .viewer, list),
      .server(.post, "\(path):rotate", "signingKeys.rotate", rotate),
    ]
  }

  private var store: any Store { services.accounts.store }

  func list(_ call: Call) async throws -> Answer {
    let keys = try await store.read { transaction in
      try SigningKeyRecord.Ring.allCases.flatMap { try transaction.signingKeys(of: $0) }
    }
    return Answer(ListResponse("keys", keys.map { SigningKeyResource($0) }))
  }

  /// Publishes new keys of one kind, which sign two hours later, or at once if the request says so.
  func rotate(_ call: Call) async throws -> Answer {
    try call.refuseUnknownMembers(RotateKeysRequest.knownMembers)
    let request = try call.request(RotateKeysRequest.self)
    var keys: [SigningKeyRecord] = []
    for ring in try request.use().rings {
      let rotation = SigningKeyRotation(ring: ring, store: store)
      keys +=
        request.now || request.discardsAll
        ? try await rotation.rotate(now: call.now, discardingAll: request.discardsAll)
        : try await rotation.rotateSoon(now: call.now)
    }
    return Answer(ListResponse("keys", keys.map { SigningKeyResource($0) }))
  }
}

/// A key without its private part.
private struct SigningKeyResource: WireResponse {
  let key: SigningKeyRecord

  init(_ key: SigningKeyRecord) { self.key = key }

  private var state: String {
    key.retiredAt != nil ? "retired" : key.activatedAt != nil ? "active" : "next"
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("keyId", key.keyID)
    writer.member("use", key.ring.use)
    writer.member("algorithm", key.ring.algorithm.rawValue)
    writer.member("state", state)
    writer.member("publishTime", key.publishedAt.formatted(.iso8601))
    writer.member(
      "signsFrom", ifPresent: (key.activatedAt ?? key.signsFrom)?.formatted(.iso8601))
    writer.member("retireTime", ifPresent: key.retiredAt?.formatted(.iso8601))
  }
}

extension SigningKeyRecord.Ring {
  fileprivate var use: String {
    switch self {
    case .idTokens, .idTokensES256: "idTokens"
    case .sessionCookies, .sessionCookiesES256: "sessionCookies"
    case .eventLog: "eventLog"
    }
  }
}

private struct RotateKeysRequest: WireRequest {
  private let useName: String?
  let now: Bool
  let discardsAll: Bool

  static let knownMembers = KnownMembers(["use", "now", "discardAll"])

  init(_ fields: WireFields) throws(WireError) {
    useName = try fields.nonEmptyString("use")
    now = try fields.bool("now") ?? false
    discardsAll = try fields.bool("discardAll") ?? false
  }

  func use() throws(APIError) -> TokenSigningKeys.Use {
    switch useName {
    case nil, "idTokens": .idTokens
    case "sessionCookies": .sessionCookies
    default: throw .invalidArgument("use is idTokens or sessionCookies.")
    }
  }
}
