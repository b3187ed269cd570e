import Foundation
import Synchronization

/// The device that the stand-ins are the system of: whose it is, and what they do when asked.
///
/// One per process, as a device is; tests that change it don't run at once.
public struct SimulatedDevice: Sendable {
  /// What the person does with a sheet.
  public enum Decision: Sendable {
    case agrees
    case cancels
    /// Leaves it open, until the app takes it away.
    case waits
  }

  /// A password that the device has saved for the app.
  public struct SavedPassword: Sendable {
    public var user: String
    public var password: String

    public init(user: String, password: String) {
      self.user = user
      self.password = password
    }
  }

  /// Of `gatehouse serve --dev` or `gatehouse simulate`: `http://127.0.0.1:9100`.
  public var simulatorURL: String
  /// The app.
  public var bundleID = "com.example.app"
  public var googleClientID = "demo.apps.example.com"
  public var facebookAppID = "1234567890"

  /// Whose device it is: the `id` of a person of the simulator's.
  public var person: String
  public var decision = Decision.agrees
  public var hidesEmail = false
  public var savedPassword: SavedPassword?
  /// In a sheet that offers both: Apple's account rather than the saved password.
  public var prefersApple = true
  /// How far the device's clock is ahead: what is an hour old needs no waiting.
  public var secondsAhead: TimeInterval = 0
  /// The device has no network: sheets and browsers fail, what is kept still works.
  public var isOffline = false
  /// What is wrong with the next sheet's answer.
  public var sheetFault: SheetFault?

  /// What a sheet's answer can lack.
  public enum SheetFault: Sendable {
    case noIdentityToken, identityTokenIsNotText, noAuthorizationCode, failed
    /// The token carries another nonce than was asked for.
    case otherNonce
  }

  public init(simulatorURL: String, person: String) {
    self.simulatorURL = simulatorURL
    self.person = person
  }

  /// The device of this process.
  public static var current: SimulatedDevice {
    get { shared.withLock { $0 } }
    set { shared.withLock { $0 = newValue } }
  }

  private static let shared = Mutex(SimulatedDevice(simulatorURL: "", person: "alice"))

  /// How many sheets have been answered, or taken away: an app may have nothing to show for it.
  public static var sheetsEnded: Int { ended.withLock { $0 } }
  private static let ended = Mutex(0)
  public static var sheetsBegun: Int { begun.withLock { $0 } }
  private static let begun = Mutex(0)
  public static func sheetBegan() { begun.withLock { $0 += 1 } }
  public static func sheetEnded() { ended.withLock { $0 += 1 } }

  /// The device's time.
  public static var now: Date { Date(timeIntervalSinceNow: current.secondsAhead) }
}
