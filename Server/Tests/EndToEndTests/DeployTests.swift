import Testing

/// The files of `deploy/`, run by the programs that they configure.
@Suite struct DeployTests {
  @Test(arguments: ["deploy_files.py", "container_guide.py"])
  func `the files in deploy work`(client: String) async throws {
    try await Python.run(
      client,
      environment: [
        "GATEHOUSE_ROOT": Python.repository, "GATEHOUSE_BINARY": try Binary.path(),
      ])
  }
}
