import Foundation

/// A request's path in the form by which routes are found.
///
/// A prefix with one of Google's hosts (`/identitytoolkit.googleapis.com/v1/…`, as clients address
/// an emulator) is removed, and so is `admin/` before `v2/`: Google serves its configuration at both
/// paths. A project id and a resource id are replaced by `*`. The rest stays
/// unchanged: `v1/projects/*/accounts:lookup`. There is no leading slash, except in the root: `/`.
struct RequestPath: Sendable {
  /// Compared with the patterns of ``Routes``.
  private(set) var pattern: String
  /// The project in the path, as written there.
  private(set) var project: String?
  /// The ids after collections, from the left: `hooks/{id}[:verb]`, `serviceAccounts/{id}/keys/{id}`. An id that
  /// can't be decoded is empty. In `__/auth/handler/{p}/{id}` and `__/auth/keys/{p}/{id}`, the provider; in
  /// `console/{file}`, the name of the file.
  private(set) var resources: [String] = []

  /// The first of ``resources``.
  var resource: String? { resources.first }

  /// Whether the path belongs to the administrator's API or the emulator's, even if no route
  /// exists.
  var isAdministrative: Bool {
    pattern.utf8.starts(with: "emulator/".utf8) || pattern.utf8.elementsEqual("v2/projects".utf8)
      || pattern.utf8.starts(with: "v2/server/".utf8)
      || pattern.utf8.dropFirst(2).starts(with: "/projects/*".utf8)
  }

  /// The longest path, in bytes. No route is longer.
  private static let maximumBytes = 1024

  private static let hosts = [
    "identitytoolkit.googleapis.com", "securetoken.googleapis.com", "www.googleapis.com",
  ]

  init(_ path: String) {
    pattern = ""
    guard path.utf8.count <= Self.maximumBytes else { return }
    if path.utf8.elementsEqual("/".utf8) {
      pattern = "/"
      return
    }
    var segments = path.utf8.split(separator: UInt8(ascii: "/"))[...]
    if let first = segments.first, Self.hosts.contains(where: { first.elementsEqual($0.utf8) }) {
      segments = segments.dropFirst()
    }
    if segments.starts(with: ["identitytoolkit", "v3"], by: Self.isSame) {
      segments = segments.dropFirst(2)
    }
    if segments.starts(with: ["admin", "v2"], by: Self.isSame) { segments = segments.dropFirst() }
    var parts = segments.map { String(decoding: $0, as: UTF8.self) }
    takeProject(from: &parts)
    if parts.count >= 5, parts[1] == "projects" {
      takeResources(from: &parts, at: 4)
    } else if parts.count >= 4, parts[..<2] == ["v2", "server"] {
      takeResources(from: &parts, at: 3)
    } else if parts.count == 5, parts[..<2] == ["__", "auth"],
      ["handler", "keys"].contains(parts[2])
    {
      // Not decoded: a redirect URI is compared byte for byte (RFC 9700 §2.1).
      project = parts[3]
      resources = [parts[4]]
      parts[3...4] = ["*", "*"]
    } else if parts.count == 2, parts[0] == "console", parts[1].contains(".") {
      resources = [parts[1]]
      parts[1] = "*"
    }
    pattern = parts.joined(separator: "/")
  }

  /// `v1/projects/{p}/…`, `v1/projects/{p}:verb`, `emulator/v1/projects/{p}/…`,
  /// `v1/notifications/{provider}/{p}` and `{p}[/session]/.well-known/…`.
  private mutating func takeProject(from parts: inout [String]) {
    let place: Int
    if parts.count >= 3, parts[1] == "projects" {
      place = 2
    } else if parts.count == 4, parts[1] == "notifications" {
      place = 3
    } else if parts.count >= 4, parts[0] == "emulator", parts[2] == "projects" {
      place = 3
    } else if parts.count == 3 && parts[1] == ".well-known"
      || parts.count == 4 && parts[1] == "session" && parts[2] == ".well-known"
    {
      place = 0
    } else {
      return
    }
    let named = parts[place]
    let colon = named.utf8.firstIndex(of: UInt8(ascii: ":")) ?? named.endIndex
    project = String(named[..<colon]).removingPercentEncoding
    parts[place] = "*" + named[colon...]
  }

  /// Takes the ids from a path of collections and ids in turn. A verb is the letters after the last colon: ids of
  /// apps contain colons too.
  private mutating func takeResources(from parts: inout [String], at first: Int) {
    for place in stride(from: first, to: parts.count, by: 2) {
      let part = parts[place]
      var end = part.endIndex
      if let colon = part.utf8.lastIndex(of: UInt8(ascii: ":")),
        part.utf8[colon...].dropFirst().allSatisfy({ (0x61...0x7A).contains($0 | 0x20) })
      {
        end = colon
      }
      resources.append(String(part[..<end]).removingPercentEncoding ?? "")
      parts[place] = "*" + part[end...]
    }
  }

  private static func isSame(_ left: Substring.UTF8View, _ right: String) -> Bool {
    left.elementsEqual(right.utf8)
  }
}
