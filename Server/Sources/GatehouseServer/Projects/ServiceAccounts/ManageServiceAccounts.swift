import Foundation
import GatehouseProtocol
import GatehouseTokens

/// `v2/projects/{p}/serviceAccounts`, in the form of Google's IAM API, with the roles as an extension. An account with
/// the role `admin`, and its keys, can be changed by owners only: otherwise whoever administers a project for an hour
/// could do so for ever.
struct ManageServiceAccounts: Endpoint {
  let services: APIServices
  let configuration: APIConfiguration

  var routes: [Route] {
    let all = "v2/projects/*/serviceAccounts"
    let one = "\(all)/*"
    return [
      .administrator(.get, all, "serviceAccounts.list", role: .viewer, list),
      .administrator(.post, all, "serviceAccounts.create", create),
      .administrator(.get, one, "serviceAccounts.get", role: .viewer, get),
      .administrator(.patch, one, "serviceAccounts.patch", patch),
      .administrator(.delete, one, "serviceAccounts.delete", delete),
      .administrator(.post, "\(one)/keys", "serviceAccounts.keys.create", createKey),
      .administrator(.delete, "\(one)/keys/*", "serviceAccounts.keys.delete", deleteKey),
      .server(.get, "v2/server/serviceAccountKeys", "serviceAccountKeys.list", listAddedKeys),
    ]
  }

  func list(_ call: Call) async throws -> Answer {
    let accounts = try await services.serviceAccounts.list(in: try call.requireProject().id)
    return Answer(ListResponse("accounts", accounts.map { ServiceAccountResource($0) }))
  }

  func create(_ call: Call) async throws -> Answer {
    try call.refuseUnknownMembers(ServiceAccountResource.knownMembers)
    let project = try call.requireProject().id
    let resource = try call.request(ServiceAccountResource.self)
    let text = resource.email ?? "\(resource.accountID)@\(project).iam.gserviceaccount.com"
    guard let email = EmailAddress(text) else {
      throw APIError.invalidArgument(
        "accountId is a name of a–z, 0–9 and -. In its place, email can be an address.")
    }
    let roles = try resource.roles.map { names throws(APIError) in try Self.roles(names) }
    let account = try await services.serviceAccounts.create(
      email, in: project, roles: try permitted(roles ?? [.customTokens], call), key: nil,
      now: call.now)
    return Answer(ServiceAccountResource(account))
  }

  func get(_ call: Call) async throws -> Answer {
    Answer(ServiceAccountResource(try await account(call)))
  }

  /// Changes the roles.
  func patch(_ call: Call) async throws -> Answer {
    try call.refuseUnknownMembers(ServiceAccountResource.knownMembers)
    let resource = try call.request(ServiceAccountResource.self)
    let account = try await account(call)
    try requireOwner(of: account, call)
    guard let names = resource.roles else { return Answer(ServiceAccountResource(account)) }
    let roles = try permitted(try Self.roles(names), call)
    return Answer(
      ServiceAccountResource(
        try await services.serviceAccounts.update(account.email, in: account.project) {
          $0.roles = roles
        }))
  }

  func delete(_ call: Call) async throws -> Answer {
    let account = try await account(call)
    try requireOwner(of: account, call)
    try await services.serviceAccounts.delete(account.email, in: account.project)
    return Answer(EmptyResponse())
  }

  /// Registers `publicKeyData`, base64 of a certificate or public key in PEM. Without it, creates a key, and returns its
  /// credential in `privateKeyData`: base64 of the file that Google's Admin SDKs read.
  func createKey(_ call: Call) async throws -> Answer {
    let account = try await account(call)
    try requireOwner(of: account, call)
    let request = try call.request(UploadServiceAccountKeyRequest.self)
    var credential: ServiceAccountCredential?
    let key: PublicKey
    if request.publicKeyData == nil {
      let made = try RSASigningKey.generate()
      key = try PublicKey(spkiDER: made.spkiDER)
      credential = ServiceAccountCredential(
        account.email, of: account.project, key: made, serverURL: configuration.publicURL)
    } else {
      key = try request.publicKey
    }
    let added = try await services.serviceAccounts.add(
      key, to: account.email, in: account.project, now: call.now)
    return Answer(
      ServiceAccountKeyResource(
        added, of: account.email, in: account.project, credential: credential))
  }

  /// Deletes a key, and the access tokens that were issued for its assertions.
  func deleteKey(_ call: Call) async throws -> Answer {
    let account = try await account(call)
    try requireOwner(of: account, call)
    guard
      try await services.serviceAccounts.deleteKey(
        call.path.resources.last ?? "", of: account.email, in: account.project)
    else { throw APIError.notFound("The service account has no such key.") }
    return Answer(EmptyResponse())
  }

  /// The keys that the administrator `addedBy` added, and that still exist. Somebody who was an administrator may have
  /// added one to come back.
  func listAddedKeys(_ call: Call) async throws -> Answer {
    guard let name = call.parameters.string("addedBy"), !name.isEmpty else {
      throw APIError.invalidArgument("addedBy is missing: the name of an administrator.")
    }
    let accounts = services.serviceAccounts
    try await EventLinker(store: accounts.store).run()
    var keys: [ServiceAccountKeyResource] = []
    for (email, id) in try await accounts.keys(addedBy: name) {
      guard let account = try await accounts.store.read({ try $0.serviceAccount(email) }),
        let key = account.keys.first(where: { $0.id.hasSameBytes(as: id) })
      else { continue }
      keys.append(ServiceAccountKeyResource(key, of: email, in: account.project))
    }
    return Answer(ListResponse("keys", keys))
  }

  // MARK: Parts

  private func account(_ call: Call) async throws -> ServiceAccount {
    let name = call.path.resource ?? ""
    let accounts = try await services.serviceAccounts.list(in: try call.requireProject().id)
    guard let account = accounts.first(where: { $0.email.text.hasSameBytes(as: name) }) else {
      throw ServiceAccountError.unknown
    }
    return account
  }

  private func requireOwner(of account: ServiceAccount, _ call: Call) throws(APIError) {
    if account.roles.contains(.admin) { try call.require(.owner) }
  }

  private func permitted(
    _ roles: Set<ServiceAccount.Role>, _ call: Call
  ) throws(APIError) -> Set<ServiceAccount.Role> {
    if roles.contains(.admin) { try call.require(.owner) }
    return roles
  }

  private static func roles(_ names: [String]) throws(APIError) -> Set<ServiceAccount.Role> {
    Set(
      try names.map { name throws(APIError) in
        guard let role = ServiceAccount.Role(rawValue: name) else {
          let known = ServiceAccount.Role.allCases.map(\.rawValue).joined(separator: ", ")
          throw .invalidArgument("roles holds \(known).")
        }
        return role
      })
  }
}

/// `projects/{p}/serviceAccounts/{email}`.
struct ServiceAccountResource: WireRequest, WireResponse {
  /// The name before the `@`, to create an account.
  var accountID = ""
  var email: String?
  /// An extension.
  var roles: [String]?
  private var project = ""
  private var keys: [ServiceAccountKeyResource] = []
  private var createTime: String?

  static let knownMembers = KnownMembers([
    "name", "accountId", "email", "projectId", "roles", "keys.*", "createTime",
    "serviceAccount.*",
  ])

  init(_ fields: WireFields) throws(WireError) {
    accountID = try fields.string("accountId") ?? ""
    email = try fields.nonEmptyString("email")
    roles = fields.contains("roles") ? try fields.strings("roles") : nil
  }

  init(_ account: ServiceAccount) {
    email = account.email.text
    project = account.project.text
    roles = ServiceAccount.Role.allCases.filter { account.roles.contains($0) }.map(\.rawValue)
    keys = account.keys.map {
      ServiceAccountKeyResource($0, of: account.email, in: account.project)
    }
    createTime = account.createdAt.formatted(.iso8601)
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("name", "projects/\(project)/serviceAccounts/\(email ?? "")")
    writer.member("projectId", project)
    writer.member("email", ifPresent: email)
    writer.member("roles", roles ?? [])
    writer.array("keys") { list in
      for key in keys { list.object { key.writeMembers(to: &$0) } }
    }
    writer.member("createTime", ifPresent: createTime)
  }
}
