import GatehouseJSON
import GatehouseWire

/// Settings of Google's resource for what this server doesn't do.
///
/// To store one, or to pass over it, would tell an administrator that it holds. Turned off they say
/// what is the case: so a resource that was read elsewhere can be sent here.
enum UnsupportedSettings {
  /// Paths as a mask has them.
  private static let paths = [
    "mfa", "multiTenant", "blockingFunctions", "smsRegionConfig",
    "recaptchaConfig", "mobileLinksConfig", "notification", "quota", "monitoring",
    "autodeleteAnonymousUsers", "defaultHostingSite",
  ]

  /// The first of them that the request turns on; nil if there is none.
  static func first(in fields: WireFields, under mask: FieldMask) -> String? {
    paths.first { path in
      guard let value = value(at: path, in: fields.object) else { return false }
      return mask.touches(path) && !isOff(value)
    }
  }

  private static func value(at path: String, in object: JSONObject) -> JSONValue? {
    path.split(separator: ".").reduce(JSONValue?.some(.object(object))) { value, name in
      value?[String(name)]
    }
  }

  /// Whether nothing is on in it: false, zero, empty, or an enumerator that says so.
  private static func isOff(_ value: JSONValue) -> Bool {
    switch value {
    case .null: true
    case .bool(let bool): !bool
    case .number(let number): number.int64 == 0
    case .string(let text):
      ["", "0", "OFF", "DISABLED"].contains { $0.utf8.elementsEqual(text.utf8) }
    case .array(let elements): elements.isEmpty
    case .object(let object): object.members.allSatisfy { isOff($0.value) }
    }
  }
}
