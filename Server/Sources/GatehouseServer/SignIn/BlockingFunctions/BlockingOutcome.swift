import Foundation
package import GatehouseTokens

/// The result of asking a blocking function.
package enum BlockingOutcome: Sendable {
  case allowed(BlockingChanges)
  case refused(BlockingRefusal)
  /// The function could not be reached, was too slow, or gave no valid answer. Its
  /// ``BlockingFunction/onFailure`` decides. If it is to refuse, clients get this refusal.
  case failed(BlockingRefusal)
}

/// What a blocking function changes in the account that it allows.
package struct BlockingChanges: Sendable {
  package var displayName: Change<String> = .keep
  package var photoURL: Change<String> = .keep
  package var isDisabled: Bool?
  package var isEmailVerified: Bool?
  package var customClaims: Change<CustomClaims> = .keep
  /// Claims for every ID token of the session. Only ``BlockingFunction/Trigger/beforeSignIn`` sets
  /// them.
  package var sessionClaims: CustomClaims?

  package init() {}

  package var isEmpty: Bool { leavesAccount && sessionClaims == nil }

  /// Whether the account stays as it is.
  var leavesAccount: Bool {
    displayName.isKeep && photoURL.isKeep && customClaims.isKeep && isDisabled == nil
      && isEmailVerified == nil
  }

  /// A name and a photo count as set by an administrator, because the function belongs to the
  /// project's team.
  func apply(to account: inout Account, now: Date) {
    account.displayName = displayName.applied(to: account.displayName)
    account.photoURL = photoURL.applied(to: account.photoURL)
    if !displayName.isKeep { account.assignedFields.insert(.displayName) }
    if !photoURL.isKeep { account.assignedFields.insert(.photoURL) }
    account.customClaims = customClaims.applied(to: account.customClaims)
    account.isDisabled = isDisabled ?? account.isDisabled
    switch isEmailVerified {
    case true? where account.email != nil && !account.isEmailVerified:
      account.verifyEmail(now: now)
    case false? where account.isEmailVerified: account.replaceEmail(by: account.email)
    default: break
    }
  }
}

/// A blocking function's refusal, for the user's app.
package struct BlockingRefusal: Hashable, Sendable {
  /// At most ``maximumCharacters``, without control characters. The function wrote it, unless it
  /// failed (``failure``) or sent an empty message (``defaultMessage``).
  package let message: String
  /// Should be a name of `google.rpc.Code`, such as `PERMISSION_DENIED`. Only its form is checked.
  package let status: String
  /// Whether the function wrote the message, or would have: false only for ``tooSlow``.
  package let isFunctions: Bool

  package static let maximumCharacters = 500
  package static let defaultMessage = "The request was refused."
  package static let defaultStatus = "PERMISSION_DENIED"

  /// What apps are told if a function failed and its policy is to refuse, as in Firebase.
  package static let failure = BlockingRefusal(
    message: "An unexpected error occurred.", status: "INTERNAL")

  /// What apps are told if the function was too slow and its policy is to refuse, as in Firebase.
  package static let tooSlow = BlockingRefusal(
    message: "Cloud function deadline exceeded.", status: "DEADLINE_EXCEEDED", isFunctions: false)

  /// - Parameters:
  ///   - message: Any text. Control characters are removed, and what is longer than
  ///     ``maximumCharacters`` is cut off.
  ///   - status: One to 40 capital letters and `_`. Anything else is replaced by the default.
  package init(message: String, status: String?) {
    self.init(message: message, status: status, isFunctions: true)
  }

  private init(message: String, status: String?, isFunctions: Bool) {
    self.isFunctions = isFunctions
    let plain = message.unicodeScalars.lazy
      .filter { $0.properties.generalCategory != .control }
      .prefix(Self.maximumCharacters)
    let text = String(String.UnicodeScalarView(plain)).trimmingCharacters(in: .whitespaces)
    self.message = text.isEmpty ? Self.defaultMessage : text
    let isName = { (text: String) in
      (1...40).contains(text.utf8.count)
        && text.utf8.allSatisfy { (0x41...0x5A).contains($0) || $0 == 0x5F }
    }
    self.status = status.flatMap { isName($0) ? $0 : nil } ?? Self.defaultStatus
  }
}
