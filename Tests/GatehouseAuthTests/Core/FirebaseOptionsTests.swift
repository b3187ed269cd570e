import GatehouseCore
import Foundation
import GatehouseClient
import Testing

@Suite("FirebaseOptions") struct FirebaseOptionsTests {
  private let folder = URL.temporaryDirectory.appending(path: UUID().uuidString)

  private func file(_ name: String, _ content: String) throws -> URL {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let url = folder.appending(path: name)
    try Data(content.utf8).write(to: url)
    return url
  }

  private static func plist(_ values: KeyValuePairs<String, String>) -> String {
    let members = values.map { "<key>\($0.key)</key><string>\($0.value)</string>" }.joined()
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>\(members)<key>IS_ADS_ENABLED</key><false/></dict></plist>
      """
  }

  private static let full: KeyValuePairs = [
    "API_KEY": "key", "BUNDLE_ID": "com.example.app", "CLIENT_ID": "1.apps.example",
    "DATABASE_URL": "https://db.example.com", "GATEHOUSE_URL": "https://auth.example.com",
    "GCM_SENDER_ID": "12345", "GOOGLE_APP_ID": "1:12345:ios:0a", "PROJECT_ID": "demo",
    "STORAGE_BUCKET": "bucket",
  ]

  @Test func `an app chooses whether its user stays signed in after a reinstallation`() throws {
    let options = FirebaseOptions(googleAppID: "1:2:ios:3", gcmSenderID: "2")
    #expect(options.reinstallation == .startSignedOut)
    options.reinstallation = .keepSession
    #expect((options.copy(with: nil) as? FirebaseOptions)?.reinstallation == .keepSession)
  }

  @Test func `read a property list`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = try file("GoogleService-Info.plist", Self.plist(Self.full))
    let options = try #require(FirebaseOptions(contentsOfFile: url.path))
    #expect(options.apiKey == "key")
    #expect(options.bundleID == "com.example.app")
    #expect(options.clientID == "1.apps.example")
    #expect(options.databaseURL == "https://db.example.com")
    #expect(options.serverURL == URL(string: "https://auth.example.com"))
    #expect(options.gcmSenderID == "12345")
    #expect(options.googleAppID == "1:12345:ios:0a")
    #expect(options.projectID == "demo")
    #expect(options.storageBucket == "bucket")
    #expect(options.appGroupID == nil)
  }

  @Test func `read JSON`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = try file("app.json", #"{"GOOGLE_APP_ID":"1:2:ios:3","API_KEY":"key"}"#)
    let options = try #require(FirebaseOptions(contentsOfFile: url.path))
    #expect(options.googleAppID == "1:2:ios:3")
    #expect(options.gcmSenderID == "")
    #expect(options.serverURL == nil)
  }

  @Test(arguments: ["not a list", "{", "", "{\"API_KEY\":\"key\"}"])
  func `a malformed file gives no options`(_ content: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = try file("GoogleService-Info.plist", content)
    #expect(FirebaseOptions(contentsOfFile: url.path) == nil)
  }

  @Test func `a missing file gives no options`() {
    #expect(FirebaseOptions(contentsOfFile: "/nowhere/GoogleService-Info.plist") == nil)
  }

  @Test func `are equal by value, and copies are independent`() throws {
    let options = FirebaseOptions(googleAppID: "1:2:ios:3", gcmSenderID: "2")
    let copy = try #require(options.copy() as? FirebaseOptions)
    #expect(copy == options)
    copy.apiKey = "key"
    #expect(copy != options)
    #expect(options.apiKey == nil)
  }

  // MARK: The file

  @Test func `the environment's file comes first, and then no other is read`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let named = try file("named.plist", Self.plist(Self.full))
    _ = try file("GoogleService-Info.plist", Self.plist(["GOOGLE_APP_ID": "1:1:ios:1"]))
    var found = OptionsFile(environment: ["GATEHOUSE_CONFIG": named.path], folders: [folder])
    #expect(try found.read().googleAppID == "1:12345:ios:0a")
    found.environment["GATEHOUSE_CONFIG"] = "/nowhere"
    #expect(throws: ConfigurationFault("/nowhere can't be read")) { try found.read() }
    found.environment["GATEHOUSE_CONFIG"] = ""
    #expect(try found.read().googleAppID == "1:1:ios:1")
  }

  @Test func `the property list in the app's folders comes next, then JSON there`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let found = OptionsFile(
      environment: [:], folders: [URL(filePath: "/nowhere"), folder])
    #expect(throws: ConfigurationFault.self) { try found.read() }
    _ = try file("GoogleService-Info.json", #"{"GOOGLE_APP_ID":"1:2:ios:3"}"#)
    #expect(try found.read().googleAppID == "1:2:ios:3")
    _ = try file("GoogleService-Info.plist", Self.plist(["GOOGLE_APP_ID": "1:1:ios:1"]))
    #expect(try found.read().googleAppID == "1:1:ios:1")
  }

  @Test func `Gatehouse-Info.plist comes before the file of Google's SDK`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let found = OptionsFile(environment: [:], folders: [folder])
    _ = try file("GoogleService-Info.plist", Self.plist(["GOOGLE_APP_ID": "1:1:ios:1"]))
    _ = try file("Gatehouse-Info.plist", Self.plist(["GOOGLE_APP_ID": "1:2:ios:3"]))
    #expect(try found.read().googleAppID == "1:2:ios:3")
  }

  @Test func `without a file the fault lists the searched folders, and what to do`() throws {
    let found = OptionsFile(environment: [:], folders: [URL(filePath: "/nowhere")])
    do {
      _ = try found.read()
      Issue.record("found one")
    } catch {
      #expect(error.description.contains("/nowhere"))
      #expect(error.description.contains("GATEHOUSE_CONFIG"))
    }
  }

  // MARK: The client's configuration

  @Test func `are converted to the client's configuration`() throws {
    let options = FirebaseOptions(googleAppID: "1:2:ios:3", gcmSenderID: "2")
    options.apiKey = "key"
    options.serverURL = URL(string: "https://auth.example.com")
    options.projectID = "demo"
    options.bundleID = "com.example.app"
    options.clientID = "1.apps.example"
    let configuration = try options.clientConfiguration()
    #expect(configuration.serverURL == URL(string: "https://auth.example.com"))
    #expect(configuration.apiKey == "key")
    #expect(configuration.projectID == "demo")
    #expect(configuration.bundleID == "com.example.app")
    #expect(configuration.clientID == "1.apps.example")
    #expect(configuration.googleAppID == "1:2:ios:3")
  }

  @Test func `without a server or a key conversion fails, and the fault says what to do`() throws {
    let options = FirebaseOptions(googleAppID: "1:2:ios:3", gcmSenderID: "2")
    options.apiKey = "key"
    #expect { try options.clientConfiguration() } throws: {
      "\($0)".contains("GATEHOUSE_URL")
    }
    options.serverURL = URL(string: "https://auth.example.com")
    options.apiKey = nil
    #expect { try options.clientConfiguration() } throws: { "\($0)".contains("API_KEY") }
  }
}
