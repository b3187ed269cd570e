import Foundation
import GatehouseClient
import GatehouseTesting
import Testing

extension ServerStory {
  /// With passkeys and second factors enabled.
  static let passkeys = [
    ServerStory("a passkey is added, signs in, and is removed") { server in
      let (device, passkeys) = (try server.device(), TestAuthenticator())
      let user = try await device.client.createUser(email: server.email(), password: "secret").user
      try await user.addPasskey(
        try await passkeys.create(try await user.startPasskeyEnrollment(), quietly: false),
        name: "Phone")
      try await user.reload()
      let added = try #require(user.snapshot.passkeys.first)
      #expect(added.name == "Phone")
      #expect(added.id == passkeys.passkeys.first?.id.base64EncodedString())
      // The device is told which passkeys the account has.
      await #expect(throws: DeviceFault.self) {
        try await passkeys.create(try await user.startPasskeyEnrollment(), quietly: false)
      }
      try device.client.signOut()
      let assertion = try await passkeys.sign(
        try await device.client.startPasskeySignIn(), .sheet)
      let again = try await device.client.signIn(with: .passkey(assertion)).user
      #expect(again.uid == user.uid)
      #expect(again.heldIDToken?.signInProvider == .passkey)
      // A device that verifies its user shows two factors.
      #expect(again.heldIDToken?.secondFactor == "passkey")
      await expect("INVALID_AUTHENTICATOR_RESPONSE") {
        try await device.client.signIn(with: .passkey(assertion))
      }
      let request = try await again.startPasskeyReauthentication()
      #expect(request.allowed.map { $0.base64EncodedString() } == [added.id])
      try await again.reauthenticate(with: .passkey(try await passkeys.sign(request, .sheet)))
      try await again.removePasskeys([added.id])
      #expect(again.snapshot.passkeys == [])
      try device.client.signOut()
      await expect("PASSKEY_CREDENTIAL_NOT_FOUND") {
        try await device.client.signIn(
          with: .passkey(
            try await passkeys.sign(try await device.client.startPasskeySignIn(), .sheet)))
      }
    },
    ServerStory("a passkey creates an account, with what its user enters in the sheet") { server in
      let (device, email) = (try server.device(), server.email())
      func create(_ passkeys: TestAuthenticator) async throws -> SignInResult {
        let creation = try await device.client.startPasskeyAccount()
        return try await device.client.createUser(
          with: try await passkeys.create(creation, quietly: false), email: email,
          displayName: "Ana")
      }
      let result = try await create(TestAuthenticator())
      #expect(result.isNewUser)
      #expect(result.snapshot.email == email)
      #expect(!result.snapshot.isEmailVerified)
      #expect(result.snapshot.displayName == "Ana")
      let last = try #require(result.snapshot.passkeys.first?.id)
      await expect("OPERATION_NOT_ALLOWED") { try await result.user.removePasskeys([last]) }
      try device.client.signOut()
      await #expect(
        throws: ClientError.credentialInUse(updated: nil, email: nil, code: "EMAIL_EXISTS")
      ) { try await create(TestAuthenticator()) }
    },
    ServerStory("a passkey stands for the second factor") { server in
      let (device, email) = (try server.device(), server.email())
      let passkeys = TestAuthenticator()
      let (user, _) = try await server.userWithAuthenticator(device, email)
      try await user.addPasskey(
        try await passkeys.create(try await user.startPasskeyEnrollment(), quietly: false))
      try device.client.signOut()
      let resolver = try await server.resolver(device, email)
      #expect(resolver.isPasskeyAvailable)
      passkeys.verifiesUser = false
      let signedIn = try await resolver.resolve(
        with: .passkey(try await passkeys.sign(try await resolver.startPasskey(), .sheet)))
      #expect(signedIn.user.uid == user.uid)
      #expect(signedIn.user.heldIDToken?.signInProvider == .password)
      #expect(signedIn.user.heldIDToken?.secondFactor == "passkey")
      // Alone, it is one factor if the device didn't verify its user.
      try device.client.signOut()
      let assertion = try await passkeys.sign(
        try await device.client.startPasskeySignIn(), .sheet)
      do {
        try await device.client.signIn(with: .passkey(assertion))
        Issue.record("No second factor was asked for.")
      } catch ClientError.secondFactorRequired(let resolver) {
        #expect(!resolver.isPasskeyAvailable)
        #expect(resolver.factors.map(\.kind) == [.totp])
      }
    },
  ]
}
