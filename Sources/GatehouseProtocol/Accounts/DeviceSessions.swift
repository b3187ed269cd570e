/// `accounts:sessions`: the sessions of an account, one for each sign-in on a device. An extension.
public struct SessionsRequest: WireMessage {
  public var idToken: String?

  public init(idToken: String) { self.idToken = idToken }

  public init(_ fields: WireFields) throws(WireError) {
    idToken = try fields.nonEmptyString("idToken")
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("idToken", ifPresent: idToken)
  }
}

public struct SessionsResponse: WireMessage {
  /// The latest sign-in first.
  public var sessions: [Session]

  public init(_ sessions: [Session]) { self.sessions = sessions }

  public init(_ fields: WireFields) throws(WireError) {
    var sessions: [Session] = []
    for session in try fields.messages("sessions") { sessions.append(try Session(session)) }
    self.sessions = sessions
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.array("sessions") { list in
      for session in sessions { list.object { session.writeMembers(to: &$0) } }
    }
  }

  public struct Session: Hashable, Sendable {
    /// 32 hexadecimal digits.
    public var sessionID: String
    /// Whether it is the session of the ID token in the request.
    public var isCurrent: Bool
    /// The provider of the sign-in.
    public var provider: String
    /// Milliseconds since 1970, like the other times.
    public var createdAt: Int64
    public var authenticatedAt: Int64
    public var lastUsedAt: Int64
    public var userAgent: String?
    /// The app's bundle id or package name, or the web page's origin.
    public var app: String?
    /// The address from which the user signed in. Nil unless the operator stores addresses; a user
    /// gets it only after a recent sign-in.
    public var address: String?
    /// The name that the user gave the device.
    public var name: String?

    public init(
      sessionID: String, isCurrent: Bool, provider: String, createdAt: Int64,
      authenticatedAt: Int64, lastUsedAt: Int64
    ) {
      self.sessionID = sessionID
      self.isCurrent = isCurrent
      self.provider = provider
      self.createdAt = createdAt
      self.authenticatedAt = authenticatedAt
      self.lastUsedAt = lastUsedAt
    }

    init(_ fields: WireFields) throws(WireError) {
      sessionID = try fields.nonEmptyString("sessionId") ?? ""
      isCurrent = try fields.bool("current") ?? false
      provider = try fields.nonEmptyString("signInProvider") ?? ""
      createdAt = try fields.int64("createdAt") ?? 0
      authenticatedAt = try fields.int64("authenticatedAt") ?? 0
      lastUsedAt = try fields.int64("lastUsedAt") ?? 0
      userAgent = try fields.nonEmptyString("userAgent")
      app = try fields.nonEmptyString("app")
      address = try fields.nonEmptyString("address")
      name = try fields.nonEmptyString("name")
    }

    func writeMembers(to writer: inout JSONWriter) {
      writer.member("sessionId", sessionID)
      writer.member("current", isCurrent)
      writer.member("signInProvider", provider)
      writer.member("createdAt", String(createdAt))
      writer.member("authenticatedAt", String(authenticatedAt))
      writer.member("lastUsedAt", String(lastUsedAt))
      writer.member("userAgent", ifPresent: userAgent)
      writer.member("app", ifPresent: app)
      writer.member("address", ifPresent: address)
      writer.member("name", ifPresent: name)
    }
  }
}

/// `accounts:endSession`: a user ends one of their own sessions, or all except the current one. An
/// administrator ends one session of an account, or all of them. Unless a user ends the current
/// session, the account's codes for another address become invalid. An extension.
public struct EndSessionRequest: WireMessage {
  public var idToken: String?
  public var localID: String?
  public var sessionID: String?
  /// Instead of `sessionID`: ends all sessions except that of the ID token. For an administrator,
  /// it ends all sessions.
  public var endsOthers: Bool?

  public init(idToken: String, sessionID: String?) {
    self.idToken = idToken
    self.sessionID = sessionID
    endsOthers = sessionID == nil ? true : nil
  }

  public init(_ fields: WireFields) throws(WireError) {
    idToken = try fields.nonEmptyString("idToken")
    localID = try fields.nonEmptyString("localId")
    sessionID = try fields.nonEmptyString("sessionId")
    endsOthers = try fields.bool("others")
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("idToken", ifPresent: idToken)
    writer.member("localId", ifPresent: localID)
    writer.member("sessionId", ifPresent: sessionID)
    writer.member("others", ifPresent: endsOthers)
  }
}

public struct EndSessionResponse: WireMessage {
  /// How many sessions ended.
  public var ended: Int64

  public init(ended: Int) { self.ended = Int64(ended) }

  public init(_ fields: WireFields) throws(WireError) { ended = try fields.int64("ended") ?? 0 }

  public func writeMembers(to writer: inout JSONWriter) { writer.member("ended", ended) }
}

/// `accounts:nameSession`: a user names a device. An extension.
public struct NameSessionRequest: WireMessage {
  public var idToken: String?
  public var sessionID: String?
  /// Nil removes the name.
  public var name: String?

  public init(idToken: String, sessionID: String, name: String?) {
    self.idToken = idToken
    self.sessionID = sessionID
    self.name = name
  }

  public init(_ fields: WireFields) throws(WireError) {
    idToken = try fields.nonEmptyString("idToken")
    sessionID = try fields.nonEmptyString("sessionId")
    name = try fields.nonEmptyString("name")
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("idToken", ifPresent: idToken)
    writer.member("sessionId", ifPresent: sessionID)
    writer.member("name", ifPresent: name)
  }
}
