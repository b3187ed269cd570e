import Testing

/// What `make release` writes beside the program, of the program that was built with the tests.
@Suite struct BillOfMaterialsTests {
  @Test func `it has what CycloneDX requires, and lists what is linked`() async throws {
    try await Python.run(
      "bill_of_materials.py",
      environment: [
        "GATEHOUSE_ROOT": Python.packageRoot, "GATEHOUSE_BINARY": try Binary.path(),
      ])
  }
}
