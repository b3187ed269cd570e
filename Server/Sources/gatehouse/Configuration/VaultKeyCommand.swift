import Foundation
import GatehouseServer

/// The operator's command that prints the key of the vault.
struct VaultKeyCommand: Sendable {
  /// Run by `/bin/sh -c`.
  let command: String

  private static let seconds = 30
  private static let maximumBytes = 4096

  /// Runs the command. Its standard error goes to this program's standard error.
  ///
  /// - Returns: Several keys if the command prints several; the first encrypts.
  /// - Throws: ``CommandFailure`` if the command fails, takes longer than 30 seconds, or prints
  ///   anything but keys.
  func load() async throws -> MasterKeyRing {
    let output = try await run()
    guard output.count <= Self.maximumBytes,
      let keys = MasterKey.list(String(decoding: output, as: UTF8.self)).flatMap(MasterKeyRing.init)
    else {
      throw CommandFailure("\(name) prints no key: 32 bytes in base64")
    }
    return keys
  }

  private var name: String { Settings.vaultKeyCommand.key }

  private func run() async throws -> Data {
    // Reading the output blocks a thread.
    try await withCheckedThrowingContinuation { done in
      DispatchQueue.global().async { done.resume(with: Result { try output() }) }
    }
  }

  private func output() throws -> Data {
    let process = Process()
    // `timeout` ends the command's own children too.
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "timeout", "--kill-after=5", String(Self.seconds), "/bin/sh", "-c", command,
    ]
    // The command has no use for our own secrets.
    process.environment = ProcessInfo.processInfo.environment.filter {
      !$0.key.hasPrefix("GATEHOUSE_")
    }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardInput = FileHandle.nullDevice
    do {
      try process.run()
    } catch {
      throw CommandFailure("\(name) can't be run: \(error.localizedDescription)")
    }
    let output = Self.read(pipe.fileHandleForReading)
    if output.count > Self.maximumBytes { process.terminate() }
    process.waitUntilExit()
    // The caller rejects output that is longer than a key, so the status doesn't matter.
    guard output.count <= Self.maximumBytes else { return output }
    switch (process.terminationReason, process.terminationStatus) {
    case (.exit, 0): return output
    case (.exit, Self.timeoutStatus):
      throw CommandFailure("\(name) took longer than \(Self.seconds) seconds")
    case (_, let status): throw CommandFailure("\(name) failed with status \(status)")
    }
  }

  /// Reads at most one byte more than allowed: the command may print without end.
  private static func read(_ handle: FileHandle) -> Data {
    var output = Data()
    while output.count <= maximumBytes,
      let part = try? handle.read(upToCount: maximumBytes + 1 - output.count), !part.isEmpty
    { output += part }
    try? handle.close()
    return output
  }

  /// The exit status of `timeout` after it ended the command.
  private static let timeoutStatus: Int32 = 124
}
