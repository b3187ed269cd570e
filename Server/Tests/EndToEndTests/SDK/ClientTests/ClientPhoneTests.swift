import Foundation
import GatehouseClient
import Testing

/// Codes by text message, from the list that `--dev` offers.
@Suite(.developmentServer) struct ClientPhoneTests {
  private func credential(
    _ number: String, _ device: ClientDevice
  ) async throws -> PhoneCredential {
    let id = try await device.client.sendVerificationCode(to: number)
    return .code(try await device.server.verificationCode(id), verificationID: id)
  }

  @Test func `a number signs in, and again`() async throws {
    let device = try ClientDevice()
    let number = Unique.phoneNumber()
    let result = try await device.client.signIn(
      with: .phoneNumber(try await credential(number, device)))
    #expect(result.isNewUser && result.provider == .phone)
    #expect(result.snapshot.phoneNumber == number)
    #expect(result.snapshot.providers.map(\.provider) == [.phone])
    #expect(!result.snapshot.isAnonymous)
    try device.client.signOut()
    let again = try await device.client.signIn(
      with: .phoneNumber(try await credential(number, device)))
    #expect(!again.isNewUser && again.user.uid == result.user.uid)
  }

  @Test func `a wrong code is refused, and the right one still works`() async throws {
    let device = try ClientDevice()
    let id = try await device.client.sendVerificationCode(to: Unique.phoneNumber())
    let code = try await device.server.verificationCode(id)
    await #expect(
      throws: ClientError.server(
        ServerRefusal(status: 400, code: "INVALID_CODE", reason: "invalid"))
    ) {
      try await device.client.signIn(
        with: .phone(verificationID: id, code: code == "000000" ? "000001" : "000000"))
    }
    try await device.client.signIn(with: .phone(verificationID: id, code: code))
  }

  @Test func `a number is linked, replaced, unlinked, and re-authenticates`() async throws {
    let device = try ClientDevice()
    let (first, second) = (Unique.phoneNumber(), Unique.phoneNumber())
    let user = try await device.client.signInAnonymously().user
    let linked = try await user.link(.phoneNumber(try await credential(first, device)))
    #expect(linked.user.uid == user.uid)
    #expect(user.snapshot.phoneNumber == first && !user.snapshot.isAnonymous)
    await #expect(
      throws: ClientError.server(ServerRefusal(status: 400, code: "PROVIDER_ALREADY_LINKED"))
    ) { try await user.link(.phone(verificationID: "any", code: "123456")) }
    try await user.updatePhoneNumber(try await credential(second, device))
    #expect(user.snapshot.phoneNumber == second)
    #expect(user.snapshot.providers.map(\.uid) == [second])
    try await user.reauthenticate(with: .phoneNumber(try await credential(second, device)))
    await #expect(throws: ClientError.userMismatch) {
      try await user.reauthenticate(with: .phoneNumber(try await credential(first, device)))
    }
    let after = try await user.unlink(.phone)
    #expect(after.phoneNumber == nil && after.providers.isEmpty)
  }

  @Test func `another account's number returns a credential for that account`() async throws {
    let device = try ClientDevice()
    let number = Unique.phoneNumber()
    let owner = try await device.client.signIn(
      with: .phoneNumber(try await credential(number, device))
    ).user.uid
    try device.client.signOut()
    let guest = try await device.client.signInAnonymously().user
    let again = try await credential(number, device)
    var updated: PhoneCredential?
    do {
      try await guest.link(.phoneNumber(again))
    } catch ClientError.phoneNumberInUse(let credential) {
      updated = credential
    }
    let proof = try #require(updated)
    let result = try await device.client.signIn(with: .phoneNumber(proof))
    #expect(result.user.uid == owner && !result.isNewUser)
  }

  @Test func `an invalid number is refused`() async throws {
    let device = try ClientDevice()
    await #expect(
      throws: ClientError.server(
        ServerRefusal(
          status: 400, code: "INVALID_PHONE_NUMBER", detail: "Invalid format.", reason: "invalid"))
    ) { try await device.client.sendVerificationCode(to: "5550100") }
  }
}
