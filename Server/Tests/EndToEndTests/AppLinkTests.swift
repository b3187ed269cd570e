import Foundation
import Testing

/// The apps that an operator registers, as Apple's and Google's servers read them.
@Suite struct AppLinkTests {
  private static let fingerprint =
    "14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:C6:20:FE:BA:CD"

  @Test func `a running server lists registered apps within a second`() async throws {
    try await Production.with { production, server, _ in
      let apple = server.baseURL + "/.well-known/apple-app-site-association"
      let android = server.baseURL + "/.well-known/assetlinks.json"
      for url in [apple, android] { #expect(try await HTTP.get(url).status == 404) }

      let added = try await production.command(
        "apps", "add", "--bundle-id", "com.example.app", "--team-id", "TEAM123456", "--output", "-")
      #expect(added.status == 0, "\(added.errors)")
      let set = try await production.command(
        "apps", "android", "set", "com.example.app", "--fingerprint", Self.fingerprint.lowercased())
      #expect(set.status == 0, "\(set.errors)")
      let areThere = try await Deadline.wait {
        let answers = (try await HTTP.get(apple).status, try await HTTP.get(android).status)
        return answers == (200, 200)
      }
      #expect(areThere)
      #expect(
        try await HTTP.get(apple).json["webcredentials"]["apps"] == ["TEAM123456.com.example.app"])
      #expect(try await HTTP.get(android).text.contains(Self.fingerprint))

      let listed = try await production.command("apps", "android", "list")
      #expect(listed.output.contains(Self.fingerprint))
      let changed = try await production.command(
        "apps", "set", "com.example.app", "--team-id", "OTHER12345")
      #expect(changed.status == 0, "\(changed.errors)")
      let isChanged = try await Deadline.wait {
        try await HTTP.get(apple).text.contains("OTHER12345.com.example.app")
      }
      #expect(isChanged)
      let deleted = try await production.command(
        "apps", "android", "delete", "com.example.app", "--yes")
      #expect(deleted.status == 0, "\(deleted.errors)")
      let again = try await production.command(
        "apps", "android", "delete", "com.example.app", "--yes")
      #expect(again.errors.contains("`gatehouse apps android list` lists them"))
    }
  }

  @Test(arguments: [
    (["apps", "add", "--bundle-id", "com.example.app", "--team-id", "team123456"], "ten capital"),
    (["apps", "set", "com.example.app", "--team-id", "TEAM"], "ten capital"),
    (["apps", "android", "set", "app", "--fingerprint", fingerprint], "such as com.example.app"),
    (["apps", "android", "set", "com.example.app", "--fingerprint", "AB:CD"], "32 pairs"),
    (["apps", "android", "set", "com.example.app"], "--fingerprint"),
  ]) func `invalid values are rejected before anything is opened`(
    _ arguments: [String], _ remedy: String
  ) async throws {
    try await TemporaryFolder.with { folder in
      let refused = try await Command.run(arguments, in: folder)
      #expect(refused.status != 0)
      #expect(refused.errors.contains(remedy), "\(refused.errors)")
    }
  }

  @Test func `Apple's domain association file is served unchanged`() async throws {
    try await TemporaryFolder.with { folder in
      let file = folder.path + "/association.txt"
      let text = "{\"cms\":\"bWFkZSB1cA==\"}\n"
      try Data(text.utf8).write(to: URL(fileURLWithPath: file))
      let options = GatehouseServer.Options(
        arguments: ["--set", "apple.domainAssociationFile=\(file)"])
      try await GatehouseServer.with(options) { server in
        let reply = try await HTTP.get(
          server.baseURL + "/.well-known/apple-developer-domain-association.txt")
        #expect(reply.status == 200)
        #expect(reply.text == text)
        #expect(reply.header("content-type") == "text/plain; charset=utf-8")
      }
    }
  }
}
