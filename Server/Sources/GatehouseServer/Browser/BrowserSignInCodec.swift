package import Foundation
import GatehouseProtocol
import GatehouseTokens

/// Encrypts the data that passes through a browser during a sign-in: AES-GCM under a separate key that
/// is derived from the master key. So a sign-in that is never finished needs no row in the database. A
/// row is written only when a response arrives or is redeemed.
///
/// | | | valid for |
/// |---|---|---|
/// | `ghs_…` | a ``BrowserSignIn``, the `state` at the provider | 10 minutes |
/// | `ghp_…` | the form that a provider posted, until the browser sends it again with its cookie | 2 minutes |
/// | `ghr_…` | a ``BrowserAnswer``, for the app | 5 minutes |
package struct BrowserSignInCodec: Sendable {
  private let box: TokenBox

  package static let statePrefix = "ghs_"
  package static let postedPrefix = "ghp_"
  package static let answerPrefix = "ghr_"
  private static let postedSeconds: TimeInterval = 120
  /// This server never writes longer texts.
  private static let maximumBytes = 32 * 1024

  package init(_ master: MasterKey) { self.init(MasterKeyRing(master)) }

  package init(_ ring: MasterKeyRing) { box = TokenBox(ring, purpose: .browser) }

  // MARK: The state

  func state(for signIn: BrowserSignIn) throws -> String {
    var fields = FieldWriter()
    Self.write(signIn, to: &fields)
    return try seal(fields, writtenAt: signIn.startedAt, Self.statePrefix)
  }

  /// - Throws: ``AccountsError/browserSignIn(_:)``: not issued or expired.
  func signIn(ofState text: String, now: Date) throws(AccountsError) -> BrowserSignIn {
    var fields = try open(text, Self.statePrefix, BrowserSignIn.lifetimeSeconds, now).fields
    guard let signIn = try? Self.signIn(&fields) else { throw .browserSignIn(.notIssued) }
    return signIn
  }

  // MARK: A posted form

  /// - Parameter form: The fields, in the order in which they came.
  package func posted(_ form: [(name: String, value: String)], now: Date) throws -> String {
    var fields = FieldWriter()
    for (name, value) in form {
      fields.write(name)
      fields.write(value)
    }
    // An absent name marks the end of the list: names are never absent.
    fields.write(String?.none)
    return try seal(fields, writtenAt: now, Self.postedPrefix)
  }

  /// - Throws: ``AccountsError/browserSignIn(_:)``: not issued or expired.
  package func form(
    ofPosted text: String, now: Date
  ) throws(AccountsError) -> [(name: String, value: String)] {
    var fields = try open(text, Self.postedPrefix, Self.postedSeconds, now).fields
    guard let form = try? Self.form(&fields) else { throw .browserSignIn(.notIssued) }
    return form
  }

  private static func form(
    _ fields: inout FieldReader
  ) throws -> [(name: String, value: String)] {
    var form: [(name: String, value: String)] = []
    while let name = try fields.string() {
      guard let value = try fields.string() else { throw FieldReader.Malformed() }
      form.append((name, value))
    }
    return form
  }

  // MARK: The response

  package func text(for answer: BrowserAnswer) throws -> String {
    var fields = FieldWriter()
    Self.write(answer.signIn, to: &fields)
    switch answer.proof {
    case .code(let code):
      fields.write(BrowserSignIn.Response.code.rawValue)
      fields.write(code.reveal())
    case .idToken(let token):
      fields.write(BrowserSignIn.Response.idToken.rawValue)
      fields.write(token.reveal())
    }
    fields.write(answer.issuer)
    fields.write(answer.userName?.firstName)
    fields.write(answer.userName?.lastName)
    return try seal(fields, writtenAt: answer.arrivedAt, Self.answerPrefix)
  }

  /// - Throws: ``AccountsError/browserSignIn(_:)``: not issued or expired.
  func answer(_ text: String, now: Date) throws(AccountsError) -> BrowserAnswer {
    var opened = try open(text, Self.answerPrefix, BrowserAnswer.lifetimeSeconds, now)
    guard let answer = try? Self.answer(&opened.fields, opened.writtenAt) else {
      throw .browserSignIn(.notIssued)
    }
    return answer
  }

  private static func answer(
    _ fields: inout FieldReader, _ arrivedAt: Date
  ) throws -> BrowserAnswer {
    let signIn = try signIn(&fields)
    let kind = try fields.string().flatMap { BrowserSignIn.Response(rawValue: $0) }
    guard let kind, let proof = try fields.string() else { throw FieldReader.Malformed() }
    let issuer = try fields.string()
    let firstName = try fields.string()
    let lastName = try fields.string()
    return BrowserAnswer(
      to: signIn, kind == .code ? .code(Secret(proof)) : .idToken(Secret(proof)),
      issuer: issuer, userName: UserName(firstName: firstName, lastName: lastName),
      arrivedAt: arrivedAt)
  }

  // MARK: Fields

  private static func write(_ signIn: BrowserSignIn, to fields: inout FieldWriter) {
    fields.write(signIn.project.text)
    fields.write(signIn.provider.text)
    fields.write(signIn.redirectURI)
    fields.write(signIn.response.rawValue)
    fields.write(signIn.usesPKCE)
    fields.write(Base64URL.encode(signIn.sessionDigest))
    fields.write(signIn.destination?.mode.rawValue)
    fields.write(signIn.destination?.url)
    fields.write(signIn.destination?.eventID)
    fields.write(signIn.destination?.page?.origin)
    fields.write(signIn.destination?.page?.apiKey)
    fields.write(signIn.destination?.page?.appName)
    fields.write(signIn.clientID)
    fields.write(signIn.demand.maximumAgeSeconds.map { String($0) })
    fields.write(signIn.demand.contextClasses.joined(separator: " "))
    fields.write(signIn.startedAt)
    fields.write(Base64URL.encode(signIn.secret.reveal()))
  }

  private static func signIn(_ fields: inout FieldReader) throws -> BrowserSignIn {
    guard let project = try fields.string().flatMap({ ProjectID($0) }),
      let provider = try fields.string().flatMap({ ProviderID($0) }),
      let redirectURI = try fields.string(),
      let response = try fields.string().flatMap({ BrowserSignIn.Response(rawValue: $0) }),
      let usesPKCE = try fields.flag(),
      let sessionDigest = try fields.string().flatMap({ Base64URL.decode($0) })
    else { throw FieldReader.Malformed() }
    var start = BrowserSignIn.Start(
      provider: provider, redirectURI: redirectURI, sessionDigest: sessionDigest)
    start.response = response
    start.usesPKCE = usesPKCE
    start.destination = try destination(&fields)
    start.clientID = try fields.string()
    start.demand.maximumAgeSeconds = try fields.string().flatMap { Int($0) }
    start.demand.contextClasses =
      try fields.string()?.split(separator: " ").map(String.init) ?? []
    guard let startedAt = try fields.date(),
      let secret = try fields.string().flatMap({ Base64URL.decode($0) }),
      secret.count == BrowserSignIn.secretBytes
    else { throw FieldReader.Malformed() }
    return BrowserSignIn(start, in: project, startedAt: startedAt, secret: Secret(secret))
  }

  private static func destination(
    _ fields: inout FieldReader
  ) throws -> BrowserSignIn.Destination? {
    let mode = try fields.string()
    let url = try fields.string()
    let eventID = try fields.string()
    let origin = try fields.string()
    let apiKey = try fields.string()
    let appName = try fields.string()
    guard let mode, let url else { return nil }
    guard let mode = BrowserSignIn.Mode(rawValue: mode) else { throw FieldReader.Malformed() }
    var page: BrowserSignIn.Page?
    if let origin, let apiKey, let appName {
      page = BrowserSignIn.Page(origin: origin, apiKey: apiKey, appName: appName)
    }
    return BrowserSignIn.Destination(mode: mode, url: url, eventID: eventID, page: page)
  }

  // MARK: Encryption

  private func seal(
    _ fields: FieldWriter, writtenAt: Date, _ prefix: String
  ) throws -> String {
    prefix + (try box.seal(fields, writtenAt: writtenAt, bound: prefix))
  }

  private func open(
    _ text: String, _ prefix: String, _ lifetimeSeconds: TimeInterval, _ now: Date
  ) throws(AccountsError) -> (fields: FieldReader, writtenAt: Date) {
    guard text.utf8.count <= Self.maximumBytes, text.utf8.starts(with: prefix.utf8) else {
      throw .browserSignIn(.notIssued)
    }
    do {
      return try box.open(
        String(decoding: text.utf8.dropFirst(prefix.utf8.count), as: UTF8.self), bound: prefix,
        lifetimeSeconds: lifetimeSeconds, now: now)
    } catch {
      throw .browserSignIn(error == .expired ? .expired : .notIssued)
    }
  }
}
