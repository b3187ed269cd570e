import Foundation
import GatehouseClient
import Testing

@Suite struct InstallationTests {
  private let marker = MemoryStore()
  private let locked = StoreFault(.locked, detail: "made up")

  @Test func `an installation forgets once, at its first use`() throws {
    var forgotten = 0
    for _ in 0..<2 {
      let installation = Installation(service: "s", marker: marker)
      for _ in 0..<2 {
        let fault = try installation.begin { forgotten += 1 }
        #expect(fault == nil)
      }
    }
    #expect(forgotten == 1)
  }

  @Test func `each project has its own first use`() throws {
    var forgotten = 0
    _ = try Installation(service: "a", marker: marker).begin { forgotten += 1 }
    _ = try Installation(service: "b", marker: marker).begin { forgotten += 1 }
    #expect(forgotten == 2)
  }

  @Test func `items that couldn't be removed are removed later`() throws {
    let installation = Installation(service: "s", marker: marker)
    #expect(throws: locked) {
      try installation.begin { () throws(StoreFault) in throw locked }
    }
    var forgotten = 0
    _ = try installation.begin { forgotten += 1 }
    #expect(forgotten == 1)
  }

  @Test func `a marker that can't be written is reported, and written later`() throws {
    let marker = FaultyStore()
    marker.fail(writing: FaultyStore.unwritable)
    let installation = Installation(service: "s", marker: marker)
    var forgotten = 0
    for isFull in [true, true, false, false] {
      marker.fail(writing: isFull ? FaultyStore.unwritable : nil)
      let fault = try installation.begin { forgotten += 1 }
      #expect(fault == (isFull ? FaultyStore.unwritable : nil))
    }
    #expect(forgotten == 3)
  }

  @Test func `a marker that can't be read forgets nothing`() {
    struct Locked: SessionStore {
      let fault: StoreFault
      func read(_ key: String) throws(StoreFault) -> Data? { throw fault }
      func write(_ data: Data, for key: String) throws(StoreFault) { throw fault }
      func remove(_ key: String) throws(StoreFault) { throw fault }
      func update(
        _ key: String, _ change: (Data?) throws(StoreFault) -> Data?
      ) throws(StoreFault) -> Data? { throw fault }
    }
    let installation = Installation(service: "s", marker: Locked(fault: locked))
    #expect(throws: locked) {
      try installation.begin { Issue.record("forgotten") }
    }
  }
}
