public import Foundation
import GatehouseClient
import GatehouseProtocol

/// A change of name and picture: set the properties to change, and commit once.
///
/// A property that isn't set keeps its value. Nil removes the value from the account, where
/// Google's SDK removes it only on the device.
open class UserProfileChangeRequest: NSObject, @unchecked Sendable {  // `change` is a lock.
  private let user: User
  private let change: Locked<Change>

  private struct Change {
    var profile = ProfileChange()
    var isCommitted = false
  }

  init(user: User) {
    self.user = user
    change = Locked(Change())
  }

  open var displayName: String? {
    get { value(of: \.displayName) ?? user.displayName }
    set {
      change.withLock { $0.profile.displayName = newValue.map { .set($0) } ?? .remove }
    }
  }

  open var photoURL: URL? {
    get { value(of: \.photoURL) ?? user.photoURL }
    set { change.withLock { $0.profile.photoURL = newValue.map { .set($0) } ?? .remove } }
  }

  /// Sends the change.
  ///
  /// - Throws: The errors of ``User/getIDToken(forcingRefresh:)``. On a second call,
  ///   ``AuthErrorCode/internalError``; Google's SDK stops the program.
  open func commitChanges() async throws {
    let (profile, isFirst) = change.withLock { change in
      defer { change.isCommitted = true }
      return (change.profile, !change.isCommitted)
    }
    guard isFirst else {
      throw AuthErrorCode.internalError.error("Commit a profile change request only once.")
    }
    guard profile != ProfileChange() else { return }
    let person = user.person
    try await asAuthErrors { () async throws(ClientError) in
      try await person.update(profile: profile)
    }
    user.forgetLocalProfile()
  }

  open func commitChanges(completion: (((any Error)?) -> Void)? = nil) {
    completing(completion) { try await self.commitChanges() }
  }

  /// - Returns: nil if the property wasn't set; `.some(nil)` if the value will be removed.
  private func value<Value>(of member: KeyPath<ProfileChange, ProfileChange.Change<Value>>)
    -> Value??
  {
    switch change.withLock({ $0.profile })[keyPath: member] {
    case .keep: nil
    case .set(let value): .some(value)
    case .remove: .some(nil)
    }
  }
}
