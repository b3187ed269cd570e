public import Foundation
import GatehouseProtocol

/// A device on which the user is signed in.
public struct DeviceSession: Hashable, Sendable, Identifiable {
  /// 32 hexadecimal digits.
  public let id: String
  /// Whether this is the client's own session.
  public let isCurrent: Bool
  /// The provider of the sign-in, such as `apple.com`.
  public let provider: Provider
  public let signedInAt: Date
  public let lastUsedAt: Date
  /// The `User-Agent` of the app's or the browser's requests.
  public let userAgent: String?
  /// The app's bundle id or package name, or the web page's origin.
  public let app: String?
  /// The client address. Nil if the server doesn't store addresses (`log.clientAddresses`), or if
  /// the user's sign-in isn't recent.
  public let address: String?
  /// The name that the user gave the device.
  public let name: String?

  init(_ session: SessionsResponse.Session) {
    id = session.sessionID
    isCurrent = session.isCurrent
    provider = Provider(rawValue: session.provider)
    signedInAt = Date(timeIntervalSince1970: Double(session.createdAt) / 1000)
    lastUsedAt = Date(timeIntervalSince1970: Double(session.lastUsedAt) / 1000)
    userAgent = session.userAgent
    app = session.app
    address = session.address
    name = session.name
  }
}
