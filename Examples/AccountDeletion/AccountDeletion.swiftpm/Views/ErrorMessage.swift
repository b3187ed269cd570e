import AuthenticationServices
import FirebaseAuth
import GoogleSignIn
import SwiftUI

/// A message for the user: what happened, and what to do.
///
/// The tutorial requires it ("present a descriptive message to the user explaining the issue and
/// how to solve it"), but has no texts.
struct ErrorMessage: Equatable {
  let title: String
  let text: String

  /// Nil if the user closed a sheet: that needs no message.
  init?(_ error: Error) {
    if Self.isCancellation(error) { return nil }
    switch error {
    case AuthErrors.ReauthenticateApple:
      title = "Apple couldn't confirm that it's you"
      text =
        "Your account wasn't changed. Try again with the Apple Account that you signed in with."
    case AuthErrors.ReauthenticateGoogle:
      title = "Google couldn't confirm that it's you"
      text =
        "Your account wasn't changed. Try again with the Google Account that you signed in with."
    case AuthErrors.RevokeAppleID:
      title = "Still connected with Apple"
      text =
        "Your account wasn't deleted. Try again. If it keeps failing, open Settings, tap your name, then “Sign in with Apple”, and remove this app there. Then delete the account here."
    case AuthErrors.RevokeGoogle:
      title = "Still connected with Google"
      text =
        "Your account wasn't deleted. Try again. If it keeps failing, remove this app in your Google Account under “Third-party apps & services”. Then delete the account here."
    case AuthErrors.DeleteDocument:
      title = "Your data couldn't be deleted"
      text = "Your account is still there. Check your internet connection and try again."
    case AuthErrorCode.requiresRecentLogin:
      title = "Please sign in again"
      text =
        "Deleting an account needs a recent sign-in. Sign out, sign in, and delete the account within five minutes."
    case AuthErrorCode.networkError:
      title = "No connection"
      text = "Check your internet connection and try again."
    default:
      title = "That didn't work"
      text = "Your account is still there. Try again in a moment."
    }
  }

  private static func isCancellation(_ error: Error) -> Bool {
    if let error = error as? ASAuthorizationError { return error.code == .canceled }
    if let error = error as? GIDSignInError { return error.code == .canceled }
    return false
  }
}

extension View {
  func errorAlert(_ message: Binding<ErrorMessage?>) -> some View {
    alert(
      message.wrappedValue?.title ?? "",
      isPresented: Binding(
        get: { message.wrappedValue != nil }, set: { if !$0 { message.wrappedValue = nil } })
    ) {
      Button("OK", role: .cancel) {}
    } message: {
      Text(message.wrappedValue?.text ?? "")
    }
  }
}
