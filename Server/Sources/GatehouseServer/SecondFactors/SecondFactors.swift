import Crypto
package import Foundation
import GatehouseProtocol
import GatehouseTokens

/// The second factors of an account, and its recovery codes. Encrypted at rest.
package struct SecondFactors: Hashable, Sendable {
  /// In the order in which they were enrolled; at most ``maximumCount``.
  package var factors: [SecondFactor] = []
  /// Unused ones.
  package var recoveryCodes: [RecoveryCode] = []

  package static let maximumCount = 5

  package init() {}

  package subscript(id: String) -> SecondFactor? {
    factors.first { $0.id.hasSameBytes(as: id) }
  }

  /// Removes the factor. Without a factor, recovery codes are of no use: they go with the last one.
  ///
  /// - Returns: False if there is no such factor.
  mutating func remove(_ id: String) -> Bool {
    guard let index = factors.firstIndex(where: { $0.id.hasSameBytes(as: id) }) else {
      return false
    }
    factors.remove(at: index)
    if factors.isEmpty { recoveryCodes = [] }
    return true
  }

  /// Removes what a thief may have enrolled since `date`, and the recovery codes, which the thief may have seen.
  mutating func removeRecent(since date: Date) {
    factors.removeAll { $0.enrolledAt >= date }
    recoveryCodes = []
  }

  /// Uses a recovery code up.
  ///
  /// - Returns: False if the account has no such code.
  mutating func use(recoveryCode text: Secret<String>) -> Bool {
    guard let code = RecoveryCode(typed: text.reveal()) else { return false }
    // Compares with all, so that the time doesn't show which one it is.
    let matches = recoveryCodes.indices.filter {
      constantTimeEquals(recoveryCodes[$0].digest, code.digest)
    }
    guard let index = matches.first else { return false }
    recoveryCodes.remove(at: index)
    return true
  }

  /// Replaces the recovery codes.
  ///
  /// - Returns: The new ones, in the form in which users write them down.
  mutating func replaceRecoveryCodes() -> [Secret<String>] {
    let codes = (0..<RecoveryCode.count).map { _ in RecoveryCode.random() }
    recoveryCodes = codes.map(\.code)
    return codes.map(\.text)
  }
}

/// A second factor of an account.
package struct SecondFactor: Hashable, Sendable {
  /// `mfaEnrollmentId`.
  package let id: String
  /// At most ``nameLimit`` characters.
  package var name: String?
  package let enrolledAt: Date
  package var kind: Kind

  package enum Kind: Hashable, Sendable {
    case phone(PhoneNumber)
    case totp(TOTP)
  }

  package static let nameLimit = 100
  /// Whether the text can be the id of a factor: an administrator may choose one. It stands in ID tokens.
  static func isID(_ text: String) -> Bool {
    (1...128).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }

  package init(id: String, name: String? = nil, enrolledAt: Date, kind: Kind) {
    self.id = id
    self.name = name
    self.enrolledAt = enrolledAt.wholeMilliseconds
    self.kind = kind
  }

  /// A factor with a new id.
  init(_ kind: Kind, name: String?, now: Date) {
    var generator = SystemRandomNumberGenerator()
    self.init(
      id: UID(using: &generator).text, name: name.map { String($0.prefix(Self.nameLimit)) },
      enrolledAt: now, kind: kind)
  }

  var method: PresentedFactor.Method {
    switch kind {
    case .phone: .phone
    case .totp: .totp
    }
  }
}

/// The second factor with which a user signed in.
package struct PresentedFactor: Hashable, Sendable {
  package let method: Method
  /// Of the factor: `second_factor_identifier` in the session's ID tokens.
  package let id: String

  /// `sign_in_second_factor` in the session's ID tokens.
  package enum Method: String, Hashable, Sendable, CaseIterable {
    case phone, totp
    case recoveryCode = "recovery_code"
    /// A passkey that verified its user counts as both factors.
    case passkey
  }

  package init(_ method: Method, id: String) {
    self.method = method
    self.id = id
  }

  init(_ factor: SecondFactor) { self.init(factor.method, id: factor.id) }

  var stored: String { "\(method.rawValue):\(id)" }

  init?(stored: String) {
    guard let colon = stored.firstIndex(of: ":"),
      let method = Method(rawValue: String(stored[..<colon]))
    else { return nil }
    self.init(method, id: String(stored[stored.index(after: colon)...]))
  }
}

/// A code that its user wrote down, and that stands once for a second factor.
package struct RecoveryCode: Hashable, Sendable {
  /// SHA-256 of the symbols. They have 60 random bits, so the digest can't be inverted by trying.
  package let digest: [UInt8]

  /// How many an account gets at once.
  package static let count = 10
  private static let symbolCount = 12
  private static let groupLength = 4
  /// Without letters and digits that are mistaken for others.
  private static let symbols = Array("23456789abcdefghijkmnpqrstuvwxyz".utf8)

  package init(digest: [UInt8]) { self.digest = digest }

  private init(symbols: [UInt8]) { digest = Array(SHA256.hash(data: symbols)) }

  /// The code that the user typed, in capital letters or small ones, with hyphens and spaces anywhere. Nil if
  /// it has another length.
  init?(typed text: String) {
    guard text.utf8.count <= 64 else { return nil }
    let symbols = text.asciiLowercased.utf8.filter { $0 != UInt8(ascii: "-") && $0 != 0x20 }
    guard symbols.count == Self.symbolCount else { return nil }
    self.init(symbols: symbols)
  }

  /// - Returns: The record, and the text for the user: `k7f2-m9qd-x4tw`.
  static func random() -> (code: RecoveryCode, text: Secret<String>) {
    var generator = SystemRandomNumberGenerator()
    let symbols = (0..<symbolCount).map { _ in
      Self.symbols[Int.random(in: 0..<Self.symbols.count, using: &generator)]
    }
    let groups = stride(from: 0, to: symbolCount, by: groupLength).map {
      String(decoding: symbols[$0..<($0 + groupLength)], as: UTF8.self)
    }
    return (RecoveryCode(symbols: symbols), Secret(groups.joined(separator: "-")))
  }
}

/// The form in which a store keeps them.
extension SecondFactors {
  private static let version = "1"

  var bytes: [UInt8] {
    var fields = FieldWriter()
    fields.write(Self.version)
    for factor in factors {
      fields.write(factor.id)
      fields.write(factor.name)
      fields.write(factor.enrolledAt)
      switch factor.kind {
      case .phone(let number):
        fields.write(PresentedFactor.Method.phone.rawValue)
        fields.write(number.text)
      case .totp(let totp):
        fields.write(PresentedFactor.Method.totp.rawValue)
        fields.write(totp.base64URL)
        fields.write(totp.lastStep.map { String($0) })
      }
    }
    fields.write(nil as String?)
    for code in recoveryCodes { fields.write(Base64URL.encode(code.digest)) }
    fields.write(nil as String?)
    return fields.bytes
  }

  /// - Throws: ``StoreError/damaged(_:)``.
  init(stored bytes: [UInt8]) throws {
    do {
      var fields = FieldReader(bytes)
      guard try fields.string() == Self.version else { throw FieldReader.Malformed() }
      while let id = try fields.string() { factors.append(try SecondFactor(id, &fields)) }
      while let digest = try fields.string() {
        guard let digest = Base64URL.decode(digest) else { throw FieldReader.Malformed() }
        recoveryCodes.append(RecoveryCode(digest: digest))
      }
    } catch is FieldReader.Malformed {
      throw StoreError.damaged("the second factors of an account can't be read")
    }
  }
}

extension SecondFactor {
  fileprivate init(_ id: String, _ fields: inout FieldReader) throws {
    let name = try fields.string()
    guard let enrolledAt = try fields.date(), let method = try fields.string() else {
      throw FieldReader.Malformed()
    }
    switch PresentedFactor.Method(rawValue: method) {
    case .phone?:
      guard let number = try fields.string() else { throw FieldReader.Malformed() }
      self.init(
        id: id, name: name, enrolledAt: enrolledAt, kind: .phone(PhoneNumber(stored: number)))
    case .totp?:
      guard var totp = try fields.string().flatMap({ TOTP(base64URL: $0) }) else {
        throw FieldReader.Malformed()
      }
      totp.lastStep = try fields.string().flatMap { Int64($0) }
      self.init(id: id, name: name, enrolledAt: enrolledAt, kind: .totp(totp))
    default: throw FieldReader.Malformed()
    }
  }
}
