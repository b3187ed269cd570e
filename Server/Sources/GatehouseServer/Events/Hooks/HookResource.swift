import Foundation
import GatehouseProtocol

/// `projects/{p}/hooks/{id}`: a receiver of events, for an administrator. Our own: Google's service has no
/// such resource.
///
/// In a request, an absent field changes nothing, but a field that the mask names and the body
/// lacks gets its default. `url` has no default: the request is rejected.
struct HookResource: WireRequest, WireResponse {
  /// `projects/{p}/hooks/{id}`. Not read.
  var name = ""
  var url: String?
  /// Names of events; empty: all about accounts.
  var events: [String]?
  /// `json` or `token`.
  var form: String?
  var enabled: Bool?
  /// RFC 3339. Not read.
  var createTime: String?
  /// Only in the response that created it.
  var secret: Secret<String>?

  static let knownMembers = KnownMembers([
    "name", "url", "events", "form", "enabled", "createTime",
  ])

  init(_ fields: WireFields) throws(WireError) {
    url = try fields.string("url")
    events = fields.contains("events") ? try fields.strings("events") : nil
    form = try fields.string("form")
    enabled = try fields.bool("enabled")
  }

  /// - Parameter showsSecret: Whether the newest secret was just created.
  init(_ hook: Hook, of project: ProjectID, showsSecret: Bool = false) {
    name = "projects/\(project.text)/hooks/\(hook.id.text)"
    url = hook.url
    events = hook.kinds.map(\.rawValue).sorted()
    form = hook.form.rawValue
    enabled = hook.isEnabled
    createTime = hook.createdAt.formatted(.iso8601)
    if showsSecret { secret = hook.secrets.first?.text }
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("name", name)
    writer.member("url", ifPresent: url)
    writer.member("events", events ?? [])
    writer.member("form", ifPresent: form)
    writer.member("enabled", enabled ?? false)
    writer.member("createTime", ifPresent: createTime)
    writer.member("secret", ifPresent: secret?.reveal())
  }
}

struct HookListResponse: WireResponse {
  let hooks: [HookResource]

  func writeMembers(to writer: inout JSONWriter) {
    writer.array("hooks") { list in
      for hook in hooks { list.object { hook.writeMembers(to: &$0) } }
    }
  }
}
