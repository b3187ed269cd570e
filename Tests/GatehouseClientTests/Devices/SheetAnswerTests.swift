import GatehouseClient
import Testing

@Suite struct SheetAnswerTests {
  @Test func `the first answer counts, whenever it comes`() async throws {
    let early = SheetAnswer<Int>()
    early.give(.success(1))
    early.give(.success(2))
    early.give(.failure(.cancelled))
    #expect(try await early.value() == 1)

    let late = SheetAnswer<Int>()
    let task = Task { () async throws(DeviceFault) in try await late.value() }
    late.give(.failure(.busy))
    late.give(.success(2))
    await #expect(throws: DeviceFault.busy) { try await task.value }
  }

  @Test func `a cancelled task doesn't wait for the system`() async throws {
    let answer = SheetAnswer<Int>()
    let task = Task { () async throws(DeviceFault) in try await answer.value() }
    task.cancel()
    await #expect(throws: DeviceFault.cancelled) { try await task.value }
    answer.give(.success(1))
  }

  @Test func `of many simultaneous answers one counts`() async throws {
    let answer = SheetAnswer<Int>()
    async let value = answer.value()
    await withTaskGroup { group in
      for number in 0..<32 { group.addTask { answer.give(.success(number)) } }
    }
    #expect(try await (0..<32).contains(value))
  }

  @Test func `a second sheet is refused while one is open, and not after`() async throws {
    let turn = Turn()
    let first = SheetAnswer<Int>()
    let isOpen = SheetAnswer<Bool>()
    async let answer = turn.take(or: DeviceFault.busy) { () async throws(DeviceFault) in
      isOpen.give(.success(true))
      return try await first.value()
    }
    _ = try await isOpen.value()
    await #expect(throws: DeviceFault.busy) {
      try await turn.take(or: DeviceFault.busy) { () async throws(DeviceFault) in 2 }
    }
    first.give(.success(1))
    #expect(try await answer == 1)
    #expect(try await turn.take(or: DeviceFault.busy) { () async throws(DeviceFault) in 2 } == 2)
  }
}
