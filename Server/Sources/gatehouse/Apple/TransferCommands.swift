import ArgumentParser
import Foundation
import GatehouseServer
import GatehouseProtocol

struct PrepareTransferCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prepare",
    abstract: "Ask Apple for every user's transfer identifier, and store it.",
    discussion: """
      The command needs the key of the team that has the app now. If the new team's key is \
      configured already, give the old team's key with --team-id, --key-id and --key-file. Users \
      who sign up afterwards have no transfer identifier yet: run the command again just before the \
      transfer.
      """)

  @Option(help: "The team to which the app moves: ten characters.")
  var to: String

  @Option(help: "The team that has the app now, if another team is configured.")
  var teamID: String?

  @Option(help: "The id of that team's key.")
  var keyID: String?

  @Option(help: "A file with that team's key (.p8).")
  var keyFile: String?

  @OptionGroup var options: TransferOptions

  func validate() throws {
    let isTeam = { (text: String) in
      text.utf8.count == 10
        && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
    }
    guard isTeam(to) else {
      throw ValidationError("--to \(to): a team id is ten characters of A to Z and 0 to 9")
    }
    guard
      [teamID, keyID, keyFile].allSatisfy({ $0 == nil })
        || [teamID, keyID, keyFile].allSatisfy({ $0 != nil })
    else { throw ValidationError("--team-id, --key-id and --key-file belong together") }
  }

  func run() async throws {
    let key = try ProviderOptions.secret(in: keyFile, "--key-file")
    try await options.withTransfer({ provider in
      if let teamID, let keyID, let key {
        provider.apple?.teamID = teamID
        provider.apple?.keyID = keyID
        provider.apple?.privateKey = key
      }
      if provider.apple?.teamID?.hasSameBytes(as: to) == true {
        throw CommandFailure(
          "--to \(to) is the team that is configured: give the old team's key with --team-id, "
            + "--key-id and --key-file")
      }
    }) { transfer, apple in
      let progress = try await transfer.prepare(
        forTeam: to, report: { Terminal.say($0.text("prepared") + " …") }
      ) { subject in
        try await apple.ask { migration throws(FederationError) in
          try await migration.transferSubject(of: subject, toTeam: to)
        }
      }
      Terminal.say("Done: \(progress.text("prepared")).")
      if progress.unknown > 0 {
        Terminal.say(
          "Users whom Apple doesn't know never signed in to this app, or withdrew their consent.")
      }
    }
  }
}

struct FinishTransferCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "finish",
    abstract: "After the transfer, give every identity its subject in the new team.",
    discussion: """
      The command needs the new team's key: `gatehouse providers set apple --team-id … --key-id … \
      --key-file …`. Servers may run meanwhile.
      """)

  @OptionGroup var options: TransferOptions

  func run() async throws {
    try await options.withTransfer { transfer, apple in
      let progress = try await transfer.complete(
        report: { Terminal.say($0.text("moved") + " …") }
      ) { transferSubject in
        let user = try await apple.ask { migration throws(FederationError) in
          try await migration.user(ofTransferSubject: transferSubject)
        }
        return user.map { TeamTransfer.Migrated(subject: $0.subject, email: $0.email) }
      }
      Terminal.say("Done: \(progress.text("moved")).")
      for subject in progress.taken {
        Terminal.say(
          "In conflict: the user whose subject was \(subject) has a second account since the "
            + "transfer. Delete one of the two, and run the command again.")
      }
    }
  }
}

struct TransferStatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Count the identities that are prepared and moved.")

  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func run() async throws {
    try await data.withDatabase { database in
      let project = try await project.resolve(in: database)
      let counts = try await database.store.read {
        try $0.countSubjectTransfers(of: .apple, in: project)
      }
      Terminal.say("\(counts.prepared) prepared, \(counts.completed) of them moved.")
    }
  }
}
