import Foundation
import Synchronization

/// The device whose system the stand-ins replace: the person who uses it, and their decisions.
///
/// There is one per process. Tests that change it don't run at the same time.
public struct SimulatedDevice: Sendable {
  /// The person's decision on a sheet.
  public enum Decision: Sendable {
    case agrees
    case cancels
    /// Leaves the sheet open until the app closes it.
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

  /// The address of `gatehouse serve --dev` or `gatehouse simulate`: `http://127.0.0.1:9100`.
  public var simulatorURL: String
  /// The bundle id of the app.
  public var bundleID = "com.example.app"
  public var googleClientID = "demo.apps.example.com"
  public var facebookAppID = "1234567890"

  /// The `id` of the simulator's person who uses the device.
  public var person: String
  public var decision = Decision.agrees
  public var hidesEmail = false
  public var savedPassword: SavedPassword?
  /// In a sheet that offers both, chooses Apple's account instead of the saved password.
  public var prefersApple = true
  /// In a sheet that creates an account, chooses the person's account with Sign in with Apple.
  public var prefersAppleToPasskey = false
  /// How far the device's clock is ahead, so that a test needn't wait for an hour.
  public var secondsAhead: TimeInterval = 0
  /// Whether the device has no network: sheets and browsers fail, but stored data still works.
  public var isOffline = false
  /// The fault in the next sheet's response.
  public var sheetFault: SheetFault?

  /// The faults of a sheet's response.
  public enum SheetFault: Sendable {
    case noIdentityToken, identityTokenIsNotText, noAuthorizationCode, failed
    /// The token has another nonce than the request.
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

  /// How many sheets have ended, with a response or by cancellation. A test can wait for this even
  /// if the app shows nothing then.
  public static var sheetsEnded: Int { ended.withLock { $0 } }
  private static let ended = Mutex(0)
  public static var sheetsBegun: Int { begun.withLock { $0 } }
  private static let begun = Mutex(0)
  public static func sheetBegan() { begun.withLock { $0 += 1 } }
  public static func sheetEnded() { ended.withLock { $0 += 1 } }

  /// The passkeys that the app last told the system to keep.
  public static var acceptedPasskeys: [Data]? {
    get { accepted.withLock { $0 } }
    set { accepted.withLock { $0 = newValue } }
  }
  private static let accepted = Mutex<[Data]?>(nil)

  /// The device's time.
  public static var now: Date { Date(timeIntervalSinceNow: current.secondsAhead) }
}
