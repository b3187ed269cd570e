import Foundation
public import GatehouseClient
import GatehouseProtocol

extension AuthTestServer {
  // MARK: Second factors

  /// A text message. Its code may have been used.
  public struct TextMessage: Sendable, Hashable {
    public var to: String
    public var code: String
  }

  /// Oldest first.
  public var textMessages: [TextMessage] { shared.withLock { $0.state.textMessages } }

  /// Whether an account needs a second factor. A user who has none then adds one to sign in.
  public var requiresSecondFactor: Bool {
    get { shared.withLock { $0.state.requiresSecondFactor } }
    set { shared.withLock { $0.state.requiresSecondFactor = newValue } }
  }

  /// The code that an authenticator app with this secret shows now.
  ///
  /// A step of 30 seconds can be used once: move the ``clock`` by 30 seconds between two uses.
  ///
  /// - Parameter secret: In Base32, as the app got it.
  /// - Returns: Nil if it isn't Base32.
  public func code(ofSecret secret: String) -> String? {
    TOTP.bytes(base32: secret).map { TOTP.code($0, step: TOTP.step(at: clock.now)) }
  }

  /// The code that the user's authenticator app shows now.
  ///
  /// - Returns: Nil if the account has none.
  public func authenticatorCode(of uid: String) -> String? {
    user(uid)?.factors.lazy.compactMap(\.secret).first.map {
      TOTP.code($0, step: TOTP.step(at: clock.now))
    }
  }

  /// Adds an authenticator app to an account, as if the user had done it.
  ///
  /// - Returns: Nil if there is no such account.
  @discardableResult
  public func addAuthenticator(to uid: String, displayName: String? = nil) -> SecondFactor? {
    add(to: uid, displayName) {
      .totp(secret: Array("secret of factor \(1000 + $0)".utf8.prefix(20)))
    }
  }

  /// Adds a phone as a second factor.
  ///
  /// - Parameter phoneNumber: In E.164 form.
  @discardableResult
  public func addPhone(
    _ phoneNumber: String, to uid: String, displayName: String? = nil
  ) -> SecondFactor? {
    add(to: uid, displayName) { _ in .phone(number: phoneNumber) }
  }

  private func add(
    to uid: String, _ displayName: String?, _ kind: @Sendable (Int) -> TestUser.Factor.Kind
  ) -> SecondFactor? {
    change { state in
      guard var user = state.user(uid) else { return nil }
      let number = state.next()
      let factor = TestUser.Factor(
        id: "factor\(number)", kind: kind(number), displayName: displayName, enrolledAt: state.now)
      user.factors.append(factor)
      state.save(user)
      return factor.shown
    }
  }
}
