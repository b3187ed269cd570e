import Dispatch
public import Foundation
import SimulatedDevice
import Synchronization

#if !os(tvOS) && !os(watchOS)
  @MainActor public protocol ASWebAuthenticationPresentationContextProviding: NSObjectProtocol {
    func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor
  }
#endif

@available(tvOS 16, watchOS 6.2, *)
public let ASWebAuthenticationSessionErrorDomain =
  "com.apple.AuthenticationServices.WebAuthenticationSession"

/// On Apple's platforms it is also an `NSError`. Here it becomes one only by `as NSError`.
@available(tvOS 16, watchOS 6.2, *)
public struct ASWebAuthenticationSessionError: Error, CustomNSError, Hashable, Sendable {
  public enum Code: Int, Sendable {
    case canceledLogin = 1
    case presentationContextNotProvided, presentationContextInvalid
  }

  public static var errorDomain: String { ASWebAuthenticationSessionErrorDomain }
  public static var canceledLogin: Code { .canceledLogin }
  public static var presentationContextNotProvided: Code { .presentationContextNotProvided }
  public static var presentationContextInvalid: Code { .presentationContextInvalid }

  public let code: Code
  public var errorCode: Int { code.rawValue }

  public init(_ code: Code, userInfo: [String: Any] = [:]) { self.code = code }
}

/// A browser that closes at an address of the app. Here it is ``SimulatedBrowser``.
@available(tvOS 16, watchOS 6.2, *)
open class ASWebAuthenticationSession: NSObject, @unchecked Sendable {
  // Properties don't change after `start`. `work` has a lock, and `completion` runs on one queue.
  public typealias CompletionHandler = (URL?, (any Error)?) -> Void

  @available(iOS 17.4, macOS 14.4, tvOS 17.4, watchOS 10.4, visionOS 1.1, *)
  public struct Callback: Sendable {
    let scheme: String?
    let host: String?
    let path: String?

    public static func customScheme(_ customScheme: String) -> Callback {
      Callback(scheme: customScheme, host: nil, path: nil)
    }
    public static func https(host: String, path: String) -> Callback {
      Callback(scheme: "https", host: host, path: path)
    }
    public func matchesURL(_ url: URL) -> Bool {
      // Without a scheme, no address closes the browser.
      guard let scheme, url.scheme?.lowercased() == scheme.lowercased() else { return false }
      return (host == nil || url.host == host) && (path == nil || url.path == path)
    }
  }

  #if !os(tvOS) && !os(watchOS)
    public weak var presentationContextProvider:
      (any ASWebAuthenticationPresentationContextProviding)?
  #endif
  #if !os(tvOS)
    public var prefersEphemeralWebBrowserSession = false
  #endif
  @available(iOS 17.4, macOS 14.4, tvOS 17.4, watchOS 10.4, visionOS 1.1, *)
  public var additionalHeaderFields: [String: String]?

  private let url: URL
  private let callback: Callback
  private let work = Mutex<Task<Void, Never>?>(nil)
  /// Runs once, on ``queue``.
  private let completion: CompletionHandler
  /// As on macOS, where the handler is not called on the main queue.
  private static let queue = DispatchQueue(label: "com.apple.AuthenticationServices.stand-in")

  public init(
    url: URL, callbackURLScheme: String?, completionHandler: @escaping CompletionHandler
  ) {
    self.url = url
    callback = Callback(scheme: callbackURLScheme, host: nil, path: nil)
    completion = completionHandler
  }

  @available(iOS 17.4, macOS 14.4, tvOS 17.4, watchOS 10.4, visionOS 1.1, *)
  public init(
    url: URL, callback: Callback, completionHandler: @escaping CompletionHandler
  ) {
    self.url = url
    self.callback = callback
    completion = completionHandler
  }

  open var canStart: Bool { work.withLock { $0 == nil } }

  @discardableResult
  open func start() -> Bool {
    guard canStart else { return false }
    let task = Task { @MainActor in
      #if !os(tvOS) && !os(watchOS)
        guard let provider = presentationContextProvider else {
          finish(nil, ASWebAuthenticationSessionError(.presentationContextNotProvided))
          return
        }
        _ = provider.presentationAnchor(for: self)
      #endif
      do {
        let callback = callback
        finish(try await SimulatedBrowser().open(url) { callback.matchesURL($0) }, nil)
      } catch {
        finish(nil, ASWebAuthenticationSessionError(.canceledLogin))
      }
    }
    work.withLock { $0 = task }
    return true
  }

  private func finish(_ url: URL?, _ error: ASWebAuthenticationSessionError?) {
    Self.queue.async { self.completion(url, error) }
  }

  open func cancel() { work.withLock { $0 }?.cancel() }
}
