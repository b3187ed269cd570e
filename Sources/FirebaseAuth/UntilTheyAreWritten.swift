// What others are writing: each goes when it is there. Its initializers are what Auth and User call.
public import Foundation
package import GatehouseClient
open class AuthSettings: NSObject, @unchecked Sendable {  // Nothing changes.
  open func copy(with zone: NSZone? = nil) -> Any { AuthSettings() }
}
open class AuthDataResult: NSObject {
  package init(_ r: SignInResult, user: User) { self.user = user }; public let user: User
}
open class AuthTokenResult: NSObject { package init(_ r: IDToken) {} }
open class ActionCodeInfo: NSObject { package init(_ r: ActionCodeContents) {} }
open class ActionCodeSettings: NSObject { package var linkSettings: ActionLinkSettings { .init() } }
open class ActionCodeURL: NSObject {
  public init?(link: String) {}; let operation = ActionCodeOperation.emailLink;
  let code: String? = ""
}
public enum ActionCodeOperation { case emailLink }
public protocol UserInfo: NSObjectProtocol {
  var providerID: String { get }
  var uid: String { get }
  var displayName: String? { get }
  var photoURL: URL? { get }
  var email: String? { get }
  var phoneNumber: String? { get }
}
final class ProviderUserInfo: NSObject, UserInfo {
  let p: LinkedProvider; init(_ p: LinkedProvider) { self.p = p }
  var providerID: String { "" }
  var uid: String { "" }
  var displayName: String? { nil }
  var photoURL: URL? { nil }
  var email: String? { nil }
  var phoneNumber: String? { nil }
}
open class UserMetadata: NSObject { init(_ p: UserSnapshot) {} }
open class MultiFactor: NSObject {}
public enum AuthAPNSTokenType { case unknown }
struct URLSessionTransport: Transport {
  func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
    throw .cancelled
  }
}
extension SignedInUser { func archived() throws -> Data { Data() } }
extension AuthClient { nonisolated func user(archived: Data) throws -> SignedInUser? { nil } }
