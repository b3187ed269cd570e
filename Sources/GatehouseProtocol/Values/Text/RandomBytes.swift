extension SystemRandomNumberGenerator {
  /// Random bytes. Each random number costs a system call on Linux, and gives eight bytes. With one number
  /// for each byte, `UInt8.random(in:using:)` takes eight times as many system calls.
  public mutating func bytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count {
      var number = next()
      for _ in 0..<min(8, count - bytes.count) {
        bytes.append(UInt8(truncatingIfNeeded: number))
        number >>= 8
      }
    }
    return bytes
  }
}
