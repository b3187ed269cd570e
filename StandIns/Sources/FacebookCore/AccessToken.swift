public import Foundation
import SimulatedDevice
import Synchronization

/// What Facebook's SDK stores about a user who signed in.
public final class AccessToken: NSObject, Sendable {
  public let tokenString: String
  public let appID: String
  public let userID: String
  public let expirationDate: Date

  /// The current token. Nil after a sign-out.
  public static var current: AccessToken? {
    get { shared.withLock { $0 } }
    set { shared.withLock { $0 = newValue } }
  }

  private static let shared = Mutex<AccessToken?>(nil)

  init(tokenString: String, appID: String, userID: String, expirationDate: Date) {
    self.tokenString = tokenString
    self.appID = appID
    self.userID = userID
    self.expirationDate = expirationDate
  }

  /// Signs in, as Facebook's own button does (`LoginManager`, in another module).
  @discardableResult
  public static func simulateLogIn() async throws -> AccessToken {
    struct Question: Encodable {
      var client_id: String
      var person: String
      var permissions = ["public_profile", "email"]
    }
    struct Answer: Decodable {
      var accessToken: String
      var userID: String
      var expiresIn: Double
    }
    let device = SimulatedDevice.current
    let answer = try await SimulatorCall.post(
      "/facebook/native-sign-in",
      json: Question(client_id: device.facebookAppID, person: device.person)
    ).decode(Answer.self)
    let token = AccessToken(
      tokenString: answer.accessToken, appID: device.facebookAppID, userID: answer.userID,
      expirationDate: SimulatedDevice.now.addingTimeInterval(answer.expiresIn))
    current = token
    return token
  }
}
