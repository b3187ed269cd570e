import ArgumentParser

@main
struct GatehouseExample: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gatehouse-example",
    abstract: "Signs in to a Gatehouse server, and keeps the session for the next time.",
    discussion: """
      Ends with 0 if it did what it was told, 1 if it was refused, 3 if nobody is signed in, 4 if \
      the person didn't want to, 5 if the server wasn't reached, and 64 for a command that can't \
      be understood.
      """,
    subcommands: [Login.self, WhoAmI.self, Link.self, Delete.self, Logout.self])
}
