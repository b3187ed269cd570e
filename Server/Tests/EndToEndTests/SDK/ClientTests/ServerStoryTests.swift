import Foundation
import GatehouseClient
import Testing

/// The stories that the server in memory passes too: `GatehouseTesting` must answer as the server does.
@Suite(.developmentServer) struct ServerStoryTests {
  @Test(arguments: ServerStory.all + ServerStory.secondFactors + ServerStory.passkeys)
  func `the server answers as the one in memory does`(_ story: ServerStory) async throws {
    try await story.run(try StoryServer.real())
  }
}

@Suite(.developmentServer) struct ProtectedServerStoryTests {
  @Test(arguments: ServerStory.protected)
  func `the server protects addresses as the one in memory does`(
    _ story: ServerStory
  ) async throws {
    let reply = try await HTTP.send(
      .patch, "\(try suiteServer().baseURL)/emulator/v1/projects/demo/config",
      headers: [("content-type", "application/json")],
      body: #"{"emailPrivacyConfig": {"enableImprovedEmailPrivacy": true}}"#)
    guard reply.status == 200 else { throw Unexpected(reply) }
    try await story.run(try StoryServer.real())
  }
}

extension StoryServer {
  fileprivate static func real() throws -> StoryServer {
    let server = try suiteServer()
    return StoryServer(
      url: try #require(URL(string: server.baseURL)),
      simulatorURL: try #require(URL(string: server.simulatorURL)),
      transport: URLSessionTransport(),
      addPerson: { id, email, isVerified in
        let reply = try await HTTP.post(
          "\(server.simulatorURL)/simulator/persons",
          ["id": .string(id), "email": .string(email), "emailVerified": .bool(isVerified)])
        guard reply.status == 201 else { throw Unexpected(reply) }
      },
      code: { type, email in
        let listed = try await HTTP.get("\(server.baseURL)/emulator/v1/projects/demo/oobCodes")
        let found = listed.json["oobCodes"].array.last {
          $0["requestType"].string == type && $0["email"].string == email
        }
        guard let code = found?["oobCode"].string else { throw Unexpected(listed) }
        return code
      })
  }
}
