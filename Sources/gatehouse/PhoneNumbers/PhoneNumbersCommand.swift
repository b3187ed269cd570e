import ArgumentParser

struct PhoneNumbersCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "phone-numbers", abstract: "Sign-in by a code in a text message.",
    discussion: """
      The server sends no messages itself: it calls a webhook of yours, which hands the code to \
      whoever sends yours. A running server takes a change over within a second.
      """,
    subcommands: [
      SetPhoneNumbersCommand.self, ShowPhoneNumbersCommand.self, TestPhoneNumbersCommand.self,
    ])
}
