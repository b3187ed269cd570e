import Crypto
import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct AppleMigrationTests {
  private static let url = "https://appleid.apple.com/auth/usermigrationinfo"

  private func migration(_ provider: Provider) async throws -> AppleMigration {
    provider.transport.on(Provider.appleToken, ["access_token": "m1gration"])
    return try await provider.federation.appleMigration(
      of: "com.example.app",
      for: Provider.apple(privateKey: P256.Signing.PrivateKey().pemRepresentation),
      now: provider.now)
  }

  @Test func `the access token is for migrations, and for the app`() async throws {
    let provider = try Provider()
    _ = try await migration(provider)
    let transport = provider.transport
    #expect(transport.fields("grant_type", at: Provider.appleToken) == ["client_credentials"])
    #expect(transport.fields("scope", at: Provider.appleToken) == ["user.migration"])
    #expect(transport.fields("client_id", at: Provider.appleToken) == ["com.example.app"])
  }

  @Test func `a subject has a transfer identifier for the other team`() async throws {
    let provider = try Provider()
    let migration = try await migration(provider)
    provider.transport.on(Self.url, ["transfer_sub": "t1"])
    let found = try await migration.transferSubject(
      of: try #require(Subject("ann")), toTeam: "TEAM222222")
    #expect(found?.text == "t1")
    let request = try #require(provider.transport.requests.last)
    #expect(request.authorization?.reveal() == "Bearer m1gration")
    #expect(provider.transport.fields("sub", at: Self.url) == ["ann"])
    #expect(provider.transport.fields("target", at: Self.url) == ["TEAM222222"])
    #expect(provider.transport.fields("client_id", at: Self.url) == ["com.example.app"])
  }

  @Test func `a transfer identifier has a user in the new team`() async throws {
    let provider = try Provider()
    let migration = try await migration(provider)
    provider.transport.on(
      Self.url, ["sub": "new", "email": "x@privaterelay.appleid.com", "is_private_email": true])
    let user = try await migration.user(ofTransferSubject: try #require(Subject("t1")))
    #expect(user?.subject.text == "new")
    #expect(user?.email?.address.text == "x@privaterelay.appleid.com")
    #expect(user?.email?.isVerifiedAndTrusted == true)
    #expect(provider.transport.fields("transfer_sub", at: Self.url) == ["t1"])
  }

  @Test func `invalid_request means that Apple doesn't know the user`() async throws {
    let provider = try Provider()
    let migration = try await migration(provider)
    provider.transport.on(Self.url, status: 400, ["error": "invalid_request"])
    #expect(try await migration.user(ofTransferSubject: try #require(Subject("t1"))) == nil)
  }

  @Test func `another refusal is an error`() async throws {
    let provider = try Provider()
    let migration = try await migration(provider)
    provider.transport.on(Self.url, status: 400, ["error": "invalid_client"])
    await #expect(
      throws: FederationError.refusedByProvider(status: 400, error: "invalid_client")
    ) { _ = try await migration.user(ofTransferSubject: try #require(Subject("t1"))) }
  }
}
