public import Foundation

/// A user's second factors. The server has none: ``enrolledFactors`` is empty, and every request
/// throws ``AuthErrorCode/operationNotAllowed``.
// `@unchecked`: no lock, because it has no state. An open class can't be checked.
open class MultiFactor: NSObject, NSSecureCoding, @unchecked Sendable {
  package override init() { super.init() }

  /// Always empty.
  open var enrolledFactors: [MultiFactorInfo] { [] }

  open func getSessionWithCompletion(
    _ completion: ((MultiFactorSession?, (any Error)?) -> Void)?
  ) {
    completing(completion) { throw AuthErrorCode.noSecondFactors }
  }

  /// - Throws: ``AuthErrorCode/operationNotAllowed``.
  open func session() async throws -> MultiFactorSession { throw AuthErrorCode.noSecondFactors }

  open func enroll(
    with assertion: MultiFactorAssertion, displayName: String?,
    completion: (((any Error)?) -> Void)?
  ) {
    completing(completion) { throw AuthErrorCode.noSecondFactors }
  }

  /// - Throws: ``AuthErrorCode/operationNotAllowed``.
  open func enroll(
    with assertion: MultiFactorAssertion, displayName: String?
  ) async throws {
    throw AuthErrorCode.noSecondFactors
  }

  open func unenroll(
    with factorInfo: MultiFactorInfo, completion: (((any Error)?) -> Void)?
  ) {
    completing(completion) { throw AuthErrorCode.noSecondFactors }
  }

  /// - Throws: ``AuthErrorCode/operationNotAllowed``.
  open func unenroll(with factorInfo: MultiFactorInfo) async throws {
    throw AuthErrorCode.noSecondFactors
  }

  open func unenroll(
    withFactorUID factorUID: String, completion: (((any Error)?) -> Void)?
  ) {
    completing(completion) { throw AuthErrorCode.noSecondFactors }
  }

  /// - Throws: ``AuthErrorCode/operationNotAllowed``.
  open func unenroll(withFactorUID factorUID: String) async throws {
    throw AuthErrorCode.noSecondFactors
  }

  // MARK: NSSecureCoding

  public static let supportsSecureCoding = true

  /// Encodes nothing.
  public func encode(with coder: NSCoder) {}

  public required init?(coder: NSCoder) { super.init() }
}

extension AuthErrorCode {
  static var noSecondFactors: NSError { notOffered("second factors") }
}
