extension SystemRandomNumberGenerator {
  /// Random bytes. Each random number costs a system call and gives eight bytes. One number for each
  /// byte would take 10 µs of each sign-in.
  package mutating func bytes(_ count: Int) -> [UInt8] {
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
