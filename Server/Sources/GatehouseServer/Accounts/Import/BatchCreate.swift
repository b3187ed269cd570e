import GatehouseProtocol
import GatehouseTokens

/// `accounts:batchCreate`: imports up to 1000 accounts of another system.
///
/// Each account is accepted or rejected separately. Wrong hash parameters and exceeded limits reject the whole
/// request; so do duplicates in it (unless it allows them), and hashes and salts that aren't base64, unless it has
/// our extension `existing`.
struct BatchCreate: Endpoint {
  let services: APIServices
  let configuration: APIConfiguration

  var routes: [Route] {
    ["v1/projects/*/accounts:batchCreate", "relyingparty/uploadAccount"].map {
      .administrator(.post, $0, "accounts.batchCreate", bodyBytes: Self.bodyBytes, answer)
    }
  }

  /// The server hashes each of these passwords, which takes about a tenth of a second.
  private static let maximumPlainPasswords = 200

  /// Enough for a thousand accounts with a name, a picture and two providers each.
  static let bodyBytes = 8 << 20

  func answer(_ call: Call) async throws -> Answer {
    let request = try call.request(BatchCreateRequest.self)
    let project = try call.requireProject()
    guard !request.users.isEmpty else { throw APIError.refused(.missingUserAccount) }
    guard request.users.count <= BatchCreateRequest.maximumCount else {
      throw APIError.refused(
        .maximumUserCountExceeded, "At most \(BatchCreateRequest.maximumCount) users at once.")
    }
    let acceptsFakeHash = configuration.development != nil
    var options = ImportOptions()
    options.existing = request.allowOverwrite ? .replace : .refuse
    options.isTrial = request.validateOnly
    if let existing = try request.namedExisting() {
      options.existing = existing
    } else {
      try Self.refuseDuplicates(in: request)
      try Self.refuseBrokenHashes(in: request, acceptsFakeHash: acceptsFakeHash)
    }
    options.scheme = try request.hash.scheme()
    var failures: [BatchCreateResponse.Failure] = []
    var accounts: [(index: Int, account: ImportedAccount)] = []
    for (index, user) in request.users.enumerated() {
      do {
        accounts.append(
          (index, try ImportedAccount(user, acceptsFakeHash: acceptsFakeHash)))
      } catch {
        failures.append(.init(index: index, message: error.message))
      }
    }
    guard accounts.count(where: { $0.account.plainPassword != nil }) <= Self.maximumPlainPasswords
    else {
      throw APIError.refused(
        .maximumUserCountExceeded,
        "At most \(Self.maximumPlainPasswords) users with a "
          + "rawPassword at once.")
    }
    let outcome = try await services.accounts.importAccounts(
      accounts.map(\.account), options, in: project, now: call.now)
    failures += outcome.refusals.map { place, refusal in
      .init(index: accounts[place].index, message: ImportRowError(refusal).message)
    }
    return Answer(
      BatchCreateResponse(
        errors: failures.sorted { $0.index < $1.index },
        counts: request.existing == nil ? nil : (outcome.imported, outcome.kept)))
  }

  /// - Throws: `WireError`: bytes that can't be decoded invalidate the whole request.
  private static func refuseBrokenHashes(
    in request: BatchCreateRequest, acceptsFakeHash: Bool
  ) throws(WireError) {
    for (index, user) in request.users.enumerated() {
      // Neither the emulator's fake hash nor its salt is base64.
      if acceptsFakeHash, user.passwordHash.flatMap(EmulatorHash.password) != nil { continue }
      for (name, text) in [("passwordHash", user.passwordHash), ("salt", user.salt)] {
        if let text, AnyBase64.decode(text) == nil {
          throw WireError(field: "users[\(index)].\(name)", wanted: .bytes)
        }
      }
    }
  }

  /// Refuses emails and identities that occur twice if `sanityCheck` is set, and user ids that occur
  /// twice unless `allowOverwrite` is set.
  ///
  /// - Throws: ``APIError`` with `DUPLICATE_EMAIL`, `DUPLICATE_RAW_ID` or `DUPLICATE_LOCAL_ID`.
  private static func refuseDuplicates(in request: BatchCreateRequest) throws(APIError) {
    var seen: Set<[UInt8]> = []
    func isNew(_ text: String) -> Bool { seen.insert(Array(text.utf8)).inserted }
    if request.sanityCheck {
      for email in request.users.compactMap(\.email) {
        // In the form in which it will be stored: upper and lower case count as the same.
        guard isNew(EmailAddress(email)?.text ?? email) else {
          throw .refused(.duplicateEmail, email)
        }
      }
      for info in request.users.flatMap(\.providers) {
        guard let provider = info.providerID, let rawID = info.rawID else { continue }
        guard isNew("\(provider)\u{0}\(rawID)") else {
          throw .refused(.duplicateRawID, "Provider id(\(provider)), Raw id(\(rawID))")
        }
      }
    }
    if !request.allowOverwrite {
      seen = []
      for localID in request.users.compactMap(\.localID) where !isNew(localID) {
        throw .refused(.duplicateLocalID, localID)
      }
    }
  }
}

/// `accounts:batchCreate`: imports accounts of another system.
struct BatchCreateRequest: WireRequest {
  static let maximumCount = 1000

  var users: [UploadedUser]
  var hash: HashParameters
  /// Refuses the whole request if it contains an email address or identity twice.
  var sanityCheck: Bool
  /// Replaces accounts that already exist, and accepts a user id that occurs twice in the request.
  var allowOverwrite: Bool
  /// An extension: `refuse`, `keep` or `replace` an account that exists already.
  var existing: String?
  /// An extension (AIP-163): writes nothing.
  var validateOnly: Bool

  /// - Throws: ``APIError`` for another word.
  func namedExisting() throws(APIError) -> ImportOptions.Existing? {
    guard let existing else { return nil }
    guard let known = ImportOptions.Existing(rawValue: existing) else {
      throw .invalidArgument("existing is refuse, keep or replace.")
    }
    return known
  }

  init(_ fields: WireFields) throws(WireError) {
    users = []
    for message in try fields.messages("users") { users.append(try UploadedUser(message)) }
    hash = try HashParameters(fields)
    sanityCheck = try fields.bool("sanityCheck") ?? false
    allowOverwrite = try fields.bool("allowOverwrite") ?? false
    existing = try fields.nonEmptyString("existing")
    validateOnly = try fields.bool("validateOnly") ?? false
  }
}

struct BatchCreateResponse: WireResponse {
  var errors: [Failure]
  /// An extension: how many accounts were imported, or could be, and how many existed and were kept.
  var counts: (imported: Int, kept: Int)?

  struct Failure: Hashable, Sendable {
    /// The index of the account in the request.
    var index: Int
    var message: String

    init(index: Int, message: String) {
      self.index = index
      self.message = message
    }
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("kind", "identitytoolkit#UploadAccountResponse")
    writer.member("imported", ifPresent: counts.map { Int64($0.imported) })
    writer.member("kept", ifPresent: counts.map { Int64($0.kept) })
    guard !errors.isEmpty else { return }
    writer.array("error") { list in
      for error in errors {
        list.object {
          $0.member("index", error.index)
          $0.member("message", error.message)
        }
      }
    }
  }
}
