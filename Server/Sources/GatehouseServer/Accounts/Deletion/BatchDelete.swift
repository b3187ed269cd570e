import GatehouseProtocol

/// `accounts:batchDelete`: deletes up to 1000 accounts. Unknown ids are not an error.
struct BatchDelete: Endpoint {
  let services: APIServices

  var routes: [Route] {
    [
      .administrator(
        .post, "v1/projects/*/accounts:batchDelete", "accounts.batchDelete",
        role: .support, answer)
    ]
  }

  func answer(_ call: Call) async throws -> Answer {
    let request = try call.request(BatchDeleteRequest.self)
    guard (1...BatchDeleteRequest.maximumCount).contains(request.localIDs.count) else {
      throw APIError.refused(.localIDListExceedsLimit)
    }
    // An id that no account can have is treated as unknown. The indexes of the request are kept.
    let named = request.localIDs.enumerated().compactMap { index, text in
      UID(text).map { (index: index, uid: $0) }
    }
    let left = try await services.accounts.deleteAccounts(
      named.map(\.uid), force: request.force, in: try call.requireProject(), now: call.now)
    let failures = left.map { place in
      BatchDeleteResponse.Failure(
        index: named[place].index, localID: named[place].uid.text,
        message: APIError.refused(
          .notDisabled, "Disable the account before batch deletion."
        ).message)
    }
    return Answer(BatchDeleteResponse(errors: failures))
  }
}

/// `accounts:batchDelete`.
struct BatchDeleteRequest: WireRequest {
  static let maximumCount = 1000

  var localIDs: [String]
  /// If false, only disabled accounts are deleted.
  var force: Bool

  init(_ fields: WireFields) throws(WireError) {
    localIDs = try fields.strings("localIds")
    force = try fields.bool("force") ?? false
  }
}

struct BatchDeleteResponse: WireResponse {
  var errors: [Failure]

  init(errors: [Failure]) { self.errors = errors }

  struct Failure: Hashable, Sendable {
    /// The index of the account in the request.
    var index: Int
    var localID: String
    var message: String

    init(index: Int, localID: String, message: String) {
      self.index = index
      self.localID = localID
      self.message = message
    }
  }

  func writeMembers(to writer: inout JSONWriter) {
    guard !errors.isEmpty else { return }
    writer.array("errors") { list in
      for error in errors {
        list.object {
          $0.member("index", error.index)
          $0.member("localId", error.localID)
          $0.member("message", error.message)
        }
      }
    }
  }
}
