import ArgumentParser
import Foundation
import GatehouseServer
import GatehouseProtocol

struct CreateUserCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Create an account.")

  @Option(help: "The account's id. Default: a random one.")
  var uid: String?

  @Option(help: "The account's email.")
  var email: String?

  @Flag(help: "Mark the email as verified.")
  var emailVerified = false

  @Option(help: "A file with the password; - for standard input.")
  var passwordFile: String?

  @Option(help: "Display name.")
  var displayName: String?

  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func validate() throws {
    if let uid, UID(uid) == nil {
      throw ValidationError("--uid: 1 to \(UID.maximumBytes) bytes without control characters")
    }
    if let email, EmailAddress(email) == nil {
      throw ValidationError("--email \(email): not an email address")
    }
    if passwordFile != nil && email == nil {
      throw ValidationError("a password needs --email to sign in with")
    }
  }

  func run() async throws {
    var changes = AdministratorChanges()
    if let email = email.flatMap({ EmailAddress($0) }) { changes.profile.email = .set(email) }
    if let displayName { changes.profile.displayName = .set(displayName) }
    if let passwordFile { changes.profile.password = .set(try Self.password(in: passwordFile)) }
    changes.isEmailVerified = emailVerified && email != nil
    try await data.withDatabase { [changes] database in
      let project = try await database.project(try await project.resolve(in: database))
      do {
        let account = try await database.accounts().createAccount(
          uid: uid.flatMap { UID($0) }, changes, in: project, now: Date())
        Terminal.say(account.uid.text)
      } catch let error as AccountsError {
        throw CommandFailure(Self.remedy(error, project.id))
      }
    }
  }

  private static func password(in path: String) throws -> Secret<String> {
    if path == "-" { return Secret(readLine() ?? "") }
    return try ProviderOptions.secret(in: path, "--password-file") ?? Secret("")
  }

  private static func remedy(_ error: AccountsError, _ project: ProjectID) -> String {
    switch error {
    case .duplicateLocalID:
      "\(project) has an account with that id: leave --uid out, or choose another"
    case .emailExists:
      "\(project) has an account with that email; `gatehouse users show EMAIL` shows it"
    case .weakPassword: "the password is too short: at least 6 characters"
    case .passwordTooLong: "the password is too long: at most 4096 characters"
    default: "the account can't be created: \(error)"
    }
  }
}
