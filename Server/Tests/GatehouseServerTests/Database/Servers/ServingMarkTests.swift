import Foundation
import GatehouseServer
import Synchronization
import Testing

@Suite struct ServingMarkTests {
  private let contents = ServingMark.Contents(process: 4711, masterKeys: ["00112233"])

  @Test func `a server is listed while it runs, with its latest contents`() throws {
    try withFolder { folder in
      #expect(ServingMark.running(in: folder) == [])
      var mark: ServingMark? = try ServingMark.make(in: folder, contents)
      #expect(ServingMark.running(in: folder) == [contents])
      let later = ServingMark.Contents(process: 4711, masterKeys: ["00112233", "44556677"])
      try mark?.write(later)
      #expect(ServingMark.running(in: folder) == [later])
      // Like the end of the process: the file stays, its lock is released.
      mark = nil
      #expect(ServingMark.running(in: folder) == [])
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }
  }

  @Test func `two servers are both listed`() throws {
    try withFolder { folder in
      let marks = [
        try ServingMark.make(in: folder, contents), try ServingMark.make(in: folder, contents),
      ]
      #expect(ServingMark.running(in: folder) == [contents, contents])
      for mark in marks { mark.remove() }
      #expect(ServingMark.running(in: folder) == [])
    }
  }

  @Test func `a command that looks while a server starts doesn't remove its file`() throws {
    try withFolder { folder in
      let marks = Mutex<[ServingMark]>([])
      DispatchQueue.concurrentPerform(iterations: 2) { part in
        for _ in 0..<100 {
          if part == 0 {
            guard let mark = try? ServingMark.make(in: folder, contents) else { continue }
            marks.withLock { $0.append(mark) }
          } else {
            _ = ServingMark.running(in: folder)
          }
        }
      }
      #expect(marks.withLock { $0.count } == 100)
      let running = ServingMark.running(in: folder)
      #expect(running == Array(repeating: contents, count: 100))
      marks.withLock { $0 = [] }
    }
  }
}
