import Testing

/// The files of `deploy/`, run by the programs that they are for.
@Suite struct DeployTests {
  @Test(arguments: ["deploy_files.py", "container_guide.py"])
  func `what deploy holds does what it is for`(client: String) async throws {
    try await Python.run(
      client,
      environment: [
        "GATEHOUSE_ROOT": Python.packageRoot, "GATEHOUSE_BINARY": try Binary.path(),
      ])
  }
}
