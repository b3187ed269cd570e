public import Foundation
import SimulatedDevice
import Synchronization

public final class GIDGoogleUser: NSObject, Sendable {
  /// Tokens that expire earlier are refreshed.
  static let minimalSecondsToExpire: TimeInterval = 60

  let tokens: Mutex<GoogleTokens>
  public let configuration: GIDConfiguration

  init(_ tokens: GoogleTokens, configuration: GIDConfiguration) {
    self.tokens = Mutex(tokens)
    self.configuration = configuration
  }

  private var held: GoogleTokens { tokens.withLock { $0 } }

  public var userID: String? { IDTokenClaims(held.idToken)?.sub }
  public var profile: GIDProfileData? { IDTokenClaims(held.idToken).map(GIDProfileData.init) }
  public var grantedScopes: [String]? { held.scopes }
  public var accessToken: GIDToken {
    GIDToken(tokenString: held.accessToken, expirationDate: held.accessTokenExpires)
  }
  public var refreshToken: GIDToken {
    GIDToken(tokenString: held.refreshToken, expirationDate: nil)
  }
  public var idToken: GIDToken? {
    let token = held.idToken
    let expires = IDTokenClaims(token).map { Date(timeIntervalSince1970: $0.exp) }
    return GIDToken(tokenString: token, expirationDate: expires)
  }

  /// Sends a request to Google only if a token expires within a minute.
  @discardableResult
  public func refreshTokensIfNeeded() async throws -> GIDGoogleUser {
    let limit = SimulatedDevice.now.addingTimeInterval(Self.minimalSecondsToExpire)
    let idTokenExpires = idToken?.expirationDate ?? .distantFuture
    if min(held.accessTokenExpires, idTokenExpires) < limit {
      let new: GoogleTokens
      do {
        new = try await held.refreshed()
      } catch let error where (error as NSError).domain == "org.openid.appauth.oauth_token" {
        GIDSignIn.sharedInstance.forget(refreshToken: held.refreshToken)
        throw error
      }
      tokens.withLock { $0 = new }
      GIDSignIn.sharedInstance.keep(new)
    }
    return self
  }

  public func refreshTokensIfNeeded(
    completion: @escaping @MainActor @Sendable (GIDGoogleUser?, (any Error)?) -> Void
  ) {
    Task { @MainActor in
      do { completion(try await refreshTokensIfNeeded(), nil) } catch { completion(nil, error) }
    }
  }
}

public final class GIDSignInResult: NSObject, Sendable {
  public let user: GIDGoogleUser
  public let serverAuthCode: String?

  init(user: GIDGoogleUser, serverAuthCode: String?) {
    self.user = user
    self.serverAuthCode = serverAuthCode
  }
}
