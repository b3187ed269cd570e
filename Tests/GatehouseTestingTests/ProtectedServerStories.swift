import GatehouseClient
import Testing

extension ServerStory {
  /// With email enumeration protection.
  static let protected = [
    ServerStory("nobody learns whether an address has an account") { server in
      let (device, email) = (try server.device(), server.email())
      let user = try await device.client.createUser(email: email, password: "secret").user
      for (address, password) in [(email, "wrong!"), (server.email(), "secret")] {
        await expect("INVALID_LOGIN_CREDENTIALS") {
          try await server.device().client.signIn(
            with: .password(email: address, password: password))
        }
      }
      #expect(try await device.client.signInMethods(for: email) == [])
      try await device.client.sendPasswordReset(to: server.email())
      let taken = server.email()
      try await server.device().client.createUser(email: taken, password: "secret")
      try await user.sendEmailVerification(beforeUpdatingTo: taken)
    },
    ServerStory("a new address has to be verified first") { server in
      let (device, email) = (try server.device(), server.email())
      let guest = try await device.client.signInAnonymously().user
      await expect("OPERATION_NOT_ALLOWED") { try await guest.update(email: email) }
      try await guest.link(.password(email: email, password: "secret"))
      await expect("OPERATION_NOT_ALLOWED") { try await guest.update(email: server.email()) }
      #expect(guest.snapshot.email == email)
      let newEmail = server.email()
      try await guest.sendEmailVerification(beforeUpdatingTo: newEmail)
      try await device.client.apply(
        actionCode: try await server.code("VERIFY_AND_CHANGE_EMAIL", email))
      let again = try await device.client.signIn(
        with: .password(email: newEmail, password: "secret"))
      #expect(again.user.uid == guest.uid)
    },
    ServerStory("an identity doesn't reveal another account") { server in
      let (device, email) = (try server.device(), server.email())
      let person = try await server.person(email: email)
      try await device.signIn(try await device.apple(person))
      try device.client.signOut()
      do {
        try await device.signIn(try await device.facebook(person))
        Issue.record("The user entered the account.")
      } catch ClientError.accountExists(let address, let providers, let updated) {
        #expect(address == email)
        #expect(providers == [])
        #expect(updated != nil)
      }
    },
  ]
}
