import Testing

/// The bill of materials that `make release` writes, for the program that was built with the tests.
@Suite struct BillOfMaterialsTests {
  @Test func `it has CycloneDX's required fields and lists the linked packages`() async throws {
    try await Python.run(
      "bill_of_materials.py",
      environment: [
        "GATEHOUSE_ROOT": Python.repository, "GATEHOUSE_BINARY": try Binary.path(),
      ])
  }
}
