import ArgumentParser
import Foundation

struct ConfirmTimelineCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "confirm-timeline",
    abstract: "Keep PostgreSQL's present primary, although servers have used a newer timeline.",
    discussion: """
      A server that has used timeline 6 of PostgreSQL refuses a primary of timeline 5, because what was \
      committed on timeline 6 is missing there. If the right primary can come back, bring it back. If it is \
      lost, or if you have restored a backup, run this command once, with the timeline of the present \
      primary: all servers then accept it. Accounts, deletions, revocations and used tokens of the newer \
      timeline stay lost. The command has no --server: run it on a machine that reaches the \
      database.
      """)

  @Argument(help: "The timeline of the present primary, as the server's log and doctor name it.")
  var timeline: Int

  @OptionGroup var options: DataOptions

  func run() async throws {
    let place = try options.place()
    try place.engine.refuseUnlessComplete()
    try place.engine.confirmTimeline(timeline, now: Date())
    Terminal.say(
      "Timeline \(timeline) of the database \(place.name) is the one to keep. The servers accept it now."
    )
  }
}
