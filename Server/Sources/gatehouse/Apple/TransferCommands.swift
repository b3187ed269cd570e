import ArgumentParser
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
    guard App.isTeamID(to) else {
      throw ValidationError("--to \(to): a team id is ten characters of A to Z and 0 to 9")
    }
    guard
      [teamID, keyID, keyFile].allSatisfy({ $0 == nil })
        || [teamID, keyID, keyFile].allSatisfy({ $0 != nil })
    else { throw ValidationError("--team-id, --key-id and --key-file belong together") }
  }

  func run() async throws {
    let key = try ProviderOptions.secret(in: keyFile, "--key-file")
    let request = JSONObject(ifPresent: [
      "targetTeamId": to, "teamId": teamID, "keyId": keyID, "privateKey": key?.reveal(),
    ])
    try await options.run("prepare", request, counting: "prepared") { total in
      if total["unknown"]?.int64 ?? 0 > 0 {
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
    try await options.run("finish", [:], counting: "moved") { total in
      for subject in total.strings("inConflict") {
        Terminal.say(
          "In conflict: the user whose subject was \(subject.printable) has a second account since the "
            + "transfer. Delete one of the two, and run the command again.")
      }
    }
  }
}

struct TransferStatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Count the identities that are prepared and moved.")

  @OptionGroup var project: ProjectOptions

  func run() async throws {
    try await project.run { project in
      let answer = try await project.transfer(.get)
      project.say(answer) {
        Terminal.say(
          "\(answer["prepared"]?.int64 ?? 0) prepared, \(answer["moved"]?.int64 ?? 0) of them moved."
        )
      }
    }
  }
}

/// Flags of the commands that ask Apple about users.
struct TransferOptions: ParsableArguments {
  @Option(help: "The bundle id of the app that moves. Default: the project's only app.")
  var clientID: String?

  @OptionGroup var project: ProjectOptions

  private static let maximumAttempts = 5

  /// Calls a method of the transfer until the job is done. Repeats a call after a temporary failure.
  ///
  /// - Parameter report: Gets the sums of the answers.
  func run(
    _ method: String, _ request: JSONObject, counting name: String,
    _ report: (JSONObject) -> Void
  ) async throws {
    try await project.run { project in
      var request = request
      request["clientId"] = clientID.map { .string($0) }
      var (total, attempt) = (JSONObject(), 1)
      repeat {
        do {
          let answer = try await project.transfer(.post, verb: method, request)
          total = Self.sum(total, answer)
          request["pageToken"] = answer["nextPageToken"]
          attempt = 1
        } catch let refusal as AdministrationRefusal where refusal.isTemporary {
          guard attempt < Self.maximumAttempts else {
            throw CommandFailure(
              "\(refusal). The results so far are stored: run the command again to continue")
          }
          attempt += 1
          try await Task.sleep(for: .seconds(1 << attempt))
        }
        if request["pageToken"] != nil { Terminal.note(Self.text(total, name) + " …") }
      } while attempt > 1 || request["pageToken"] != nil
      project.say(total) { [total] in
        Terminal.say("Done: \(Self.text(total, name)).")
        report(total)
      }
    }
  }

  private static func sum(_ total: JSONObject, _ answer: JSONObject) -> JSONObject {
    var sum = total
    for member in answer.members {
      switch (total[member.name], member.value) {
      case (let old, .number(let new)):
        sum[member.name] = .number(JSONNumber((old?.int64 ?? 0) + (new.int64 ?? 0)))
      case (let old, .array(let new)): sum[member.name] = .array((old?.array ?? []) + new)
      default: break
      }
    }
    return sum
  }

  /// The counts that aren't zero, for a line of the terminal.
  private static func text(_ total: JSONObject, _ name: String) -> String {
    var parts = ["\(total[name]?.int64 ?? 0) \(name)"]
    for (member, meaning) in [
      ("unknown", "unknown to Apple"), ("gone", "deleted or unlinked since"),
    ] {
      if let count = total[member]?.int64, count > 0 { parts.append("\(count) \(meaning)") }
    }
    let conflicts = total.strings("inConflict").count
    if conflicts > 0 { parts.append("\(conflicts) in conflict") }
    return parts.joined(separator: ", ")
  }
}

extension ProjectClient {
  fileprivate func transfer(
    _ method: AdministrationClient.Method, verb: String? = nil, _ body: JSONObject? = nil
  ) async throws -> JSONObject {
    let apple = ProviderID.apple
    _ = try await provider(apple.text)
    return try await send(
      method, Self.collection(of: apple), apple.text, "transfer", verb: verb, body: body)
  }
}
