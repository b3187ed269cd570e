import ArgumentParser
import GatehouseClient

/// The sign-in method.
struct MethodOptions: ParsableArguments {
  @Argument(
    help: """
      apple or google (the simulator's sheets), password, or a provider that signs in in a \
      browser: oidc.<name> and every other provider of the project.
      """)
  var method: String

  @Option(help: "For password: the address. The password is typed, or read from a pipe.")
  var email: String?

  func validate() throws {
    guard method != "password" || email != nil else {
      throw ValidationError("A password needs --email")
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
