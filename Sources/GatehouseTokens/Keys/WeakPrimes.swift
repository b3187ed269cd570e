/// Finds RSA keys from the flawed generator of CVE-2017-15361 (ROCA). Their moduli can be factored.
///
/// The generator's primes are k·M + (65537^a mod M), where M is the product of the first primes. So
/// the remainder of the modulus by each prime that divides M is a power of 65537. Of keys from
/// other generators, about one in 200 million has this property (Nemec et al., "The Return of
/// Coppersmith's Attack", §4).
enum WeakPrimes {
  private static let generator = 65_537

  /// The odd primes that divide M for the shortest flawed keys. For longer keys more primes do.
  private static let primes = [
    3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97,
    101, 103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167,
  ]

  /// - Parameter modulus: Big-endian.
  static func mayHaveMade(_ modulus: [UInt8]) -> Bool {
    primes.allSatisfy { prime in
      let remainder = modulus.reduce(0) { ($0 << 8 | Int($1)) % prime }
      return isPower(remainder, modulo: prime)
    }
  }

  private static func isPower(_ number: Int, modulo prime: Int) -> Bool {
    var power = 1
    repeat {
      if power == number { return true }
      power = power * generator % prime
    } while power != 1
    return false
  }
}
