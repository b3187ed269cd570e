import Foundation
import GatehouseProtocol

/// `v2/server/consoleUsers`: who administers with the console.
struct ManageConsoleUsers: Endpoint {
  let services: APIServices
  let configuration: APIConfiguration

  var routes: [Route] {
    let all = "v2/server/consoleUsers"
    let one = "\(all)/*"
    return [
      .server(.get, all, "consoleUsers.list", list),
      .server(.post, all, "consoleUsers.create", create),
      .server(.patch, one, "consoleUsers.patch", patch),
      .server(.delete, one, "consoleUsers.delete", delete),
      .server(.post, "\(one):invite", "consoleUsers.invite", invite),
    ]
  }

  private var users: ConsoleUsers {
    ConsoleUsers(services: services, publicURL: configuration.publicURL)
  }

  func list(_ call: Call) async throws -> Answer {
    Answer(
      ListResponse("consoleUsers", try await users.all().map { ConsoleUserResource($0) }))
  }

  /// Creates a user, and the first invitation.
  func create(_ call: Call) async throws -> Answer {
    let resource = try request(call)
    guard resource.uid.utf8.count <= 64, !resource.uid.isEmpty,
      resource.uid.utf8.allSatisfy({
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E
      })
    else {
      throw APIError.invalidArgument("uid is a name of at most 64 characters a–z, 0–9, . and -.")
    }
    let uid = try UID(checking: resource.uid)
    let email = try resource.email.map { text throws(APIError) in
      try EmailAddress(checking: text)
    }
    let user = try await users.create(
      uid, email: email, try AdministratorRole(checking: resource.role),
      of: try await project(of: resource),
      now: call.now)
    return Answer(
      ConsoleUserResource(user, invitationURL: try await users.invite(uid, now: call.now)))
  }

  /// Changes the role, and the project if the body has it.
  func patch(_ call: Call) async throws -> Answer {
    let resource = try request(call)
    let uid = try uid(call)
    let project =
      call.fields.contains("project")
      ? try await project(of: resource) : try await users.user(uid).project
    return Answer(
      ConsoleUserResource(
        try await users.change(
          uid, to: try AdministratorRole(checking: resource.role), of: project, now: call.now)))
  }

  func delete(_ call: Call) async throws -> Answer {
    try await users.remove(try uid(call), now: call.now)
    return Answer(EmptyResponse())
  }

  func invite(_ call: Call) async throws -> Answer {
    let uid = try uid(call)
    let url = try await users.invite(uid, now: call.now)
    return Answer(ConsoleUserResource(try await users.user(uid), invitationURL: url))
  }

  private func uid(_ call: Call) throws(APIError) -> UID {
    try UID(checking: call.path.resource ?? "")
  }

  private func request(_ call: Call) throws -> ConsoleUserResource {
    try call.refuseUnknownMembers(ConsoleUserResource.knownMembers)
    return try call.request(ConsoleUserResource.self)
  }

  private func project(of resource: ConsoleUserResource) async throws -> ProjectID? {
    guard let name = resource.project else { return nil }
    guard let id = ProjectID(name), !id.isConsole,
      try await services.projects.projectForAdministrator(id) != nil
    else { throw APIError.notFound(.projectNotFound) }
    return id
  }
}

struct ConsoleUserResource: WireRequest, WireResponse {
  var uid = ""
  var email: String?
  var role = ""
  /// Nil: all projects.
  var project: String?
  private var user: ConsoleUser?
  /// Only in the response that created it.
  private var invitationURL: String?

  static let knownMembers = KnownMembers([
    "uid", "email", "role", "project", "state", "factors", "createTime", "lastSignInTime",
  ])

  init(_ user: ConsoleUser, invitationURL: String? = nil) {
    uid = user.account.uid.text
    email = user.account.email?.text
    role = user.role.rawValue
    project = user.project?.text
    self.user = user
    self.invitationURL = invitationURL
  }

  init(_ fields: WireFields) throws(WireError) {
    uid = try fields.string("uid") ?? ""
    email = try fields.nonEmptyString("email")
    role = try fields.string("role") ?? ""
    project = try fields.nonEmptyString("project")
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("uid", uid)
    writer.member("email", ifPresent: email)
    writer.member("role", role)
    writer.member("project", ifPresent: project)
    writer.member("invitationUrl", ifPresent: invitationURL)
    guard let account = user?.account else { return }
    writer.member("state", user?.canSignIn == true ? "active" : "invited")
    writer.member("createTime", account.createdAt.withMilliseconds)
    writer.member("lastSignInTime", ifPresent: account.lastLoginAt?.withMilliseconds)
    writer.array("factors") { factors in
      if account.passkeys.all > 0 { factors.value("passkey") }
      if !(account.secondFactors?.factors.isEmpty ?? true) { factors.value("totp") }
    }
  }
}
