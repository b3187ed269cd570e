import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct DeleteAccountTests {
  private func delete(_ signedIn: SignedIn, _ world: World) async throws {
    try await world.accounts.deleteAccount(signedIn.account.uid, in: world.project, now: world.now)
  }

  @Test func `a user's own account is deleted, and its tokens end`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      _ = try await world.accounts.delete(
        idToken: ann.tokens.idToken, in: world.project, now: world.now)
      let count = try await world.count()
      #expect(count == 0)
      await #expect(throws: AccountsError.userNotFound) {
        try await world.currentUser(ann.tokens.idToken)
      }
      await #expect(throws: AccountsError.userNotFound) {
        try await world.refresh(ann.tokens.refreshToken)
      }
      await #expect(throws: AccountsError.emailNotFound) {
        try await world.signIn("ann@example.com")
      }
    }
  }

  @Test func `deleting twice finds no user`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      try await delete(ann, world)
      await #expect(throws: AccountsError.userNotFound) { try await delete(ann, world) }
      await #expect(throws: AccountsError.userNotFound) {
        _ = try await world.accounts.delete(
          idToken: ann.tokens.idToken, in: world.project, now: world.now)
      }
    }
  }

  @Test func `a project that leaves deletion to administrators refuses it`() async throws {
    try await withWorld({ $0.refusesDeletion = true }) { world in
      let ann = try await world.signUp("ann@example.com")
      await #expect(throws: AccountsError.adminOnlyOperation) {
        _ = try await world.accounts.delete(
          idToken: ann.tokens.idToken, in: world.project, now: world.now)
      }
      try await delete(ann, world)
    }
  }

  @Test(arguments: [(0, true), (361, false)])
  func `after unlinking everything, deletion still needs a recent sign-in`(
    _ age: Double, _ isTaken: Bool
  ) async throws {
    try await withWorld { world in
      let ann = try await world.signInAndUnlinkEverything(age: age)
      let delete = { () async throws in
        _ = try await world.accounts.delete(
          idToken: ann.tokens.idToken, in: world.project, now: world.now)
      }
      if isTaken {
        try await delete()
      } else {
        await #expect(throws: AccountsError.credentialTooOld) { try await delete() }
      }
      #expect(try await world.count() == (isTaken ? 0 : 1))
    }
  }

  @Test func `an anonymous account's old session may delete it`() async throws {
    try await withWorld { world in
      let guest = try await world.signUpAnonymously()
      world.advance(3000)
      _ = try await world.accounts.delete(
        idToken: guest.tokens.idToken, in: world.project, now: world.now)
    }
  }

  @Test func `the sessions stay as tombstones`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      try await delete(ann, world)
      let ended = try await world.storedSession(ann.session.id).ended
      #expect(ended?.reason == .accountDeleted)
      #expect(ended?.at == world.now)
    }
  }

  @Test(arguments: [0, 0.0001, 3600])
  func `old tokens are invalid for a new account with the same id`(seconds: Double) async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      try await delete(ann, world)
      world.advance(seconds)
      _ = try await world.create(ann.account.uid)
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.refresh(ann.tokens.refreshToken)
      }
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.currentUser(ann.tokens.idToken)
      }
    }
  }

  @Test func `the identity and the address are free again`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.google, email: "ann@example.com")).signedIn()
      try await delete(ann, world)
      let again = try await world.signIn(identity(.google, email: "ann@example.com")).signedIn()
      #expect(again.isNewUser)
      #expect(again.account.uid != ann.account.uid)
    }
  }

  @Test func `an account of another project isn't found`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      let other = try await world.otherProject()
      await #expect(throws: AccountsError.userNotFound) {
        try await world.accounts.deleteAccount(ann.account.uid, in: other, now: world.now)
      }
    }
  }

  @Test func `with force all named accounts are deleted, unknown ids are ignored`() async throws {
    try await withWorld { world in
      let first = try await world.create()
      let second = try await world.create { $0.isDisabled = true }
      let left = try await world.accounts.deleteAccounts(
        [first.uid, uid("nobody"), second.uid, first.uid], force: true, in: world.project,
        now: world.now)
      #expect(left.isEmpty)
      let count = try await world.count()
      #expect(count == 0)
    }
  }

  @Test func `without force only disabled accounts are deleted`() async throws {
    try await withWorld { world in
      let first = try await world.create()
      let second = try await world.create { $0.isDisabled = true }
      let left = try await world.accounts.deleteAccounts(
        [uid("nobody"), second.uid, first.uid], force: false, in: world.project, now: world.now)
      #expect(left == [2])
      _ = try await world.stored(first.uid)
      let count = try await world.count()
      #expect(count == 1)
    }
  }

  @Test func `all accounts of a project are deleted, and no others`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      let other = try await world.otherProject()
      let kept = try await world.signUp("ann@example.com", in: other)
      try await world.accounts.deleteAllAccounts(in: world.project, now: world.now)
      let count = try await world.count()
      #expect(count == 0)
      await #expect(throws: AccountsError.userNotFound) {
        try await world.refresh(ann.tokens.refreshToken)
      }
      _ = try await world.refresh(kept.tokens.refreshToken, in: other)
    }
  }
}
