import Foundation
import Testing

/// `dev.unsignedTokens`, for Google's Admin SDK for Node.js.
@Suite struct UnsignedTokenTests {
  private static let options = GatehouseServer.Options(
    arguments: ["--set", "dev.unsignedTokens=true"])

  private func decoded(_ part: Substring) throws -> JSON {
    let text = part.replacing("-", with: "+").replacing("_", with: "/")
    let padded = text + String(repeating: "=", count: (4 - text.count % 4) % 4)
    return try JSON(reading: try #require(Data(base64Encoded: String(padded))))
  }

  @Test func `tokens seem unsigned, and the server accepts only its own`() async throws {
    try await GatehouseServer.with(Self.options) { server in
      let signedUp = try await server.app.signUp(Unique.email(), "a long password")
      let idToken = try #require(signedUp.json["idToken"].string)
      let parts = idToken.split(separator: ".", omittingEmptySubsequences: false)
      #expect(parts.count == 3 && parts[2].isEmpty)
      #expect(try decoded(parts[0])["alg"].string == "none")
      #expect(try await server.app.lookup(idToken).status == 200)

      // Somebody else's: the same header with other claims, and no signature at all.
      let other = try await server.app.signUp(Unique.email(), "a long password")
      let payload = try #require(other.json["idToken"].string).split(separator: ".")[1]
      for forged in ["\(parts[0]).\(payload).", "eyJhbGciOiJub25lIn0.\(payload)."] {
        #expect(try await server.app.lookup(forged).verdict == "400 INVALID_ID_TOKEN")
      }
    }
  }

  @Test func `session cookies seem unsigned too`() async throws {
    try await GatehouseServer.with(Self.options) { server in
      let signedUp = try await server.app.signUp(Unique.email(), "a long password")
      let made = try await HTTP.post(
        "\(server.baseURL)/v1/projects/demo:createSessionCookie",
        [
          "idToken": .string(try #require(signedUp.json["idToken"].string)),
          "validDuration": "3600",
        ],
        headers: [("authorization", "Bearer owner")])
      let cookie = try #require(made.json["sessionCookie"].string)
      let parts = cookie.split(separator: ".", omittingEmptySubsequences: false)
      #expect(parts.count == 3 && parts[2].isEmpty)
      #expect(try decoded(parts[0])["alg"].string == "none")
    }
  }
}
