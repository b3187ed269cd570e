import GatehouseProtocol
import GatehouseServer
import Testing

@Suite struct FairSharesTests {
  @Test func `each owner gets half of what the others leave`() {
    var shares = FairShares<String>(places: 64)
    let taken = ["a", "b", "c", "d"].map { owner in
      var count = 0
      while shares.take(for: owner) { count += 1 }
      return count
    }
    #expect(taken == [32, 16, 8, 4])
    #expect(Set(shares.fullOwners) == ["a", "b", "c", "d"])
    #expect(shares.hasRoom(for: "e"))
  }

  @Test func `the last place can be taken, and one that is given back is free`() {
    var shares = FairShares<String>(places: 1)
    let first = ["a", "b"].map { shares.take(for: $0) }
    #expect(first == [true, false])
    shares.giveBack(of: "a")
    shares.giveBack(of: "a")
    let second = ["b", "a"].map { shares.take(for: $0) }
    #expect(second == [true, false])
  }

  @Test func `reserved places are free only without the reservation`() {
    var shares = FairShares<String>(places: 10)
    #expect(shares.share(of: "a", leaving: 4) == 3)
    let taken = [4, 4, 4, 4, 0].map { shares.take(for: "a", leaving: $0) }
    #expect(taken == [true, true, true, false, true])
    #expect(FairShares<String>(places: 0).share(of: "a") == 0)
  }
}
