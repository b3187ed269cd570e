internal import Foundation
internal import GatehouseCore
internal import GatehouseClient

extension Auth {
  /// Logs why the session ended or its store failed, and posts it. On the main queue.
  func report(_ cause: ClientError) {
    let error = cause.nsError()
    let code = AuthErrorCode(rawValue: error.code).map { " (\($0.name))" } ?? ""
    switch cause {
    case .store(let fault):
      Log.write(.error, "The session's store failed: \(fault.kind.rawValue), \(fault.detail)")
    default:
      Log.write(.notice, "The user was signed out: the server has ended the session\(code).")
    }
    NotificationCenter.default.post(
      name: Auth.sessionFaultNotification, object: self, userInfo: [NSUnderlyingErrorKey: error])
  }
}
