import ArgumentParser
import GatehouseClient

/// How somebody proves who they are.
struct MethodOptions: ParsableArguments {
  @Argument(
    help: """
      apple or google (the simulator's sheets), password, or what is signed in to in a browser: \
      oidc.<name> and every other provider of the project.
      """)
  var method: String

  @Option(help: "For password: the address. The password is asked for, or read from a pipe.")
  var email: String?

  func validate() throws {
    guard method != "password" || email != nil else {
      throw ValidationError("--email is needed for a password")
    }
  }

  func signInMethod() throws -> SignInMethod {
    switch method {
    case "apple", "apple.com": .apple
    case "google", "google.com": .google
    case "password": .password(email: email ?? "", password: try Terminal.password())
    default: .browser(Provider(method))
    }
  }
}
