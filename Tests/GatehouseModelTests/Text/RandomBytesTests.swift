import GatehouseModel
import Testing

@Suite struct RandomBytesTests {
  @Test(arguments: [0, 1, 7, 8, 9, 16, 32])
  func `as many bytes are drawn as were asked for`(_ count: Int) {
    var generator = SystemRandomNumberGenerator()
    #expect(generator.bytes(count).count == count)
  }

  @Test func `every byte differs from one draw to another`() {
    var generator = SystemRandomNumberGenerator()
    let draws = (0..<64).map { _ in generator.bytes(13) }
    // The chance that a byte has the same value 64 times is 2⁻⁵⁰⁴.
    for place in 0..<13 { #expect(Set(draws.map { $0[place] }).count > 1) }
  }
}
