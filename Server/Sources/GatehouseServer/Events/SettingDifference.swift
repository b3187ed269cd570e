import Foundation
import GatehouseProtocol

/// What differs between two states of a setting: the details `from.<member>` and `to.<member>` of its event.
///
/// Finds the members by reflection, so that a member that is added to a setting is recorded without more code.
/// The value of a `Secret` is compared and never shown.
struct SettingDifference {
  private(set) var details: [String: String] = [:]

  /// Further members are only counted, in the detail `more`.
  private static let maximumMembers = 50

  /// - Parameters:
  ///   - before: Nil: the setting is new.
  ///   - after: Nil: the setting was deleted.
  ///   - standard: What a setting that is new or was deleted is compared with.
  init(from before: Any?, to after: Any?, standard: Any? = nil) {
    let old = SettingMembers(of: before ?? standard).leaves
    let new = SettingMembers(of: after ?? standard).leaves
    let names = Set(old.keys).union(new.keys).filter { old[$0]?.value != new[$0]?.value }.sorted()
    for name in names.prefix(Self.maximumMembers) {
      let former = before == nil ? nil : old[name]?.shown
      let present = after == nil ? nil : new[name]?.shown
      if let former, former == present {
        details["to.\(name)"] = "changed"
      } else if before == nil || after == nil, (former ?? present ?? "").isEmpty {
        continue
      } else {
        details["from.\(name)"] = former
        details["to.\(name)"] = present
      }
    }
    if names.count > Self.maximumMembers {
      details["more"] = String(names.count - Self.maximumMembers)
    }
  }
}

/// The members of a setting, by name. A member within another has both names, with a dot between them.
private struct SettingMembers {
  private(set) var leaves: [String: Leaf] = [:]

  /// The event has these itself, or they change with every save.
  private static let omitted: Set = ["id", "project", "createdAt", "updatedAt"]

  init(of setting: Any?) {
    if let setting { add(setting, named: "", at: "") }
  }

  private mutating func add(_ value: Any, named name: String, at path: String) {
    // Bytes that aren't secret, such as a public key, belong to an id that is recorded.
    if Self.omitted.contains(name) || value is [UInt8] { return }
    if let leaf = Leaf(value, named: name) {
      leaves[path] = leaf
      return
    }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional: for wrapped in mirror.children { add(wrapped.value, named: name, at: path) }
    case .collection, .set:
      add(mirror.children.map(\.value), style: mirror.displayStyle, named: name, at: path)
    default: add(mirror.children, at: path)
    }
  }

  private mutating func add(_ children: some Sequence<Mirror.Child>, at path: String) {
    for child in children {
      guard let label = child.label else { continue }
      add(child.value, named: label, at: path.isEmpty ? label : "\(path).\(label)")
    }
  }

  /// Values, or objects that their first members name.
  private mutating func add(
    _ elements: [Any], style: Mirror.DisplayStyle?, named name: String, at path: String
  ) {
    var names: [Leaf] = []
    for element in elements {
      if let leaf = Leaf(element, named: name) {
        names.append(leaf)
        continue
      }
      let children = Mirror(reflecting: element).children
      let first = children.first.flatMap { Leaf($0.value, named: $0.label ?? name) }
      let leaf = first ?? Leaf(text: String(names.count))
      names.append(leaf)
      add(children.dropFirst(), at: "\(path).\(leaf.shown)")
    }
    if style == .set { names.sort { $0.value < $1.value } }
    leaves[path] = Leaf(list: names)
  }

  /// A value without members.
  struct Leaf {
    /// For the comparison. May be secret.
    let value: String
    let shown: String

    private static let hidden = "…"
    private static let maximumCharacters = 200
    /// Long texts, a key, and personal data.
    private static let hiddenNames: Set = ["text", "html", "apiKey", "testNumbers"]
    /// Their paths and queries may contain secrets.
    private static let receiverNames: Set = ["url", "notificationForwardURL"]

    /// Nil for a value that has members.
    init?(_ value: Any, named name: String) {
      switch value {
      case let secret as Secret<String>: self.init(secret: secret.reveal())
      case let secret as Secret<[UInt8]>: self.init(secret: "\(secret.reveal())")
      case let date as Date: self.init(text: date.formatted(.iso8601))
      case let value as any ByteExact: self.init(text: value.text, named: name)
      case let value as any RawRepresentable: self.init(text: "\(value.rawValue)")
      case let value as any LosslessStringConvertible:
        self.init(text: value.description, named: name)
      default:
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .struct where mirror.children.count == 1:
          // A type of secrets, such as `WebhookSecret`.
          guard let only = mirror.children.first.flatMap({ Leaf($0.value, named: "") }),
            only.shown == Self.hidden
          else { return nil }
          self = only
        case .dictionary: self.init(secret: "\(mirror.children.map { "\($0.value)" }.sorted())")
        case .enum where mirror.children.isEmpty: self.init(text: "\(value)")
        default: return nil
        }
      }
    }

    init(text: String, named name: String = "") {
      value = text
      if Self.hiddenNames.contains(name) {
        shown = Self.hidden
      } else if Self.receiverNames.contains(name) {
        shown = Self.origin(of: text)
      } else {
        shown = Self.cut(text)
      }
    }

    private init(secret: String) {
      value = secret
      shown = Self.hidden
    }

    init(list: [Leaf]) {
      value = list.map(\.value).joined(separator: "\n")
      shown =
        list.contains { $0.shown == Self.hidden }
        ? Self.hidden : Self.cut(list.map(\.shown).joined(separator: ", "))
    }

    private static func cut(_ text: String) -> String {
      let characters = text.unicodeScalars
      return characters.count > maximumCharacters
        ? String(characters.prefix(maximumCharacters)) + hidden : text
    }

    /// `https://host/…`
    private static func origin(of url: String) -> String {
      guard let parts = URLComponents(string: url), let scheme = parts.scheme, let host = parts.host
      else { return hidden }
      return cut("\(scheme)://\(host)\(parts.port.map { ":\($0)" } ?? "")/\(hidden)")
    }
  }
}
