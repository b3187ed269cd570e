import GatehouseAuth
import Foundation
import GatehouseClient
import GatehouseProtocol
import Testing

@Suite("A user's data") struct ValueCodingTests {
  @Test func `metadata, archived`() throws {
    var snapshot = UserSnapshot(uid: "ana")
    snapshot.createdAt = Date(timeIntervalSince1970: 1_700_000_000)
    snapshot.lastSignInAt = Date(timeIntervalSince1970: 1_700_000_100.5)
    let metadata = UserMetadata(snapshot)
    #expect(metadata.creationDate == snapshot.createdAt)
    #expect(metadata.lastSignInDate == snapshot.lastSignInAt)
    let read = try archived(metadata)
    #expect(read.creationDate == snapshot.createdAt)
    #expect(read.lastSignInDate == snapshot.lastSignInAt)
  }

  @Test func `metadata without dates`() throws {
    let read = try archived(UserMetadata(UserSnapshot(uid: "ana")))
    #expect(read.creationDate == nil)
    #expect(read.lastSignInDate == nil)
  }

  @Test func `an element of providerData, archived`() throws {
    var linked = LinkedProvider(provider: .google, uid: "12345")
    linked.displayName = "Ana"
    linked.photoURL = URL(string: "https://example.com/ana.png")
    linked.email = "ana@example.com"
    linked.phoneNumber = "+15555550100"
    let info = ProviderUserInfo(linked)
    #expect(info.providerID == "google.com")
    #expect(info.uid == "12345")
    #expect(info.displayName == "Ana")
    #expect(info.photoURL == URL(string: "https://example.com/ana.png"))
    #expect(info.email == "ana@example.com")
    #expect(info.phoneNumber == "+15555550100")
    #expect(try archived(info) == info)
  }

  @Test func `additional information, archived`() throws {
    let info = AdditionalUserInfo(
      providerID: "google.com",
      profile: ["name": "Ana", "verified": true, "groups": ["a", "b"], "level": 7],
      username: "ana", isNewUser: true)
    for info in [info, try archived(info)] {
      #expect(info.providerID == "google.com")
      #expect(info.username == "ana")
      #expect(info.isNewUser)
      #expect(info.newUser())
      #expect(info.profile?["name"] as? String == "Ana")
      #expect(info.profile?["verified"] as? Bool == true)
      #expect(info.profile?["groups"] as? [String] == ["a", "b"])
      #expect(info.profile?["level"] as? Int == 7)
    }
  }

  @Test func `additional information without a profile`() throws {
    let read = try archived(
      AdditionalUserInfo(providerID: "custom", profile: nil, username: nil, isNewUser: false))
    #expect(read.profile == nil)
    #expect(read.username == nil)
    #expect(!read.isNewUser)
  }

  @Test func `an archive with a missing value gives no object`() throws {
    #expect(AdditionalUserInfo(coder: try emptyCoder()) == nil)
    #expect(ProviderUserInfo(coder: try emptyCoder()) == nil)
    #expect(AuthTokenResult(coder: try emptyCoder()) == nil)
    #expect(AuthDataResult(coder: try emptyCoder()) == nil)
  }

  @Test func `settings, copied`() throws {
    let settings = AuthSettings()
    #expect(!settings.isAppVerificationDisabledForTesting)
    settings.appVerificationDisabledForTesting = true
    let copy = try #require(settings.copy() as? AuthSettings)
    settings.isAppVerificationDisabledForTesting = false
    #expect(copy.isAppVerificationDisabledForTesting)
  }
}
