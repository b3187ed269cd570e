import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct AndroidAppsTests {
  private static let fingerprint =
    "14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:C6:20:FE:BA:CD"

  @Test(arguments: ["com.example.app", "a.b", "com.example.my_app2", "Com.Example.App"])
  func `an application id is accepted`(_ name: String) {
    #expect(AndroidApp.isPackageName(name))
  }

  @Test(arguments: [
    "", "app", "com.", ".com", "com..app", "com.2app", "com._app", "com.example-app", "com.äpp",
    "com.example.app\n", "com." + String(repeating: "a", count: 147),
  ]) func `any other text is rejected`(_ name: String) { #expect(!AndroidApp.isPackageName(name)) }

  @Test func `a fingerprint is normalized`() {
    let plain = Self.fingerprint.split(separator: ":").joined()
    for text in [Self.fingerprint, Self.fingerprint.lowercased(), plain, plain.lowercased()] {
      #expect(AndroidApp.fingerprint(text) == Self.fingerprint)
    }
  }

  @Test(arguments: [
    "", String(fingerprint.dropLast()), fingerprint + ":00", String(fingerprint.dropFirst(3)),
    fingerprint.replacing("14:", with: "1G:"), fingerprint.replacing("14:6D", with: "146D"),
    fingerprint.replacing("14:", with: "1:4"), fingerprint.replacing(":", with: " "),
    fingerprint.replacing("14:", with: "+1:"),
    // SHA-1
    "DA:39:A3:EE:5E:6B:4B:0D:32:55:BF:EF:95:60:18:90:AF:D8:07:09",
  ]) func `a text that is no SHA-256 is rejected`(_ text: String) {
    #expect(AndroidApp.fingerprint(text) == nil)
  }

  @Test(arguments: ["ABCDE12345", "0123456789"])
  func `a team id is accepted`(_ text: String) { #expect(App.isTeamID(text)) }

  @Test(arguments: ["", "ABCDE1234", "ABCDE123456", "abcde12345", "ABCDE-2345", "ÄBCDE1234"])
  func `a text that is no team id is rejected`(_ text: String) { #expect(!App.isTeamID(text)) }

  @Test func `a project has a maximum of apps, and may still change them`() async throws {
    try await withWorld { world in
      let apps = AndroidApps(ProjectDirectory(store: world.store))
      let app = { (number: Int) in
        AndroidApp(
          project: world.project.id, packageName: "com.example.app\(number)",
          fingerprints: [Self.fingerprint], createdAt: world.now)
      }
      for number in 0..<AndroidApp.maximumPerProject { try await apps.set(app(number)) }
      await #expect(throws: AndroidApps.Refusal.tooMany) {
        try await apps.set(app(AndroidApp.maximumPerProject))
      }
      try await apps.set(app(0))
      let isDeleted = try await apps.delete("com.example.app0", of: world.project.id)
      #expect(isDeleted)
      let isDeletedAgain = try await apps.delete("com.example.app0", of: world.project.id)
      #expect(!isDeletedAgain)
      try await apps.set(app(AndroidApp.maximumPerProject))
    }
  }

  @Test func `an app of an unknown project is refused`() async throws {
    try await withWorld { world in
      let unknown = try #require(ProjectID("nobody-s"))
      await #expect(throws: AndroidApps.Refusal.unknownProject) {
        try await AndroidApps(ProjectDirectory(store: world.store))
          .set(
            AndroidApp(
              project: unknown, packageName: "com.example.app", fingerprints: [Self.fingerprint],
              createdAt: world.now))
      }
    }
  }
}
