import HTTPTypes

/// Why a page refused to do what the link asks for. It reveals no more than the errors of the REST
/// API.
enum ActionPageFault: Error, Hashable, Sendable, CaseIterable {
  /// A parameter is missing, invalid or repeated, or the API key belongs to no project.
  case incomplete
  /// The code has expired, was used, was replaced, never existed, or is for another purpose.
  case spent
  /// Like `spent`, for a recovery code. A user can't request a new recovery code.
  case spentRecovery
  case userDisabled
  /// Another account has the address by now.
  case emailTaken
  /// The project doesn't allow this way to sign in, or the project or its blocking function doesn't allow a
  /// new account, or the server sends no mail.
  case notOffered
  /// A sign-in link names no page on a domain of the project, and no app that the device can have.
  case noApp
  /// The rate limit is reached.
  case tooManyAttempts
  /// A page of another site posted the form.
  case otherSite
  /// The server has no capacity at the moment.
  case busy

  /// Nil for an error that has no page of its own.
  ///
  /// - Parameter isRecovery: Whether the link says that its code recovers an address.
  init?(_ error: any Error, isRecovery: Bool) {
    switch error {
    case ActionPageFault.spent, AccountsError.invalidActionCode, AccountsError.expiredActionCode,
      AccountsError.userNotFound, AccountsError.emailNotFound:
      self = isRecovery ? .spentRecovery : .spent
    case let fault as ActionPageFault: self = fault
    case AccountsError.userDisabled: self = .userDisabled
    case AccountsError.emailExists, StoreError.conflict(.email): self = .emailTaken
    case AccountsError.passwordLoginDisabled, AccountsError.emailLinksDisabled,
      AccountsError.adminOnlyOperation, AccountsError.deliveryMissing,
      AccountsError.blockedByFunction:
      self = .notOffered
    case AccountsError.tooManyAttempts, AccountsError.tooManyActionCodes: self = .tooManyAttempts
    case AccountsError.overloaded: self = .busy
    default: return nil
    }
  }

  var status: HTTPResponse.Status {
    switch self {
    case .incomplete, .spent, .spentRecovery, .userDisabled, .emailTaken, .notOffered, .noApp:
      .badRequest
    case .otherSite: .forbidden
    case .tooManyAttempts: .tooManyRequests
    case .busy: .serviceUnavailable
    }
  }
}
