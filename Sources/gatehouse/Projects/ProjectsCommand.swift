import ArgumentParser

struct ProjectsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "projects", abstract: "Make, change and delete projects.",
    discussion: "A running server takes a change over within a second.",
    subcommands: [
      CreateProjectCommand.self, ListProjectsCommand.self, ShowProjectCommand.self,
      SetProjectCommand.self, DeleteProjectCommand.self,
    ])
}
