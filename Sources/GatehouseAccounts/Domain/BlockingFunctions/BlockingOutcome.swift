import Foundation
package import GatehouseTokens

/// What came of asking a blocking function.
package enum BlockingOutcome: Sendable {
  case allowed(BlockingChanges)
  case refused(BlockingRefusal)
  /// The function could not be reached, was too slow, or answered something else. Its
  /// ``BlockingFunction/onFailure`` decides.
  case failed
}

/// What a blocking function changes in the account that it allows.
package struct BlockingChanges: Sendable {
  package var displayName: Change<String> = .keep
  package var photoURL: Change<String> = .keep
  package var isDisabled: Bool?
  package var isEmailVerified: Bool?
  package var customClaims: Change<CustomClaims> = .keep
  /// In every ID token of the session. Only ``BlockingFunction/Trigger/beforeSignIn`` sets them.
  package var sessionClaims: CustomClaims?

  package init() {}

  package var isEmpty: Bool { leavesAccount && sessionClaims == nil }

  /// Whether the account stays as it is.
  var leavesAccount: Bool {
    displayName.isKeep && photoURL.isKeep && customClaims.isKeep && isDisabled == nil
      && isEmailVerified == nil
  }

  /// The function speaks for the project's operator, so its changes are an administrator's.
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
  /// At most ``maximumCharacters``, without control characters. Written by the project's own function.
  package let message: String
  /// A name of `google.rpc.Code`, such as `PERMISSION_DENIED`.
  package let status: String

  package static let maximumCharacters = 500
  package static let defaultMessage = "The request was refused."
  package static let defaultStatus = "PERMISSION_DENIED"

  /// What apps are told if a function failed and its policy is to refuse: Firebase's own words.
  package static let failure = BlockingRefusal(
    message: "An unexpected error occurred.", status: "INTERNAL")

  /// - Parameters:
  ///   - message: Of any length and content.
  ///   - status: Replaced by the default unless it has the form of a name.
  package init(message: String, status: String?) {
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
