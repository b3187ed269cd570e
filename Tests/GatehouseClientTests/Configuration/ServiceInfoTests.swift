import Foundation
import GatehouseClient
import Testing

@Suite struct ServiceInfoTests {
  /// In the format of `gatehouse apps add`.
  private static let keys = [
    "API_KEY": "key-1", "BUNDLE_ID": "com.example.app", "GATEHOUSE_URL": "https://auth.example.com",
    "GOOGLE_APP_ID": "1:12345:ios:0f", "PROJECT_ID": "demo", "GCM_SENDER_ID": "12345",
    "PLIST_VERSION": "1", "CLIENT_ID": "1-a.apps.example.com",
    "REVERSED_CLIENT_ID": "com.example.apps.1-a",
  ]
  private static let name = "GoogleService-Info.plist"

  private func propertyList(
    _ values: [String: Any], _ format: PropertyListSerialization.PropertyListFormat = .xml
  ) throws -> Data {
    try PropertyListSerialization.data(fromPropertyList: values, format: format, options: 0)
  }

  private func json(_ text: String, serverURL: URL? = nil) throws -> ClientConfiguration {
    try ClientConfiguration(data: Data(text.utf8), name: "gatehouse.json", serverURL: serverURL)
  }

  @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func `a property list is read, in XML and binary`(
    _ format: PropertyListSerialization.PropertyListFormat
  ) throws {
    let configuration = try ClientConfiguration(
      data: try propertyList(Self.keys, format), name: Self.name)
    #expect(configuration.serverURL.absoluteString == "https://auth.example.com")
    #expect(configuration.apiKey == "key-1")
    #expect(configuration.projectID == "demo")
    #expect(configuration.bundleID == "com.example.app")
    #expect(configuration.clientID == "1-a.apps.example.com")
    #expect(configuration.reversedClientID == "com.example.apps.1-a")
    #expect(configuration.googleAppID == "1:12345:ios:0f")
  }

  @Test func `a file is read`() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).plist")
    defer { try? FileManager.default.removeItem(at: file) }
    try propertyList(Self.keys).write(to: file)
    #expect(try ClientConfiguration(contentsOf: file).apiKey == "key-1")
  }

  @Test func `an error names a file that doesn't exist`() {
    #expect(throws: ConfigurationFault("missing.plist can't be read")) {
      try ClientConfiguration(contentsOf: URL(filePath: "/nowhere/missing.plist"))
    }
  }

  @Test(arguments: [
    (
      "API_KEY",
      "GoogleService-Info.plist has no API_KEY: create the file with gatehouse apps add"
    ),
    (
      "GATEHOUSE_URL",
      "GoogleService-Info.plist has no GATEHOUSE_URL: Firebase's console doesn't write it. "
        + "Create the file with gatehouse apps add, or pass the server's URL"
    ),
  ])
  func `an error names a missing key`(_ key: String, _ fault: String) throws {
    for value in [nil, ""] {
      var keys = Self.keys
      keys[key] = value
      let data = try propertyList(keys)
      #expect(throws: ConfigurationFault(fault)) {
        try ClientConfiguration(data: data, name: Self.name)
      }
    }
  }

  @Test func `a file from Firebase's console is sufficient with the server's URL`() throws {
    var keys: [String: Any] = Self.keys
    keys["GATEHOUSE_URL"] = nil
    keys["IS_ADS_ENABLED"] = false
    let url = try #require(URL(string: "http://localhost:9099"))
    let configuration = try ClientConfiguration(
      data: try propertyList(keys), name: Self.name, serverURL: url)
    #expect(configuration.serverURL == url)
  }

  @Test func `an error names a value that isn't a string`() throws {
    var keys: [String: Any] = Self.keys
    keys["API_KEY"] = 5
    let data = try propertyList(keys)
    #expect(throws: ConfigurationFault("GoogleService-Info.plist: API_KEY isn't a string")) {
      try ClientConfiguration(data: data, name: Self.name)
    }
  }

  @Test func `an error about a URL names the file`() throws {
    var keys = Self.keys
    keys["GATEHOUSE_URL"] = "ftp://auth.example.com"
    let data = try propertyList(keys)
    #expect(
      throws: ConfigurationFault("GoogleService-Info.plist: The server's URL isn't https")
    ) { try ClientConfiguration(data: data, name: Self.name) }
  }

  @Test func `JSON has this type's names, or the property list's`() throws {
    let own = try json(
      #"""
      {"serverURL":"https://auth.example.com","apiKey":"key-1","projectID":"demo",
       "bundleID":"com.example.app","note":{"by":"hand"}}
      """#)
    #expect(own.bundleID == "com.example.app")
    let text = String(decoding: try JSONEncoder().encode(Self.keys), as: UTF8.self)
    #expect(try json(text).projectID == "demo")
    #expect(
      throws: ConfigurationFault(
        "gatehouse.json has no apiKey: create the file with gatehouse apps add")
    ) { try json(#"{"serverURL":"https://auth.example.com"}"#) }
    #expect(throws: ConfigurationFault("gatehouse.json: apiKey isn't a string")) {
      try json(#"{"serverURL":"https://auth.example.com","apiKey":1}"#)
    }
  }

  @Test func `a google-services.json is read`() throws {
    let configuration = try json(
      #"""
      {"project_info":{"project_id":"demo","project_number":"12345"},
       "client":[{"client_info":{"mobilesdk_app_id":"1:12345:android:0f",
         "android_client_info":{"package_name":"com.example.app"}},
         "oauth_client":[{"client_id":"a.apps.example.com","client_type":1},
           {"client_id":"w.apps.example.com","client_type":3}],
         "api_key":[{"current_key":"key-1"}]}]}
      """#, serverURL: URL(string: "https://auth.example.com"))
    #expect(configuration.apiKey == "key-1")
    #expect(configuration.projectID == "demo")
    #expect(configuration.bundleID == "com.example.app")
    #expect(configuration.clientID == "w.apps.example.com")
    #expect(configuration.googleAppID == "1:12345:android:0f")
  }

  @Test(arguments: ["", "[]", "nothing", "<plist version=\"1.0\"><array/></plist>"])
  func `a file that isn't a configuration is refused`(_ text: String) {
    #expect(
      throws: ConfigurationFault(
        "gatehouse.json is neither a property list with keys nor a JSON object")
    ) { try json(text) }
  }

  @Test(arguments: ["{", #"{"apiKey":"a","apiKey":"b"}"#])
  func `broken JSON is refused`(_ text: String) {
    #expect(throws: ConfigurationFault("gatehouse.json isn't valid JSON")) {
      try json(text)
    }
  }
}
