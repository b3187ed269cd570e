public import Foundation
import SimulatedDevice

public final class ASAuthorizationAppleIDRequest: ASAuthorizationOpenIDRequest {
  /// The user to ask for. Nil for the user of the device.
  public var user: String?
}

public enum ASUserDetectionStatus: Int, Sendable { case unsupported, unknown, likelyReal }

/// What Apple sends to an app about a user who agreed.
public final class ASAuthorizationAppleIDCredential: NSObject, ASAuthorizationCredential {
  public let user: String
  public let state: String?
  public let authorizedScopes: [ASAuthorization.Scope]
  public let authorizationCode: Data?
  public let identityToken: Data?
  public let email: String?
  public let fullName: PersonNameComponents?
  public let realUserStatus: ASUserDetectionStatus

  init(_ answer: AppleAnswer, scopes: [ASAuthorization.Scope]) {
    user = answer.user
    state = answer.state
    authorizedScopes = scopes
    authorizationCode = answer.authorizationCode.map { Data($0.utf8) }
    identityToken = answer.identityToken
    email = answer.email
    fullName = answer.fullName.map {
      var name = PersonNameComponents()
      name.givenName = $0.givenName
      name.familyName = $0.familyName
      return name
    }
    realUserStatus = answer.realUserStatus.flatMap(ASUserDetectionStatus.init) ?? .unsupported
  }
}

public final class ASAuthorizationAppleIDProvider: NSObject, ASAuthorizationProvider {
  public enum CredentialState: Int, Sendable { case revoked, authorized, notFound, transferred }

  /// Posted when a credential may have been revoked.
  public static let credentialRevokedNotification = NSNotification.Name(
    "ASAuthorizationAppleIDCredentialRevokedNotification")

  public func createRequest() -> ASAuthorizationAppleIDRequest {
    ASAuthorizationAppleIDRequest(provider: self)
  }

  public func credentialState(forUserID userID: String) async throws -> CredentialState {
    do {
      return try await AppleAnswer.credentialState(of: userID)
    } catch {
      throw ASAuthorizationError(.failed)
    }
  }

  public func getCredentialState(
    forUserID userID: String,
    completion: @escaping @Sendable (CredentialState, (any Error)?) -> Void
  ) {
    Task {
      do {
        completion(try await AppleAnswer.credentialState(of: userID), nil)
      } catch {
        completion(.notFound, ASAuthorizationError(.failed))
      }
    }
  }
}
