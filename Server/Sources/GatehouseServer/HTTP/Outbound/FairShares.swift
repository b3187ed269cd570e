/// Divides places among owners: an owner may hold half of the places that the others leave free.
///
/// So one owner alone gets half of them, and whatever it does with those, another one gets half of the
/// rest. A fixed share would be either too small for an owner without neighbours, or so large that a few
/// owners fill all places.
package struct FairShares<Owner: Hashable & Sendable>: Sendable {
  package let places: Int
  private var held: [Owner: Int] = [:]
  private var total = 0

  package init(places: Int) { self.places = places }

  /// The most places that the owner may hold now.
  ///
  /// - Parameter reserved: The number of places that stay free for another purpose.
  package func share(of owner: Owner, leaving reserved: Int = 0) -> Int {
    let others = total - held[owner, default: 0]
    return (max(places - reserved - others, 0) + 1) / 2
  }

  package func hasRoom(for owner: Owner, leaving reserved: Int = 0) -> Bool {
    held[owner, default: 0] < share(of: owner, leaving: reserved)
  }

  /// The owners that hold all that they may hold now.
  package var fullOwners: [Owner] { held.keys.filter { !hasRoom(for: $0) } }

  /// - Returns: False, without effect, if the owner holds all that it may hold. After true the caller must
  ///   call ``giveBack(of:)``.
  package mutating func take(for owner: Owner, leaving reserved: Int = 0) -> Bool {
    guard hasRoom(for: owner, leaving: reserved) else { return false }
    held[owner, default: 0] += 1
    total += 1
    return true
  }

  package mutating func giveBack(of owner: Owner) {
    guard let count = held[owner] else { return }
    held[owner] = count > 1 ? count - 1 : nil
    total -= 1
  }
}
