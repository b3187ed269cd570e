import GatehouseProtocol
@testable import GatehouseServer
import GatehouseTokens

// The readers of unchecked bytes. None may trap, hang or use unbounded memory. If a value can be read
// and written, reading the written text must give the same value.

private func bytes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
  unsafe Array(UnsafeBufferPointer(start: start, count: count))
}

@_cdecl("fuzz_json")
public func fuzzJSON(_ start: UnsafePointer<UInt8>?, _ count: Int) {
  guard let value = try? JSONValue(parsing: unsafe bytes(start, count)) else { return }
  let written = Array(value.text().utf8)
  guard let again = try? JSONValue(parsing: written) else {
    preconditionFailure("the written text can't be read: \(value)")
  }
  precondition(again == value, "the written text is read as another value")
}

@_cdecl("fuzz_jws")
public func fuzzJWS(_ start: UnsafePointer<UInt8>?, _ count: Int) {
  let compact = unsafe bytes(start, count)
  guard let token = try? UnverifiedToken(compact) else { return }
  _ = token.unverifiedIssuer
  _ = token.header
}

@_cdecl("fuzz_post_body")
public func fuzzPostBody(_ start: UnsafePointer<UInt8>?, _ count: Int) {
  let text = String(decoding: unsafe bytes(start, count), as: UTF8.self)
  _ = PostBody(postBody: text, requestURI: nil)
  _ = PostBody(postBody: nil, requestURI: RequestURI(text))
  // As in a request: a JSON body with both.
  guard let object = try? JSONObject(parsing: text) else { return }
  let fields = WireFields(object)
  _ = try? SignInWithIdpRequest(fields)
  _ = try? UploadedUser(fields)
}

@_cdecl("fuzz_handler")
public func fuzzHandler(_ start: UnsafePointer<UInt8>?, _ count: Int) {
  let query = FormFields(bytes: unsafe bytes(start, count))
  guard let request = try? HandlerRequest(query) else { return }
  _ = request.sessionDigest
  _ = try? AuthorizationParameters.check(request.parameters, allowsAny: true)
  _ = AuthorizationParameters.areScopes(request.scopes)
  switch request.requester {
  case .app(let app): _ = app.redirectURL.flatMap(OutboundURL.init)
  case .page(let page):
    // The returned address is the one that was checked.
    precondition(page.address.url.utf8.starts(with: page.address.origin.prefix(7).utf8))
  }
}

/// The first byte chooses the trigger and the status; the others are the body.
@_cdecl("fuzz_blocking_function")
public func fuzzBlockingFunction(_ start: UnsafePointer<UInt8>?, _ count: Int) {
  let input = unsafe bytes(start, count)
  let choice = input.first ?? 0
  let response = OutboundResponse(
    status: choice & 2 == 0 ? 200 : 403, body: Array(input.dropFirst()))
  let outcome = try? BlockingFunctionAnswer.outcome(
    of: response, to: choice & 1 == 0 ? .beforeCreate : .beforeSignIn)
  guard case .allowed(let changes) = outcome else { return }
  // The limits of an account hold, whatever the function answers.
  if case .set(let name) = changes.displayName {
    precondition(name.utf16.count <= ProfileBounds.maximumNameUnits)
  }
  if case .set(let claims) = changes.customClaims {
    precondition(claims.jsonText.utf16.count <= CustomClaims.greatestLength)
  }
}

@_cdecl("fuzz_user_files")
public func fuzzUserFiles(_ start: UnsafePointer<UInt8>?, _ count: Int) {
  let file = unsafe bytes(start, count)
  // In two pieces: the place of the cut must make no difference.
  let cut = Int(file.first ?? 0) % (file.count + 1)
  precondition(csv([file]) == csv([Array(file[..<cut]), Array(file[cut...])]))
  precondition(json([file]) == json([Array(file[..<cut]), Array(file[cut...])]))
  _ = try? HashConfigText.read(String(decoding: file, as: UTF8.self))
}

/// The line numbers of the users, and of the end.
private func csv(_ pieces: [[UInt8]]) -> [Int] {
  var scanner = CSVUserScanner()
  var lines: [Int] = []
  do {
    for piece in pieces { try scanner.scan(piece) { lines.append($0.line) } }
    try scanner.end { lines.append($0.line) }
  } catch {
    lines.append(-1)
  }
  return lines
}

private func json(_ pieces: [[UInt8]]) -> [Int] {
  var scanner = JSONUserScanner()
  var lines: [Int] = []
  do {
    for piece in pieces { try scanner.scan(piece) { lines.append($0.line) } }
    try scanner.end()
  } catch {
    lines.append(-1)
  }
  return lines
}

@_cdecl("fuzz_authenticator")
public func fuzzAuthenticator(_ start: UnsafePointer<UInt8>?, _ count: Int) {
  let answer = unsafe bytes(start, count)
  _ = try? CBORReader.read(answer)
  _ = try? PasskeyCeremony.authenticatorData(in: answer)
  _ = try? ClientData.challenge(in: answer)
  guard let data = try? AuthenticatorData(answer), let attested = data.attested else { return }
  // A stored key can be read again.
  guard let key = try? COSEKey(attested.keyBytes) else {
    preconditionFailure("the key can't be read a second time")
  }
  precondition(key.algorithm == attested.key.algorithm, "the key is read as another one")
}

@_cdecl("fuzz_event_stream")
public func fuzzEventStream(_ start: UnsafePointer<UInt8>?, _ count: Int) {
  let stream = unsafe bytes(start, count)
  // In two pieces: the place of the cut must make no difference.
  let cut = Int(stream.first ?? 0) % (stream.count + 1)
  let (whole, id) = events([stream])
  let (pieces, other) = events([Array(stream[..<cut]), Array(stream[cut...])])
  precondition(whole == pieces && id == other, "the place of the cut made a difference")
  // What is read can be written and read again.
  let (again, _) = events([whole.flatMap(\.bytes)])
  precondition(again.map(\.data) == whole.map(\.data), "an event was read as another one")
}

private func events(_ pieces: [[UInt8]]) -> ([ServerSentEvent], String) {
  var parser = EventStreamParser()
  var events: [ServerSentEvent] = []
  for piece in pieces {
    guard let some = try? parser.parse(piece) else { break }
    events += some
  }
  return (events, parser.lastEventID)
}
