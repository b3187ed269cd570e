import Foundation
import GatehouseAuth
import Testing

@Suite struct EnrolledPasskeysTests {
  private static let info =
    #"[{"name":"Phone","credentialId":"AQID"},{"name":"Tablet","credentialId":"BAUG"}]"#

  @Test func `a user's passkeys are listed and removed`() async throws {
    let test = try TestApp()
    test.server.setProfile("ann@example.com", ["passkeyInfo": Self.info])
    let user = try await test.signedIn()
    #expect(user.enrolledPasskeys?.map(\.credentialID) == ["AQID", "BAUG"])
    #expect(user.enrolledPasskeys?.map(\.name) == ["Phone", "Tablet"])
    test.server.setProfile("ann@example.com", ["passkeyInfo": "[]"])
    try await user.unenrollPasskey(withCredentialID: "AQID")
    #expect(
      test.server.last("accounts:update")?.text.contains(#""deletePasskey":["AQID"]"#) == true)
    #expect(user.enrolledPasskeys == [])
  }

  @Test func `an empty id is refused before a request`() async throws {
    let test = try TestApp()
    let user = try await test.signedIn()
    let count = test.server.calls.count
    let error = await authError { try await user.unenrollPasskey(withCredentialID: "") }
    #expect(error?.authCode == .missingPasskeyEnrollment)
    #expect(error?.code == 17212)
    #expect(test.server.calls.count == count)
  }

  @Test func `a passkey's description can be archived`() async throws {
    let test = try TestApp()
    test.server.setProfile("ann@example.com", ["passkeyInfo": Self.info])
    let passkey = try #require(try await test.signedIn().enrolledPasskeys?.first)
    let read = try archived(passkey)
    #expect(read.name == "Phone")
    #expect(read.credentialID == "AQID")
  }
}
