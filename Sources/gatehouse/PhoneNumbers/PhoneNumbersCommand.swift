import ArgumentParser

struct PhoneNumbersCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "phone-numbers", abstract: "Sign-in by a code in a text message.",
    discussion: """
      The server sends no messages itself: it calls your webhook, which passes the code to your \
      message service. A running server applies a change within a second.
      """,
    subcommands: [
      SetPhoneNumbersCommand.self, ShowPhoneNumbersCommand.self, TestPhoneNumbersCommand.self,
    ])
}
