import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct GoogleServiceInfoTests {
  private let project: Project
  private let app: App

  init() throws {
    let id = try #require(ProjectID("my-app"))
    project = Project(
      id: id, number: 123_456, issuer: "https://auth.example.com/my-app", authorizedDomains: [],
      policies: ProjectPolicies())
    app = App(
      id: "1:123456:ios:00000000000000ff", project: id, bundleID: "com.example.app",
      apiKey: "gk_example", createdAt: Date(timeIntervalSince1970: 0))
  }

  /// The values as Foundation's own parser of property lists reads them.
  private func read(
    clientID: String? = nil, url: String = "https://auth.example.com"
  ) throws -> [String: String] {
    let info = GoogleServiceInfo(
      app, of: project, googleClientID: clientID, serverURL: url)
    let list = try PropertyListSerialization.propertyList(from: Data(info.xml.utf8), format: nil)
    return try #require(list as? [String: String])
  }

  @Test func `the file names the app, its project and the server`() throws {
    #expect(
      try read() == [
        "API_KEY": "gk_example", "BUNDLE_ID": "com.example.app", "GCM_SENDER_ID": "123456",
        "GATEHOUSE_URL": "https://auth.example.com",
        "GOOGLE_APP_ID": "1:123456:ios:00000000000000ff", "PLIST_VERSION": "1",
        "PROJECT_ID": "my-app", "REVERSED_CLIENT_ID": "app-1-123456-ios-00000000000000ff",
      ])
  }

  @Test func `Google's client id comes with its reversed form`() throws {
    let values = try read(clientID: "12-ab.apps.example.com")
    #expect(values["CLIENT_ID"] == "12-ab.apps.example.com")
    #expect(values["REVERSED_CLIENT_ID"] == "com.example.apps.12-ab")
  }

  @Test func `markup in a value stays text`() throws {
    let text = "a&b<c>\"'</string><key>API_KEY</key>\u{7}é😀"
    let values = try read(clientID: text)
    #expect(values["CLIENT_ID"] == text.replacing("\u{7}", with: ""))
    #expect(values["API_KEY"] == "gk_example")
  }
}
