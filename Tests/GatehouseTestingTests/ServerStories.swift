import Foundation
import GatehouseClient
import Testing

extension ServerStory {
  static let all = passwords + sessions + identities + emails

  // MARK: Passwords

  static let passwords = [
    ServerStory("an account with a password") { server in
      let (device, email) = (try server.device(), server.email())
      let user = try await device.client.createUser(email: email, password: "first secret").user
      #expect(user.snapshot.email == email)
      #expect(!user.snapshot.isEmailVerified)
      #expect(user.snapshot.providers.map(\.provider) == [.password])
      #expect(user.heldIDToken?.signInProvider == .password)
      #expect(user.heldIDToken?.claims["firebase"]?["identities"]?["email"] == [.string(email)])
      await #expect(
        throws: ClientError.credentialInUse(updated: nil, email: email, code: "EMAIL_EXISTS")
      ) {
        try await device.client.createUser(email: email, password: "other secret")
      }
      #expect(device.client.currentUser == user)
    },
    ServerStory("passwords that are refused") { server in
      let (device, email) = (try server.device(), server.email())
      await expect("WEAK_PASSWORD") {
        try await device.client.createUser(email: email, password: "12345")
      }
      await expect("INVALID_EMAIL") {
        try await device.client.createUser(email: "nobody", password: "secret")
      }
      await expect("MISSING_PASSWORD") {
        try await device.client.signIn(with: .password(email: email, password: ""))
      }
      await expect("EMAIL_NOT_FOUND") {
        try await device.client.signIn(with: .password(email: email, password: "secret"))
      }
      try await device.client.createUser(email: email, password: "secret")
      await #expect(
        throws: ClientError.server(
          ServerRefusal(status: 400, code: "INVALID_PASSWORD", reason: "invalid"))
      ) { try await device.client.signIn(with: .password(email: email, password: "wrong")) }
    },
    ServerStory("an anonymous account gets a password") { server in
      let (device, email) = (try server.device(), server.email())
      let user = try await device.client.signInAnonymously().user
      #expect(user.snapshot.isAnonymous)
      #expect(user.heldIDToken?.signInProvider == .anonymous)
      #expect(user.heldIDToken?.claims["provider_id"]?.string == "anonymous")
      let uid = user.uid
      try await user.link(.password(email: email, password: "secret"))
      #expect(user.uid == uid)
      #expect(!user.snapshot.isAnonymous)
      try device.client.signOut()
      let again = try await device.client.signIn(with: .password(email: email, password: "secret"))
      #expect(again.user.uid == uid)
      #expect(!again.isNewUser)
    },
    ServerStory("a new password has an address") { server in
      let user = try await server.device().client.signInAnonymously().user
      await expect("MISSING_EMAIL") { try await user.update(password: "secret") }
      await expect("WEAK_PASSWORD") {
        try await user.link(.password(email: server.email(), password: "12345"))
      }
      #expect(user.snapshot.isAnonymous)
    },
    ServerStory("a new password or address ends other sessions") { server in
      let (phone, tablet) = (try server.device(), try server.device())
      let email = server.email()
      let user = try await phone.client.createUser(email: email, password: "first secret").user
      let other = try await tablet.client.signIn(
        with: .password(email: email, password: "first secret")
      ).user
      #expect(try await user.deviceSessions().map(\.isCurrent) == [false, true])
      try await user.update(password: "second secret")
      await #expect(throws: ClientError.sessionEnded(.revoked)) { try await other.reload() }
      #expect(tablet.client.currentUser == nil)
      try await user.reload()
      let (newEmail, taken) = (server.email(), server.email())
      try await tablet.client.createUser(email: taken, password: "secret")
      await #expect(
        throws: ClientError.credentialInUse(updated: nil, email: taken, code: "EMAIL_EXISTS")
      ) { try await user.update(email: taken) }
      try await user.update(email: newEmail)
      #expect(user.snapshot.email == newEmail)
      #expect(try await user.deviceSessions().count == 1)
    },
  ]

  // MARK: Sessions

  static let sessions = [
    ServerStory("refresh tokens rotate") { server in
      let account = try await server.post("v1/accounts:signUp", ["returnSecureToken": "true"])
      let first = try #require(account["refreshToken"])
      let second = try #require(try await server.refresh(first)["refresh_token"])
      #expect(second != first)
      // The response may have been lost, so the first token still returns the second.
      #expect(try await server.refresh(first)["refresh_token"] == second)
      let third = try await server.refresh(second)
      #expect(try await server.refresh(first)["refresh_token"] == third["refresh_token"])
      #expect(third["user_id"] == account["localId"])
      #expect(third["expires_in"] == "3600")
      #expect(try await server.refresh("forged")["message"] == "INVALID_REFRESH_TOKEN")
    },
    ServerStory("the claims of an ID token") { server in
      let email = server.email()
      let user = try await server.device().client.createUser(email: email, password: "secret").user
      let claims = try #require(user.heldIDToken?.claims)
      #expect(
        Set(claims.members.map(\.name)) == [
          "iss", "aud", "auth_time", "user_id", "sub", "iat", "exp", "email", "email_verified",
          "firebase",
        ])
      let session = try #require(claims["firebase"]?.object)
      #expect(
        Set(session.members.map(\.name)) == ["identities", "sign_in_provider", "sid"])
      #expect(session["sid"]?.string?.utf8.count == 32)
      #expect(claims["aud"]?.string == "demo")
      #expect(claims["sub"]?.string == user.uid)
      let issuedAt = try #require(claims["iat"]?.int64)
      #expect(claims["exp"]?.int64 == issuedAt + 3600)
    },
    ServerStory("the app's back end signs a user in") { server in
      let uid = "back-end-\(UInt64.random(in: 0 ... .max))"
      let now = Int(server.clock.now.timeIntervalSince1970)
      let payload: [String: Any] = [
        "iss": "back-end@example.com", "sub": "back-end@example.com", "uid": uid,
        "aud":
          "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit",
        "iat": now, "exp": now + 3600, "claims": ["plan": "trial"],
      ]
      let parts = try [["alg": "none", "typ": "JWT"], payload].map {
        try JSONSerialization.data(withJSONObject: $0).base64EncodedString()
          .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
          .replacingOccurrences(of: "=", with: "")
      }
      let device = try server.device()
      let token = "\(parts[0]).\(parts[1])."
      let first = try await device.client.signIn(withCustomToken: token)
      #expect(first.isNewUser)
      #expect(first.user.uid == uid)
      #expect(!first.snapshot.isAnonymous)
      #expect(first.user.heldIDToken?.signInProvider == .custom)
      #expect(first.user.heldIDToken?.claims["plan"]?.string == "trial")
      let refreshed = try await first.user.idToken(forcingRefresh: true)
      #expect(refreshed.claims["plan"]?.string == "trial")
      #expect(try await !device.client.signIn(withCustomToken: token).isNewUser)
      await expect("INVALID_CUSTOM_TOKEN") {
        try await device.client.signIn(withCustomToken: "forged")
      }
    },
    ServerStory("a profile is changed") { server in
      let user = try await server.device().client.signInAnonymously().user
      var change = ProfileChange()
      change.displayName = .set("Ana")
      change.photoURL = .set(try #require(URL(string: "https://example.com/ana.png")))
      try await user.update(profile: change)
      try await user.reload()
      #expect(user.snapshot.displayName == "Ana")
      #expect(user.snapshot.photoURL?.absoluteString == "https://example.com/ana.png")
      let token = try await user.idToken(forcingRefresh: true)
      #expect(token.claims["name"]?.string == "Ana")
      change.displayName = .remove
      change.photoURL = .keep
      try await user.update(profile: change)
      #expect(user.snapshot.displayName == nil)
    },
    ServerStory("an account is deleted") { server in
      let (phone, tablet) = (try server.device(), try server.device())
      let email = server.email()
      let user = try await phone.client.createUser(email: email, password: "secret").user
      let other = try await tablet.client.signIn(with: .password(email: email, password: "secret"))
        .user
      try await user.delete()
      #expect(phone.client.state == .signedOut)
      await #expect(throws: ClientError.sessionEnded(.deleted)) { try await other.reload() }
      await #expect(throws: ClientError.sessionEnded(.deleted)) {
        try await user.idToken(forcingRefresh: true)
      }
      await expect("EMAIL_NOT_FOUND") {
        try await phone.client.signIn(with: .password(email: email, password: "secret"))
      }
    },
    ServerStory("a device signs another one out") { server in
      let (phone, tablet) = (try server.device(), try server.device())
      let email = server.email()
      let user = try await phone.client.createUser(email: email, password: "secret").user
      let other = try await tablet.client.signIn(with: .password(email: email, password: "secret"))
        .user
      let session = try #require(try await user.deviceSessions().first { !$0.isCurrent })
      #expect(session.provider == .password)
      #expect(session.app == "com.example.app")
      try await user.end(session)
      await #expect(throws: ClientError.sessionEnded(.revoked)) {
        try await other.idToken(forcingRefresh: true)
      }
      #expect(try await user.deviceSessions().count == 1)
    },
  ]
}

extension ServerStory {
  // MARK: Identities

  static let identities = [
    ServerStory("a user signs in with Apple") { server in
      let (device, email) = (try server.device(), server.email())
      let person = try await server.person(email: email)
      let first = try await device.signIn(try await device.apple(person))
      #expect(first.isNewUser)
      #expect(first.provider == .apple)
      #expect(first.snapshot.email == email)
      #expect(first.snapshot.isEmailVerified)
      #expect(first.snapshot.providers.map(\.provider) == [.apple])
      #expect(first.user.heldIDToken?.signInProvider == .apple)
      try device.client.signOut()
      let second = try await device.signIn(try await device.apple(person))
      #expect(!second.isNewUser)
      #expect(second.user.uid == first.user.uid)
    },
    ServerStory("a nonce belongs to one sign-in") { server in
      let device = try server.device()
      let person = try await server.person(email: server.email())
      var wrong = try await device.apple(person)
      wrong.rawNonce = "another nonce"
      await #expect {
        try await device.signIn(wrong)
      } throws: { error in
        guard case .nonce(let detail) = error as? ClientError else { return false }
        return detail.contains("does not match the SHA256 hash")
      }
      var missing = try await device.apple(person)
      missing.rawNonce = nil
      await #expect(throws: ClientError.nonce(detail: "Nonce is missing in the request.")) {
        try await device.signIn(missing)
      }
      let used = try await device.apple(person)
      try await device.signIn(used)
      try device.client.signOut()
      await #expect {
        try await device.signIn(used)
      } throws: { error in
        guard case .nonce(let detail) = error as? ClientError else { return false }
        return detail.hasPrefix("Duplicate credential")
      }
      var forged = IdentityProviderCredential(provider: .apple)
      forged.idToken = "e30.e30.e30"
      forged.rawNonce = "nonce"
      await expect("INVALID_IDP_RESPONSE") {
        [forged] in try await device.signIn(forged)
      }
    },
    ServerStory("identities with one verified address are one account") { server in
      let (device, email) = (try server.device(), server.email())
      let person = try await server.person(email: email)
      let apple = try await device.signIn(try await device.apple(person))
      let google = try await device.signIn(try await device.google(person))
      #expect(google.user.uid == apple.user.uid)
      #expect(!google.isNewUser)
      #expect(google.snapshot.providers.map(\.provider) == [.apple, .google])
    },
    ServerStory("a verified address takes an account over") { server in
      let (device, email) = (try server.device(), server.email())
      let squatter = try await device.client.createUser(email: email, password: "secret").user
      let uid = squatter.uid
      let owner = try server.device()
      let person = try await server.person(email: email)
      let result = try await owner.signIn(try await owner.google(person))
      #expect(result.user.uid == uid)
      #expect(result.snapshot.providers.map(\.provider) == [.google])
      await #expect(throws: ClientError.sessionEnded(.revoked)) { try await squatter.reload() }
    },
    ServerStory("an address that isn't verified has to be confirmed") { server in
      let (device, email) = (try server.device(), server.email())
      let person = try await server.person(email: email)
      let user = try await device.signIn(try await device.apple(person)).user
      let other = try await server.person(email: email, isVerified: false)
      for credential in [
        try await device.facebook(person), try await device.openID(person),
        try await device.google(other),
      ] {
        do {
          try await device.signIn(credential)
          Issue.record("\(credential.provider) was not refused")
        } catch ClientError.accountExists(let address, let providers, let updated) {
          #expect(address == email)
          #expect(providers == user.snapshot.providers.map(\.provider))
          try await user.link(.identityProvider(try #require(updated)))
        }
        #expect(user.snapshot.provider(credential.provider) != nil)
      }
    },
    ServerStory("a provider gives an address to another user") { server in
      let (device, email) = (try server.device(), server.email())
      let former = try await server.person(email: email)
      try await device.signIn(try await device.google(former))
      try device.client.signOut()
      let latter = try await server.person(email: email)
      do {
        try await device.signIn(try await device.google(latter))
        Issue.record("The user entered another user's account.")
      } catch ClientError.accountExists(let address, let providers, _) {
        #expect(address == email)
        #expect(providers == [.google])
      }
    },
    ServerStory("another account's identity can't be linked") { server in
      let device = try server.device()
      let person = try await server.person(email: server.email())
      let owner = try await device.signIn(try await device.apple(person))
      try device.client.signOut()
      let user = try await device.client.signInAnonymously().user
      do {
        try await user.link(.identityProvider(try await device.apple(person)))
        Issue.record("It was linked twice.")
      } catch ClientError.credentialInUse(let updated, _, let code) {
        #expect(code == "FEDERATED_USER_ID_ALREADY_LINKED")
        let result = try await device.signIn(try #require(updated))
        #expect(result.user.uid == owner.user.uid)
      }
    },
    ServerStory("another account's address can't be linked") { server in
      let (device, email) = (try server.device(), server.email())
      try await server.device().client.createUser(email: email, password: "secret")
      let user = try await device.client.signInAnonymously().user
      let person = try await server.person(email: email)
      do {
        try await user.link(.identityProvider(try await device.google(person)))
        Issue.record("It was linked.")
      } catch ClientError.credentialInUse(_, let address, let code) {
        #expect(code == "EMAIL_EXISTS")
        #expect(address == email)
      }
    },
    ServerStory("an identity is linked and unlinked") { server in
      let (device, email) = (try server.device(), server.email())
      let person = try await server.person(email: email)
      let user = try await device.client.signInAnonymously().user
      try await user.link(.identityProvider(try await device.apple(person)))
      #expect(user.snapshot.email == email)
      #expect(user.heldIDToken?.signInProvider == .apple)
      #expect(try await user.deviceSessions().map(\.provider) == [.apple, .anonymous])
      try await user.link(.identityProvider(try await device.google(person)))
      #expect(user.snapshot.providers.map(\.provider) == [.apple, .google])
      let other = try await server.person(email: server.email())
      await expect("PROVIDER_ALREADY_LINKED") {
        try await user.link(.identityProvider(try await device.google(other)))
      }
      try await user.unlink(.google)
      try await user.reload()
      #expect(user.snapshot.providers.map(\.provider) == [.apple])
    },
    ServerStory("re-authentication needs the same person") { server in
      let device = try server.device()
      let person = try await server.person(email: server.email())
      let stranger = try await server.person(email: server.email())
      let user = try await device.signIn(try await device.apple(person)).user
      await #expect(throws: ClientError.userMismatch) {
        try await user.reauthenticate(with: .identityProvider(try await device.apple(stranger)))
      }
      try await user.reauthenticate(with: .identityProvider(try await device.apple(person)))
      #expect(device.client.currentUser == user)
    },
    ServerStory("a new user is asked first") { server in
      let device = try server.device()
      let person = try await server.person(email: server.email())
      let outcome = try await device.client.signInAsking(
        with: .identityProvider(try await device.apple(person)))
      guard case .newAccount(let offer) = outcome else {
        Issue.record("The user was not asked.")
        return
      }
      #expect(device.client.state == .signedOut)
      #expect(try await offer.continue().isNewUser)
    },
    ServerStory("Apple's authorization is revoked") { server in
      let device = try server.device()
      let person = try await server.person(email: server.email())
      let user = try await device.signIn(try await device.apple(person)).user
      let sheet = SimulatedAppleSheet(
        simulatorURL: server.simulatorURL, bundleID: "com.example.app",
        person: SimulatedPerson(person), transport: server.transport)
      let answer = try await sheet.authorize(
        AppleAuthorizationRequest(nonce: GatehouseClient.Nonce().sha256))
      #expect(try await sheet.credentialState(forUserID: answer.user) == .authorized)
      let code = String(decoding: try #require(answer.authorizationCode), as: UTF8.self)
      try await user.revokeApple(authorizationCode: code)
      try await user.revokeApple(authorizationCode: code)
      #expect(try await sheet.credentialState(forUserID: answer.user) == .revoked)
      await expect("INVALID_IDP_RESPONSE") {
        try await user.revokeApple(authorizationCode: "another code")
      }
    },
  ]

  // MARK: Emails

  static let emails = [
    ServerStory("a link signs in") { server in
      let (device, email) = (try server.device(), server.email())
      try await device.client.sendSignInLink(to: email, settings: server.linkSettings)
      let code = try await server.code("EMAIL_SIGNIN", email)
      #expect(try await device.client.check(actionCode: code).requestType == "EMAIL_SIGNIN")
      await expect("INVALID_EMAIL") {
        try await device.client.signIn(with: .emailCode(email: server.email(), code: code))
      }
      let result = try await device.client.signIn(with: .emailCode(email: email, code: code))
      #expect(result.isNewUser)
      #expect(result.snapshot.isEmailVerified)
      #expect(result.snapshot.providers.map(\.provider) == [.password])
      await expect("INVALID_OOB_CODE") {
        try await device.client.signIn(with: .emailCode(email: email, code: code))
      }
    },
    ServerStory("a link takes an account over, and is linked") { server in
      let (device, email) = (try server.device(), server.email())
      let squatter = try await device.client.createUser(email: email, password: "secret").user
      let owner = try server.device()
      try await owner.client.sendSignInLink(to: email, settings: server.linkSettings)
      let result = try await owner.client.signIn(
        with: .emailCode(email: email, code: try await server.code("EMAIL_SIGNIN", email)))
      #expect(result.user.uid == squatter.uid)
      #expect(!result.isNewUser)
      await #expect(throws: ClientError.sessionEnded(.revoked)) { try await squatter.reload() }
      await expect("INVALID_PASSWORD") {
        try await device.client.signIn(with: .password(email: email, password: "secret"))
      }
      let guest = try await device.client.signInAnonymously().user
      let guestEmail = server.email()
      try await device.client.sendSignInLink(to: guestEmail, settings: server.linkSettings)
      try await guest.link(
        .emailCode(email: guestEmail, code: try await server.code("EMAIL_SIGNIN", guestEmail)))
      #expect(guest.snapshot.email == guestEmail)
      #expect(guest.snapshot.isEmailVerified)
      try await device.client.sendSignInLink(to: email, settings: server.linkSettings)
      let code = try await server.code("EMAIL_SIGNIN", email)
      await #expect(
        throws: ClientError.credentialInUse(updated: nil, email: email, code: "EMAIL_EXISTS")
      ) { try await guest.link(.emailCode(email: email, code: code)) }
    },
    ServerStory("a password is reset") { server in
      let (device, email) = (try server.device(), server.email())
      let user = try await device.client.createUser(email: email, password: "first secret").user
      try await device.client.sendPasswordReset(to: email)
      let code = try await server.code("PASSWORD_RESET", email)
      let contents = try await device.client.check(actionCode: code)
      #expect(contents.requestType == "PASSWORD_RESET")
      #expect(contents.email == email)
      await expect("WEAK_PASSWORD") {
        try await device.client.resetPassword(code: code, newPassword: "12345")
      }
      try await device.client.resetPassword(code: code, newPassword: "second secret")
      await #expect(throws: ClientError.sessionEnded(.revoked)) { try await user.reload() }
      let again = try await device.client.signIn(
        with: .password(email: email, password: "second secret"))
      #expect(again.snapshot.isEmailVerified)
      await expect("INVALID_OOB_CODE") {
        try await device.client.resetPassword(code: code, newPassword: "third secret")
      }
      await expect("EMAIL_NOT_FOUND") {
        try await device.client.sendPasswordReset(to: server.email())
      }
    },
    ServerStory("an address is verified, and changed") { server in
      let (device, email, newEmail) = (try server.device(), server.email(), server.email())
      let user = try await device.client.createUser(email: email, password: "secret").user
      try await user.sendEmailVerification()
      try await device.client.apply(actionCode: try await server.code("VERIFY_EMAIL", email))
      try await user.reload()
      #expect(user.snapshot.isEmailVerified)
      try await user.sendEmailVerification(beforeUpdatingTo: newEmail)
      let code = try await server.code("VERIFY_AND_CHANGE_EMAIL", email)
      #expect(try await device.client.check(actionCode: code).newEmail == newEmail)
      try await device.client.apply(actionCode: code)
      await #expect(throws: ClientError.sessionEnded(.revoked)) { try await user.reload() }
      let again = try await device.client.signIn(
        with: .password(email: newEmail, password: "secret"))
      #expect(again.user.uid == user.uid)
      #expect(again.snapshot.isEmailVerified)
    },
    ServerStory("the sign-in methods of an address") { server in
      let (device, email) = (try server.device(), server.email())
      #expect(try await device.client.signInMethods(for: email) == [])
      let person = try await server.person(email: email)
      let user = try await device.signIn(try await device.apple(person)).user
      try await user.link(.password(email: email, password: "secret"))
      #expect(try await device.client.signInMethods(for: email) == ["password", "apple.com"])
    },
  ]
}
