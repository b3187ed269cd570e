/// The members of a JSON object, in their original order (RFC 8259 §4).
///
/// Names are compared as UTF-8 bytes, and no two members have the same name. A look-up is a linear
/// search: objects here are small, and large ones are iterated.
public struct JSONObject: Sendable, Hashable {
  public struct Member: Sendable, Hashable {
    public let name: String
    public var value: JSONValue

    public init(name: String, value: JSONValue) {
      self.name = name
      self.value = value
    }

    public static func == (left: Member, right: Member) -> Bool {
      left.name.hasSameBytes(as: right.name) && left.value == right.value
    }

    public func hash(into hasher: inout Hasher) {
      hasher.combine(ByteString(name))
      hasher.combine(value)
    }
  }

  public private(set) var members: [Member]

  /// No members.
  public init() { members = [] }

  /// The members in this order. Of several members with the same name, the value of the last one is
  /// used in the place of the first.
  public init(_ members: [Member]) {
    self.members = []
    self.members.reserveCapacity(members.count)
    var places: [ByteString: Int] = [:]
    for member in members {
      if let place = places[ByteString(member.name)] {
        self.members[place].value = member.value
      } else {
        places[ByteString(member.name)] = self.members.count
        self.members.append(member)
      }
    }
  }

  /// For the reader, which has already refused duplicates.
  init(distinct members: [Member]) { self.members = members }

  public var count: Int { members.count }
  public var isEmpty: Bool { members.isEmpty }

  /// The value of the member `name`: ``JSONValue/null`` for a member that is `null`, `nil` for an
  /// absent member. Setting `nil` removes the member.
  public subscript(name: String) -> JSONValue? {
    get { index(of: name).map { members[$0].value } }
    set {
      switch (index(of: name), newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append(Member(name: name, value: value))
      case (nil, nil): break
      }
    }
  }

  private func index(of name: String) -> Int? {
    // Not `firstIndex(where:)`, which would copy each member with its value.
    for index in members.indices where members[index].name.hasSameBytes(as: name) { return index }
    return nil
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(elements.map { Member(name: $0.0, value: $0.1) })
  }
}
