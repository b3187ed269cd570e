import ArgumentParser
import GatehouseClient

struct Login: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Sign in.")

  @OptionGroup var method: MethodOptions
  @OptionGroup var app: AppOptions

  @Flag(help: "For password: create the account.")
  var create = false

  @Flag(help: "Ask before an account is created for a new user.")
  var ask = false

  func run() async throws {
    let manager = try app.manager()
    try await Failure.explaining {
      if create, method.method == "password" {
        let client = manager.client
        let result = try await client.createUser(
          email: method.email ?? "", password: try Terminal.password())
        return greet(result)
      }
      let answer = try await manager.signIn(
        with: try method.signInMethod(), ifNew: ask ? .ask : .create)
      try await finish(answer)
    }
  }

  private func finish(_ answer: SignInAnswer) async throws {
    switch answer {
    case .signedIn(let result): greet(result)
    case .cancelled: throw Failure.cancelled
    case .newAccount(let question):
      let address = question.email.map { " (\($0))" } ?? ""
      guard Terminal.confirm("There is no account for this user\(address) yet. Create one?") else {
        throw Failure.cancelled
      }
      // The question contains a pending token, so no second sheet is needed.
      try await finish(try await question.continue())
    }
  }

  private func greet(_ result: SignInResult) {
    Terminal.say(result.isNewUser ? "Welcome." : "Welcome back.")
    Terminal.say(result.snapshot)
  }
}

struct Link: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Add another sign-in method to the account.")

  @OptionGroup var method: MethodOptions
  @OptionGroup var app: AppOptions

  func run() async throws {
    let manager = try app.manager()
    try await Failure.explaining {
      let answer = try await manager.link(try method.signInMethod())
      guard let result = answer.result else { throw Failure.cancelled }
      Terminal.say(result.snapshot)
    }
  }
}

struct Logout: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Delete the session on this device.")

  @OptionGroup var app: AppOptions

  func run() async throws {
    let manager = try app.manager()
    try await Failure.explaining {
      try manager.client.load()
      await manager.devices.google?.signOut()
      try manager.client.signOut()
      Terminal.say("Signed out.")
    }
  }
}
