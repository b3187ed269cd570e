import ArgumentParser

struct ProjectsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "projects", abstract: "Create, change and delete projects.",
    discussion: "A running server applies a change within a second.",
    subcommands: [
      CreateProjectCommand.self, ListProjectsCommand.self, ShowProjectCommand.self,
      SetProjectCommand.self, DeleteProjectCommand.self,
    ])
}
