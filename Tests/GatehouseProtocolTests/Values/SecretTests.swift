import GatehouseProtocol
import Testing

@Suite struct SecretTests {
  private struct Holder {
    let name = "holder"
    let secret = Secret("hunter2")
  }

  @Test func `no way of printing shows the value`() {
    let secret = Secret("hunter2")
    var dumped = ""
    dump(secret, to: &dumped)
    var holder = ""
    dump(Holder(), to: &holder)
    let texts = [
      "\(secret)", String(describing: secret), String(reflecting: secret), dumped, holder,
      "\(Holder())", String(reflecting: Holder()), "\([secret])", "\(Optional(secret) as Any)",
      "\(["key": secret])",
    ]
    for text in texts { #expect(!text.contains("hunter2")) }
  }

  @Test func `a secret's mirror has no children`() {
    #expect(Mirror(reflecting: Secret([1, 2, 3])).children.isEmpty)
  }

  @Test func `reveal returns the value unchanged`() {
    #expect(Secret("hunter2").reveal() == "hunter2")
  }

  @Test(
    arguments: [
      ([], [], true), ([1, 2], [1, 2], true), ([1, 2], [1, 3], false), ([1, 2], [1], false),
      ([0], [128], false), ([], [0], false),
    ] as [([UInt8], [UInt8], Bool)])
  func `the constant-time comparison is correct`(left: [UInt8], right: [UInt8], isEqual: Bool) {
    #expect(constantTimeEquals(left, right) == isEqual)
  }
}
