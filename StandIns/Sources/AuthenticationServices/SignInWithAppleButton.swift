import Foundation
public import SwiftUI

/// Apple's button for SwiftUI. If a test presses it on a ``Screen``, it performs the request.
@available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
@MainActor public struct SignInWithAppleButton: View {
  public struct Label: Sendable {
    let title: String
    public static let signIn = Label(title: "Sign in with Apple")
    public static let signUp = Label(title: "Sign up with Apple")
    public static let `continue` = Label(title: "Continue with Apple")
  }

  public struct Style: Sendable {
    public static let black = Style()
    public static let white = Style()
    public static let whiteOutline = Style()
  }

  private let label: Label
  private let onRequest: (ASAuthorizationAppleIDRequest) -> Void
  private let onCompletion: (Result<ASAuthorization, any Error>) -> Void

  public init(
    _ label: Label = .signIn,
    onRequest: @escaping (ASAuthorizationAppleIDRequest) -> Void,
    onCompletion: @escaping (Result<ASAuthorization, any Error>) -> Void
  ) {
    self.label = label
    self.onRequest = onRequest
    self.onCompletion = onCompletion
  }

  public func draw(on screen: Screen) {
    screen.add(button: label.title) {
      let request = ASAuthorizationAppleIDProvider().createRequest()
      onRequest(request)
      let controller = ASAuthorizationController(authorizationRequests: [request])
      let delegate = ButtonDelegate(controller, onCompletion)
      controller.delegate = delegate
      controller.performRequests()
    }
  }

  public var body: some View { EmptyView() }
}

/// Keeps itself alive until the response.
private final class ButtonDelegate: NSObject, ASAuthorizationControllerDelegate {
  private var itself: ButtonDelegate?
  private let controller: ASAuthorizationController
  private let onCompletion: (Result<ASAuthorization, any Error>) -> Void

  init(
    _ controller: ASAuthorizationController,
    _ onCompletion: @escaping (Result<ASAuthorization, any Error>) -> Void
  ) {
    self.controller = controller
    self.onCompletion = onCompletion
    super.init()
    itself = self
  }

  func authorizationController(
    controller: ASAuthorizationController,
    didCompleteWithAuthorization authorization: ASAuthorization
  ) {
    onCompletion(.success(authorization))
    itself = nil
  }

  func authorizationController(
    controller: ASAuthorizationController, didCompleteWithError error: any Error
  ) {
    onCompletion(.failure(error))
    itself = nil
  }
}

@available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
extension View {
  public func signInWithAppleButtonStyle(_ style: SignInWithAppleButton.Style) -> some View {
    modified()
  }
}
