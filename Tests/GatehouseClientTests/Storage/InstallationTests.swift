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
        let fault = try installation.begin(unlocked: {}) { forgotten += 1 }
        #expect(fault == nil)
      }
    }
    #expect(forgotten == 1)
  }

  @Test func `each project has its own first use`() throws {
    var forgotten = 0
    _ = try Installation(service: "a", marker: marker).begin(unlocked: {}) { forgotten += 1 }
    _ = try Installation(service: "b", marker: marker).begin(unlocked: {}) { forgotten += 1 }
    #expect(forgotten == 2)
  }

  @Test func `items that couldn't be removed are removed later`() throws {
    let installation = Installation(service: "s", marker: marker)
    #expect(throws: locked) {
      try installation.begin(unlocked: {}) { () throws(StoreFault) in throw locked }
    }
    var forgotten = 0
    _ = try installation.begin(unlocked: {}) { forgotten += 1 }
    #expect(forgotten == 1)
  }

  @Test func `a marker that can't be written is reported, and written later`() throws {
    let marker = FaultyStore()
    marker.fail(writing: FaultyStore.unwritable)
    let installation = Installation(service: "s", marker: marker)
    var forgotten = 0
    for isFull in [true, true, false, false] {
      marker.fail(writing: isFull ? FaultyStore.unwritable : nil)
      let fault = try installation.begin(unlocked: {}) { forgotten += 1 }
      #expect(fault == (isFull ? FaultyStore.unwritable : nil))
    }
    #expect(forgotten == 3)
  }

  @Test func `a marker that can't be read forgets nothing`() {
    let fault = StoreFault(.unreadable, detail: "made up")
    let marker = FaultyStore()
    marker.fail(reading: fault)
    let installation = Installation(service: "s", marker: marker)
    #expect(throws: fault) {
      try installation.begin(unlocked: {}) { Issue.record("forgotten") }
    }
  }

  @Test(arguments: [nil, StoreFault(.unreadable, detail: "made up")])
  func `while the device is locked, a marker that isn't seen means nothing`(
    fault: StoreFault?
  ) {
    let marker = FaultyStore()
    marker.fail(reading: fault)
    let installation = Installation(service: "s", marker: marker)
    #expect(throws: locked) {
      try installation.begin(unlocked: { () throws(StoreFault) in throw locked }) {
        Issue.record("forgotten")
      }
    }
  }
}
