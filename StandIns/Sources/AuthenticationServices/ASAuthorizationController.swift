public import Foundation
import SimulatedDevice
import Synchronization

@MainActor public protocol ASAuthorizationControllerDelegate: NSObjectProtocol {
  func authorizationController(
    controller: ASAuthorizationController,
    didCompleteWithAuthorization authorization: ASAuthorization)
  func authorizationController(
    controller: ASAuthorizationController, didCompleteWithError error: any Error)
}

/// Default implementations, because Objective-C's requirements are optional.
extension ASAuthorizationControllerDelegate {
  public func authorizationController(
    controller: ASAuthorizationController,
    didCompleteWithAuthorization authorization: ASAuthorization
  ) {}
  public func authorizationController(
    controller: ASAuthorizationController, didCompleteWithError error: any Error
  ) {}
}

#if !os(watchOS)
  @MainActor
  public protocol ASAuthorizationControllerPresentationContextProviding: NSObjectProtocol {
    func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor
  }
#endif

/// Shows the system's sheet. Here ``SimulatedDevice`` decides, and the simulator responds.
///
/// The delegate is called on the main actor, once, after `performRequests` has returned. The
/// controller exists until then.
open class ASAuthorizationController: NSObject, @unchecked Sendable {
  // As in the real class, properties don't change after `performRequests`; `work` has a lock.
  #if !os(tvOS) && !os(watchOS)
    @available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
    public struct RequestOptions: OptionSet, Sendable {
      public let rawValue: UInt
      public init(rawValue: UInt) { self.rawValue = rawValue }
      public static let preferImmediatelyAvailableCredentials = Self(rawValue: 1)
    }

    @available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
    open func performRequests(options: RequestOptions) {
      perform(immediately: options.contains(.preferImmediatelyAvailableCredentials))
    }
  #endif

  public let authorizationRequests: [ASAuthorizationRequest]
  public weak var delegate: (any ASAuthorizationControllerDelegate)?
  #if !os(watchOS)
    public weak var presentationContextProvider:
      (any ASAuthorizationControllerPresentationContextProviding)?
  #endif

  private let work = Mutex<Task<Void, Never>?>(nil)

  public init(authorizationRequests: [ASAuthorizationRequest]) {
    self.authorizationRequests = authorizationRequests
  }

  open func performRequests() { perform(immediately: false) }

  #if os(iOS) || os(visionOS) || os(Linux)
    /// Offers passkeys above the keyboard. Here the person chooses one at once.
    @available(iOS 16, *)
    open func performAutoFillAssistedRequests() { perform(immediately: false) }
  #endif

  /// - Parameter immediately: Shows nothing if the device has nothing to offer, and fails with
  ///   `canceled`, as for a user who closed the sheet. The two can't be distinguished.
  private func perform(immediately: Bool) {
    let task = Task { @MainActor in
      // The system asks for the window before it shows the sheet.
      SimulatedDevice.sheetBegan()
      defer { SimulatedDevice.sheetEnded() }
      #if !os(watchOS)
        _ = presentationContextProvider?.presentationAnchor(for: self)
      #endif
      do {
        let authorization = try await ask(immediately: immediately)
        delegate?.authorizationController(
          controller: self, didCompleteWithAuthorization: authorization)
      } catch let error as ASAuthorizationError {
        delegate?.authorizationController(controller: self, didCompleteWithError: error)
      } catch {
        delegate?.authorizationController(
          controller: self, didCompleteWithError: ASAuthorizationError(.failed))
      }
    }
    work.withLock { $0 = task }
  }

  #if !os(watchOS)
    /// Closes the sheet: the delegate gets `canceled`.
    @available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
    open func cancel() { work.withLock { $0 }?.cancel() }
  #endif

  @MainActor private func ask(immediately: Bool) async throws -> ASAuthorization {
    let device = SimulatedDevice.current
    let offersPasswords = authorizationRequests.contains { $0 is ASAuthorizationPasswordRequest }
    if immediately && offersPasswords && device.savedPassword == nil
      && !authorizationRequests.contains(where: { $0 is ASAuthorizationAppleIDRequest })
    {
      throw ASAuthorizationError(.canceled)
    }
    switch device.decision {
    case .agrees: break
    case .cancels: throw ASAuthorizationError(.canceled)
    case .waits:
      try? await Task.sleep(for: .seconds(600))
      throw ASAuthorizationError(.canceled)
    }
    #if !os(watchOS)
      if let answer = try PasskeyAnswer.answer(authorizationRequests) { return answer }
    #endif
    let apple = authorizationRequests.lazy.compactMap { $0 as? ASAuthorizationAppleIDRequest }.first
    let password = authorizationRequests.first { $0 is ASAuthorizationPasswordRequest }
    if let password, let saved = device.savedPassword, apple == nil || !device.prefersApple {
      return ASAuthorization(
        provider: password.provider,
        credential: ASPasswordCredential(user: saved.user, password: saved.password))
    }
    guard let apple else {
      // No password is saved: the real class reports an unknown error.
      throw ASAuthorizationError(.unknown)
    }
    let scopes = apple.requestedScopes ?? []
    let answer = try await AppleAnswer.signIn(
      device, nonce: apple.nonce, scopes: scopes, state: apple.state)
    if Task.isCancelled { throw ASAuthorizationError(.canceled) }
    return ASAuthorization(
      provider: apple.provider,
      credential: ASAuthorizationAppleIDCredential(answer, scopes: scopes))
  }
}
