import GatehouseProtocol
import Testing

@Suite struct EventStreamParserTests {
  private func events(_ text: String, pieces: Int = 1) throws -> [ServerSentEvent] {
    var parser = EventStreamParser()
    let bytes = Array(text.utf8)
    var events: [ServerSentEvent] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      events += try parser.parse(rest.prefix(pieces))
      rest = rest.dropFirst(pieces)
    }
    return events
  }

  /// The examples of WHATWG HTML §9.2.6.
  @Test(arguments: [1, 2, 3, 7, 1000])
  func `the standard's examples are read as it says, however they are cut`(_ pieces: Int) throws {
    #expect(
      try events("data: YHOO\ndata: +2\ndata: 10\n\n", pieces: pieces)
        == [ServerSentEvent(id: "", type: "message", data: "YHOO\n+2\n10")])
    let four =
      ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event"
    #expect(
      try events(four + "\n\n", pieces: pieces) == [
        ServerSentEvent(id: "1", type: "message", data: "first event"),
        ServerSentEvent(id: "", type: "message", data: "second event"),
        ServerSentEvent(id: "", type: "message", data: " third event"),
      ])
    // An incomplete event is dropped.
    #expect(try events(four, pieces: pieces).count == 2)
    #expect(
      try events("data\n\ndata\ndata\n\ndata:", pieces: pieces).map(\.data) == ["", "\n"])
    #expect(
      try events("data:test\n\ndata: test\n\n", pieces: pieces).map(\.data) == ["test", "test"])
  }

  @Test(arguments: ["\n", "\r", "\r\n"], [1, 2, 1000])
  func `each kind of line end is one`(_ end: String, _ pieces: Int) throws {
    let text = "\u{FEFF}event: a\(end)data: 1\(end)\(end)data: 2\(end)\(end)"
    let found = try events(text, pieces: pieces)
    #expect(found.map(\.type) == ["a", "message"])
    #expect(found.map(\.data) == ["1", "2"])
  }

  @Test func `an id stays until another one, and one that can't be sent back is ignored`() throws {
    var parser = EventStreamParser(lastEventID: "evt_0")
    #expect(parser.lastEventID == "evt_0")
    _ = try parser.parse("id: evt_1\n".utf8)
    #expect(parser.lastEventID == "evt_0", "the event isn't complete")
    _ = try parser.parse("\n".utf8)
    #expect(parser.lastEventID == "evt_1")
    let long = String(repeating: "x", count: EventStreamParser.maximumIDBytes + 1)
    for id in ["a\u{0}b", "é", "a\tb", long] {
      _ = try parser.parse("id: \(id)\ndata: 1\n\n".utf8)
      #expect(parser.lastEventID == "evt_1")
    }
    _ = try parser.parse("id:\n\n".utf8)
    #expect(parser.lastEventID.isEmpty)
  }

  @Test func `only digits are a time`() throws {
    var parser = EventStreamParser()
    for (text, value) in [("1500", 1500), ("-1", 1500), ("1e9", 1500), ("9999999999", 1500)] {
      _ = try parser.parse("retry: \(text)\n\n".utf8)
      #expect(parser.retryMilliseconds == value)
    }
  }

  @Test func `a line and an event have limits`() {
    let most = EventStreamParser.maximumBytes
    #expect(throws: EventStreamParser.TooLong.self) {
      var parser = EventStreamParser()
      _ = try parser.parse(repeatElement(UInt8(ascii: "x"), count: most + 1))
    }
    #expect(throws: EventStreamParser.TooLong.self) {
      var parser = EventStreamParser()
      let line = Array("data: \(String(repeating: "x", count: 1000))\n".utf8)
      for _ in 0...(most / 1000) { _ = try parser.parse(line) }
    }
  }

  @Test func `what is written is read`() throws {
    let sent = [
      ServerSentEvent(
        id: "evt_1", type: "account.deleted", data: "{\"a\":1}\n{}", retryMilliseconds: 10),
      ServerSentEvent(id: "", type: "ready"),
    ]
    var parser = EventStreamParser()
    let read = try parser.parse(sent[0].bytes + ServerSentEvent.comment + sent[1].bytes)
    #expect(read.map(\.id) == sent.map(\.id))
    #expect(read.map(\.type) == sent.map(\.type))
    #expect(read.map(\.data) == sent.map(\.data))
    #expect(parser.retryMilliseconds == 10)
  }

  @Test func `a line end in an id or a type can't begin another field`() throws {
    let event = ServerSentEvent(id: "a\ndata: x", type: "t\r\n\r\nevent: forged", data: "{}")
    var parser = EventStreamParser()
    let read = try parser.parse(event.bytes)
    #expect(read == [ServerSentEvent(id: "a", type: "t", data: "{}")])
  }
}
