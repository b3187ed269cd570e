package import Foundation
import GatehouseProtocol

/// The values of a `GoogleService-Info.plist`, or of an equivalent JSON file.
package struct ServiceInfo: Sendable {
  package enum Key: String, Sendable, CaseIterable {
    case serverURL, apiKey, projectID, bundleID, clientID, googleAppID, senderID, reversedClientID
    case formerGoogleAppID, formerAPIKey

    /// The key in a property list of Firebase.
    package var firebase: String {
      switch self {
      case .serverURL: "GATEHOUSE_URL"
      case .apiKey: "API_KEY"
      case .projectID: "PROJECT_ID"
      case .bundleID: "BUNDLE_ID"
      case .clientID: "CLIENT_ID"
      case .googleAppID: "GOOGLE_APP_ID"
      case .senderID: "GCM_SENDER_ID"
      case .reversedClientID: "REVERSED_CLIENT_ID"
      case .formerGoogleAppID: "FORMER_GOOGLE_APP_ID"
      case .formerAPIKey: "FORMER_API_KEY"
      }
    }
  }

  package static let longestBytes = 1 << 20

  /// The name of the file in errors.
  package let name: String
  /// All strings of the file, by the key as written there. A `google-services.json` is converted to
  /// Firebase's keys.
  package let values: [String: String]
  private let isOwnJSON: Bool

  /// - Throws: ``ConfigurationFault`` if the data is too long, or neither a property list nor a
  ///   JSON object, or if the value of a `Key` isn't a string.
  package init(_ data: Data, name: String) throws(ConfigurationFault) {
    self.name = name
    guard data.count <= Self.longestBytes else {
      throw ConfigurationFault("\(name) is longer than \(Self.longestBytes) bytes")
    }
    let blank: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
    if data.first(where: { !blank.contains($0) }) == UInt8(ascii: "{") {
      guard let object = try? JSONObject(parsing: Array(data)) else {
        throw ConfigurationFault("\(name) isn't valid JSON")
      }
      values = try Self.values(of: object, name: name)
      isOwnJSON = object["apiKey"] != nil || object["serverURL"] != nil
    } else {
      // Unsafe for the pointer that it takes: there is none.
      let list = try? unsafe PropertyListSerialization.propertyList(
        from: data, options: [], format: nil)
      guard let list = list as? [String: Any] else {
        throw ConfigurationFault("\(name) is neither a property list with keys nor a JSON object")
      }
      var values: [String: String] = [:]
      for (key, value) in list {
        if let text = value as? String {
          values[key] = text
        } else if Key.allCases.contains(where: { $0.firebase == key }) {
          throw ConfigurationFault("\(name): \(key) isn't a string")
        }
      }
      self.values = values
      isOwnJSON = false
    }
  }

  /// Nil if the key is absent or empty.
  package subscript(key: Key) -> String? {
    for name in [key.firebase, key.rawValue] {
      if let value = values[name], !value.isEmpty { return value }
    }
    return nil
  }

  /// - Throws: ``ConfigurationFault``, with what to do.
  package func required(_ key: Key) throws(ConfigurationFault) -> String {
    if let value = self[key] { return value }
    let remedy =
      switch key {
      case .serverURL:
        ": Firebase's console doesn't write it. Create the file with gatehouse apps add, or pass "
          + "the server's URL"
      case .formerAPIKey: ": copy API_KEY from the file of Firebase's console"
      default: ": create the file with gatehouse apps add"
      }
    throw ConfigurationFault("\(name) has no \(spelling(of: key))\(remedy)")
  }

  /// The key as written in this kind of file.
  package func spelling(of key: Key) -> String { isOwnJSON ? key.rawValue : key.firebase }

  // MARK: JSON

  private static func values(of object: JSONObject, name: String)
    throws(ConfigurationFault) -> [String: String]
  {
    if object["project_info"]?.object != nil { return googleServices(object) }
    var values: [String: String] = [:]
    for member in object.members {
      if let text = member.value.string {
        values[member.name] = text
      } else if Key.allCases.contains(where: {
        $0.firebase == member.name || $0.rawValue == member.name
      }) {
        throw ConfigurationFault("\(name): \(member.name) isn't a string")
      }
    }
    return values
  }

  /// Google's format for Android: `project_info`, and the first of the `client` entries.
  private static func googleServices(_ object: JSONObject) -> [String: String] {
    let project = object["project_info"]
    let client = object["client"]?.array?.first
    let information = client?["client_info"]
    // Type 3 is the client id of the app's server; the project accepts tokens for it.
    let oauth = client?["oauth_client"]?.array ?? []
    let found: [Key: String?] = [
      .serverURL: object[Key.serverURL.firebase]?.string,
      .projectID: project?["project_id"]?.string,
      .senderID: project?["project_number"]?.string,
      .apiKey: client?["api_key"]?.array?.first?["current_key"]?.string,
      .googleAppID: information?["mobilesdk_app_id"]?.string,
      .bundleID: information?["android_client_info"]?["package_name"]?.string,
      .clientID: (oauth.first { $0["client_type"]?.int64 == 3 } ?? oauth.first)?["client_id"]?
        .string,
    ]
    var values: [String: String] = [:]
    for (key, value) in found { values[key.firebase] = value }
    return values
  }
}
