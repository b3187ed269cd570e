import Foundation
import Testing

/// The files that the command creates are readable only by their owner, whatever the umask is.
@Suite struct PrivateFilesTests {
  /// Runs the command with the umask 0: other users can read each file that it doesn't make
  /// private.
  private func run(_ arguments: [String], in folder: TemporaryFolder) async throws -> Int32 {
    let process = try ChildProcess(
      "/bin/bash", ["-c", #"umask 0; exec "$@""#, "bash", try Binary.path()] + arguments,
      environment: [
        "GATEHOUSE_MASTER_KEY": Data(repeating: 7, count: 32).base64EncodedString()
      ], folder: folder)
    return try await process.end()
  }

  private func mode(_ path: String) throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue
  }

  @Test func `folders and files are private, intermediate folders included`() async throws {
    try await TemporaryFolder.with { folder in
      let data = folder.path + "/a/b/data"
      #expect(
        try await run(
          ["projects", "create", "my-app", "--public-url", Production.publicURL, "--data", data],
          in: folder) == 0)
      #expect(
        try await run(["backup", folder.path + "/copy.sqlite", "--data", data], in: folder) == 0)
      #expect(
        try await run(
          [
            "service-accounts", "create", "backend", "--output", folder.path + "/backend.json",
            "--data", data,
          ], in: folder) == 0)
      for made in [folder.path + "/a", folder.path + "/a/b", data] {
        #expect(try mode(made) == 0o700, "\(made)")
      }
      var files = try FileManager.default.contentsOfDirectory(atPath: data).map { "\(data)/\($0)" }
      files += [folder.path + "/copy.sqlite", folder.path + "/backend.json"]
      #expect(files.contains { $0.hasSuffix(".sqlite") })
      for file in files { #expect(try mode(file) == 0o600, "\(file)") }
    }
  }

  @Test func `a report of failures replaces a file that others can read`() async throws {
    try await TemporaryFolder.with { folder in
      let data = folder.path + "/data"
      #expect(
        try await run(
          ["projects", "create", "my-app", "--public-url", Production.publicURL, "--data", data],
          in: folder) == 0)
      let users = try folder.write("users.json", #"{"users": [{"email": "ann@example.com"}]}"#)
      let report = try folder.write("failures", "of another time")
      try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: report)
      let arguments = ["import", users, "--failures", report, "--data", data]
      #expect(try await run(arguments, in: folder) == 2)
      #expect(try mode(report) == 0o600)
      #expect(try String(contentsOfFile: report, encoding: .utf8).contains("line 1"))

      // The command doesn't write into another user's file through a link.
      let other = try folder.write("other", "theirs")
      let link = folder.path + "/link"
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: other)
      let linked = ["import", users, "--failures", link, "--data", data]
      #expect(try await run(linked, in: folder) == 1)
      #expect(try String(contentsOfFile: other, encoding: .utf8) == "theirs")

      // The report doesn't replace what the command reads, under whatever name.
      let text = try String(contentsOfFile: users, encoding: .utf8)
      let key = try folder.write("key", "AbC+/w==")
      let second = folder.path + "/second"
      try FileManager.default.linkItem(atPath: users, toPath: second)
      for name in [users, second, key] {
        let refused = try await Command.run(
          ["import", users, "--hash-key-file", key, "--failures", name, "--data", data], in: folder)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("the import reads this file"), "\(refused.errors)")
      }
      #expect(try String(contentsOfFile: users, encoding: .utf8) == text)
      #expect(try String(contentsOfFile: key, encoding: .utf8) == "AbC+/w==")
    }
  }
}
