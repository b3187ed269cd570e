import ArgumentParser

@main
struct GatehouseExample: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gatehouse-example",
    abstract: "Signs in to a Gatehouse server, and keeps the session for the next time.",
    discussion: """
      Exit status: 0 if it succeeded, 1 if it was refused, 3 if no user is signed in, 4 if the \
      user cancelled, 5 if the server could not be reached, and 64 for an invalid command.
      """,
    subcommands: [Login.self, WhoAmI.self, Link.self, Delete.self, Logout.self])
}
