import Foundation
import GatehouseProtocol

/// `v2/server/adminKeys` and `v2/projects/{p}/adminKeys`: the keys with which administrators and their scripts call
/// this API. The key itself is only in the response that created it.
struct ManageAdminKeys: Endpoint {
  let services: APIServices

  var routes: [Route] {
    let server = "v2/server/adminKeys"
    let project = "v2/projects/*/adminKeys"
    return [
      .server(.get, server, "adminKeys.list", list),
      .server(.post, server, "adminKeys.create", create),
      .server(.delete, "\(server)/*", "adminKeys.delete", delete),
      .administrator(.get, project, "project.adminKeys.list", role: .owner, list),
      .administrator(.post, project, "project.adminKeys.create", role: .owner, create),
      .administrator(.delete, "\(project)/*", "project.adminKeys.delete", role: .owner, delete),
    ]
  }

  /// All keys; for a project only its own.
  func list(_ call: Call) async throws -> Answer {
    let keys = try await services.adminKeys.list().filter {
      call.project == nil || $0.project == call.project?.id
    }
    return Answer(ListResponse("adminKeys", keys.map { AdminKeyResource($0) }))
  }

  func create(_ call: Call) async throws -> Answer {
    try call.refuseUnknownMembers(AdminKeyResource.knownMembers)
    let resource = try call.request(AdminKeyResource.self)
    let role = try AdministratorRole(checking: resource.role)
    let expiry = try resource.expireTime.map { text throws(APIError) in
      guard let date = try? Date(text, strategy: .iso8601), date > call.now else {
        throw .invalidArgument("expireTime is not a later time such as 2027-06-30T12:00:00Z.")
      }
      return date
    }
    let (key, record) = try await services.adminKeys.create(
      for: call.project?.id, role: role, expiresAt: expiry, now: call.now)
    return Answer(AdminKeyResource(record, key: key))
  }

  /// A running server refuses the key at once.
  func delete(_ call: Call) async throws -> Answer {
    let prefix = call.path.resource ?? ""
    let known = try await services.adminKeys.list().contains {
      $0.prefix.hasSameBytes(as: prefix)
        && (call.project == nil || $0.project == call.project?.id)
    }
    guard known, try await services.adminKeys.delete(prefix: prefix) else {
      throw APIError.notFound("There is no such key.")
    }
    return Answer(EmptyResponse())
  }
}

/// An administrator's key.
struct AdminKeyResource: WireRequest, WireResponse {
  var role = ""
  /// RFC 3339; nil for a key that is valid until it is deleted.
  var expireTime: String?
  private var prefix = ""
  /// Nil: all projects.
  private var project: String?
  private var createTime: String?
  /// Only in the response that created it.
  private var key: Secret<String>?

  static let knownMembers = KnownMembers([
    "prefix", "role", "project", "createTime", "expireTime",
  ])

  init(_ fields: WireFields) throws(WireError) {
    role = try fields.string("role") ?? AdministratorRole.administrator.rawValue
    expireTime = try fields.nonEmptyString("expireTime")
  }

  init(_ record: AdminKeyRecord, key: Secret<String>? = nil) {
    prefix = record.prefix
    role = record.role.rawValue
    project = record.project?.text
    createTime = record.createdAt.formatted(.iso8601)
    expireTime = record.expiresAt?.formatted(.iso8601)
    self.key = key
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("prefix", prefix)
    writer.member("role", role)
    writer.member("project", ifPresent: project)
    writer.member("createTime", ifPresent: createTime)
    writer.member("expireTime", ifPresent: expireTime)
    writer.member("key", ifPresent: key?.reveal())
  }
}
