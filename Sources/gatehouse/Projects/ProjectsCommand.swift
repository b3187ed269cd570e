import ArgumentParser

struct ProjectsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "projects", abstract: "Make and list projects.",
    subcommands: [CreateProjectCommand.self, ListProjectsCommand.self])
}
