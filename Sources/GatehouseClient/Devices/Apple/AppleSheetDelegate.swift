#if canImport(AuthenticationServices)
  import AuthenticationServices
  import Foundation

  /// Copies the values of the system's classes, which must stay on the main actor.
  @MainActor
  final class AppleSheetDelegate: NSObject, ASAuthorizationControllerDelegate {
    let answer = SheetAnswer<OfferedCredential>()

    #if !os(watchOS)
      private let anchor: ASPresentationAnchor

      init(anchor: ASPresentationAnchor) { self.anchor = anchor }

      func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor {
        anchor
      }
    #endif

    func authorizationController(
      controller: ASAuthorizationController,
      didCompleteWithAuthorization authorization: ASAuthorization
    ) {
      switch authorization.credential {
      case let apple as ASAuthorizationAppleIDCredential:
        answer.give(.success(.apple(AppleAuthorization(apple))))
      case let saved as ASPasswordCredential:
        answer.give(.success(.password(user: saved.user, password: saved.password)))
      default:
        answer.give(.failure(.failed(detail: "The sheet answered with another kind of credential")))
      }
    }

    func authorizationController(
      controller: ASAuthorizationController, didCompleteWithError error: any Error
    ) {
      answer.give(.failure(Self.fault(error)))
    }

    /// Uses only the codes of `ASAuthorizationError`: the system's texts aren't meant for users or
    /// logs.
    private static func fault(_ error: any Error) -> DeviceFault {
      guard let error = error as? ASAuthorizationError else {
        let error = error as NSError
        return .failed(detail: "\(error.domain) \(error.code)")
      }
      switch error.code {
      case .canceled: return .cancelled
      // The device isn't signed in to an Apple Account, or no password is saved.
      case .unknown, .notInteractive:
        return .unavailable(detail: "ASAuthorizationError \(error.code.rawValue)")
      default: return .failed(detail: "ASAuthorizationError \(error.code.rawValue)")
      }
    }
  }

  #if !os(watchOS)
    extension AppleSheetDelegate: ASAuthorizationControllerPresentationContextProviding {}
  #endif

  extension AppleAuthorization {
    @MainActor fileprivate init(_ credential: ASAuthorizationAppleIDCredential) {
      self.init(
        user: credential.user, identityToken: credential.identityToken,
        authorizationCode: credential.authorizationCode,
        fullName: credential.fullName.map {
          PersonName(givenName: $0.givenName, familyName: $0.familyName)
        }.flatMap { $0.isEmpty ? nil : $0 },
        email: credential.email,
        realUserStatus: RealUserStatus(rawValue: credential.realUserStatus.rawValue) ?? .unknown,
        state: credential.state)
    }
  }
#endif
