public import Foundation

/// Game Center. The server has no such provider: every call throws
/// ``AuthErrorCode/operationNotAllowed``.
open class GameCenterAuthProvider: NSObject {
  /// `gc.apple.com`
  public static let id = "gc.apple.com"

  open class func getCredential(
    completion: @escaping (AuthCredential?, (any Error)?) -> Void
  ) {
    completing(completion) { try refuse() }
  }

  /// - Throws: ``AuthErrorCode/operationNotAllowed``.
  open class func getCredential() async throws -> AuthCredential { try refuse() }

  private static func refuse() throws -> AuthCredential {
    throw AuthErrorCode.notOffered("Game Center")
  }

  @available(*, unavailable, message: "It has no instances: use its class functions")
  override public init() { super.init() }
}
