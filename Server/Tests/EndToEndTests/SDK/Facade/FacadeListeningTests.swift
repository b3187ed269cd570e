import GatehouseAuth
import Foundation
import Synchronization
import Testing

/// The story of the SwiftUI tutorial on deleting accounts, with a second device: its auth-state listener is
/// called without a call of the app.
@Suite(.developmentServer, .timeLimit(.minutes(10)))
struct FacadeListeningTests {
  /// The states that the tutorial's `AuthManager` receives.
  private final class AuthManager: Sendable {
    private let states = Mutex<[String?]>([])
    private let handle: Mutex<(any NSObjectProtocol & Sendable)?> = Mutex(nil)

    init(_ auth: Auth) {
      _ = auth.addStateDidChangeListener { [weak self] _, user in
        let uid = user?.uid
        self?.states.withLock { $0.append(uid) }
      }
    }

    var isSignedOut: Bool { states.withLock { $0.last == .some(nil) && $0.count > 1 } }
    var isSignedIn: Bool { states.withLock { $0.last.flatMap(\.self) != nil } }
  }

  @Test func `a deletion on one device calls the other's listener`() async throws {
    let server = try suiteServer()
    let phone = try FacadeApp(server, listens: true)
    let tablet = try FacadeApp(server, listens: true)
    let person = try await server.providers.person()
    _ = try await phone.auth.signIn(with: try await phone.apple(person).credential)
    _ = try await tablet.auth.signIn(with: try await tablet.apple(person).credential)
    let manager = AuthManager(tablet.auth)
    #expect(try await Deadline.wait { manager.isSignedIn })
    try await #require(phone.auth.currentUser).delete()
    #expect(try await Deadline.wait { manager.isSignedOut })
    #expect(tablet.auth.currentUser == nil)
  }

  @Test func `an app that turned it off finds out at its next refresh`() async throws {
    let server = try suiteServer()
    let phone = try FacadeApp(server, listens: true)
    let tablet = try FacadeApp(server)
    let email = Unique.email("two")
    let user = try await phone.auth.createUser(withEmail: email, password: "notasecret").user
    let other = try await tablet.auth.signIn(withEmail: email, password: "notasecret").user
    try await user.delete()
    #expect(tablet.auth.currentUser === other)
    let error = await authError { _ = try await other.getIDTokenResult(forcingRefresh: true) }
    #expect(error?.userInfo[AuthErrorUserInfoNameKey] as? String == "ERROR_USER_NOT_FOUND")
  }

  /// Prints the durations, for Benchmarks/README.md. It expects no short duration, because the machine is
  /// busy.
  @Test func `a deletion signs the other device out again and again`() async throws {
    let server = try suiteServer()
    var times: [Duration] = []
    for _ in 0..<20 {
      let phone = try FacadeApp(server, listens: true)
      let tablet = try FacadeApp(server, listens: true)
      let email = Unique.email("two")
      let user = try await phone.auth.createUser(withEmail: email, password: "notasecret").user
      _ = try await tablet.auth.signIn(withEmail: email, password: "notasecret")
      let manager = AuthManager(tablet.auth)
      #expect(try await Deadline.wait { manager.isSignedIn })
      // The stream has begun when it has received a change of the profile by the other device.
      var number = 0
      let isListening = try await Deadline.wait {
        number += 1
        let change = user.createProfileChangeRequest()
        change.displayName = "Ann \(number)"
        try await change.commitChanges()
        return tablet.auth.currentUser?.displayName != nil
      }
      #expect(isListening)
      let start = ContinuousClock.now
      try await user.delete()
      #expect(try await Deadline.wait { manager.isSignedOut })
      times.append(ContinuousClock.now - start)
      await phone.app.delete()
      await tablet.app.delete()
    }
    let sorted = times.sorted()
    print("deletion to sign-out: median \(sorted[10]), longest \(sorted[19])")
  }
}
