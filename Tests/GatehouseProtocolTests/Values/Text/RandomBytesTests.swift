import GatehouseProtocol
import Testing

@Suite struct RandomBytesTests {
  @Test(arguments: [0, 1, 7, 8, 9, 16, 32])
  func `there are as many random bytes as requested`(count: Int) {
    var generator = SystemRandomNumberGenerator()
    #expect(generator.bytes(count).count == count)
  }

  @Test func `random bytes differ each time, and every bit of each byte can be set`() {
    var generator = SystemRandomNumberGenerator()
    let samples = (0..<100).map { _ in generator.bytes(17) }
    #expect(Set(samples).count == 100)
    for place in 0..<17 {
      // A bit is equal in all samples with a probability of 2 to the power of -99.
      #expect(samples.reduce(0 as UInt8) { $0 | $1[place] } == 255)
      #expect(samples.reduce(255 as UInt8) { $0 & $1[place] } == 0)
    }
  }
}
