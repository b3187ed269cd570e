public import Foundation
internal import GatehouseProtocol

/// Settings of an ``Auth``.
// `@unchecked`: `isDisabled` is the lock of everything that changes. An open class can't be
// checked.
open class AuthSettings: NSObject, NSCopying, @unchecked Sendable {
  private let isDisabled = Locked(false)

  override public init() { super.init() }

  /// Kept for the app, without effect: this library doesn't verify the app.
  open var isAppVerificationDisabledForTesting: Bool {
    get { isDisabled.withLock { $0 } }
    set { isDisabled.withLock { $0 = newValue } }
  }

  /// ``isAppVerificationDisabledForTesting`` under its Objective-C name.
  open var appVerificationDisabledForTesting: Bool {
    get { isAppVerificationDisabledForTesting }
    set { isAppVerificationDisabledForTesting = newValue }
  }

  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = AuthSettings()
    copy.isAppVerificationDisabledForTesting = isAppVerificationDisabledForTesting
    return copy
  }
}
