import AuthenticationServices
import FirebaseAuth
import SwiftUI
import UIKit

/// The guide's view controllers, and the signed-in user.
struct GuideView: View {
  @StateObject private var session = Session()

  var body: some View {
    NavigationStack {
      if let user = session.user {
        VStack(spacing: 12) {
          Text(user.displayName ?? user.email ?? user.uid)
          Button("Sign Out") { signOut() }
          GuideScreen.deleteAccount
        }
        .navigationTitle("Signed In")
      } else {
        GuideScreen.signIn
          .navigationTitle("Sign in with Apple")
      }
    }
  }
}

/// The signed-in user, for SwiftUI.
@MainActor final class Session: ObservableObject {
  @Published var user: User?
  private var handle: AuthStateDidChangeListenerHandle?

  init() {
    handle = Auth.auth().addStateDidChangeListener { [weak self] _, user in self?.user = user }
  }

  deinit {
    if let handle { Auth.auth().removeStateDidChangeListener(handle) }
  }
}

/// One of the guide's view controllers, with its button in the center.
struct GuideScreen: UIViewControllerRepresentable {
  let make: () -> (UIViewController, UIControl, UILabel?)

  static var signIn: GuideScreen {
    GuideScreen {
      let screen = MainViewController()
      return (screen, screen.signInButton, nil)
    }
  }

  static var deleteAccount: GuideScreen {
    GuideScreen {
      let screen = DeleteAccountViewController()
      return (screen, screen.deleteButton, screen.messageLabel)
    }
  }

  func makeUIViewController(context: Context) -> UIViewController {
    let (screen, button, label) = make()
    screen.loadViewIfNeeded()
    guard let view = screen.view else { return screen }
    button.translatesAutoresizingMaskIntoConstraints = false
    NSLayoutConstraint.activate([
      button.centerXAnchor.constraint(equalTo: view.centerXAnchor),
      button.centerYAnchor.constraint(equalTo: view.centerYAnchor),
      button.widthAnchor.constraint(equalToConstant: 280),
      button.heightAnchor.constraint(equalToConstant: 44),
    ])
    if let label {
      label.translatesAutoresizingMaskIntoConstraints = false
      NSLayoutConstraint.activate([
        label.topAnchor.constraint(equalTo: button.bottomAnchor, constant: 12),
        label.widthAnchor.constraint(equalTo: button.widthAnchor),
        label.centerXAnchor.constraint(equalTo: button.centerXAnchor),
      ])
    }
    return screen
  }

  func updateUIViewController(_ screen: UIViewController, context: Context) {}
}
