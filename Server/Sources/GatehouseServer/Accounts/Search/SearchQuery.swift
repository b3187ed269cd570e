import GatehouseProtocol

/// The text of a search: every part of it, separated by spaces, has to be found in an account.
///
/// A part is found in an account if it is the beginning of the id, of an address, of the phone number, or
/// of an identity's subject; the end of the phone number; the beginning of an address's domain or of a
/// domain above that; or if each of its words is the beginning of a word of the display name or of an
/// address's local part. Subjects are compared only with a query of one part.
package struct SearchQuery: Sendable {
  package static let maximumBytes = 256
  package static let maximumWords = 16

  let text: String
  let parts: [Part]

  package enum Fault: Error, Hashable, Sendable {
    case tooLong, tooManyWords
  }

  /// Nil if the text has nothing but spaces and control characters, which separate parts.
  package init?(_ text: String) throws(Fault) {
    guard text.utf8.count <= Self.maximumBytes else { throw .tooLong }
    self.text = text
    let pieces = text.unicodeScalars.split {
      $0.properties.isWhitespace || $0.properties.generalCategory == .control
    }.map { String($0) }
    let isNumber = Number(pieces.joined(separator: " ")) != nil
    parts = (isNumber ? [pieces.joined(separator: " ")] : pieces).map { Part($0) }
    guard !parts.isEmpty else { return nil }
    guard parts.reduce(0, { $0 + max(1, $1.words.count) }) <= Self.maximumWords else {
      throw .tooManyWords
    }
  }

  struct Part: Sendable {
    /// As it was written: ids and subjects aren't folded.
    let text: String
    let addresses: [String]
    /// The beginning of a domain, with its `@`.
    let domain: String?
    /// Folded. With text on both sides of an `@`: those before it.
    let words: [String]
    /// Whether ``domain`` is required together with ``words``.
    let isAddress: Bool
    let number: Number?

    init(_ text: String) {
      self.text = text
      let folded = SearchText.folded(text)
      let address = EmailAddress(text)?.text
      addresses =
        (folded.isEmpty ? [] : [folded])
        + [address].compactMap(\.self).filter { !$0.hasSameBytes(as: folded) }
      let sides = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
      words = SearchText.words(String(sides[0])).map(SearchedFields.clipped)
      let right = SearchText.folded(String(sides[sides.count - 1]))
      domain = right.isEmpty || right.utf8.contains(UInt8(ascii: " ")) ? nil : "@" + right
      isAddress = sides.count > 1
      number = Number(text)
    }

    /// - Parameter comparesSubjects: Whether the candidate's identities were read.
    func matches(_ candidate: SearchCandidate, comparesSubjects: Bool) -> Bool {
      if candidate.uid.begins(with: text) { return true }
      if addresses.contains(where: { candidate.hasAddress(beginningWith: $0) }) { return true }
      if let number, number.matches(candidate) { return true }
      if hasWords(in: candidate) { return true }
      if !isAddress || words.isEmpty, let domain, candidate.hasTerm(beginningWith: domain) {
        return true
      }
      return comparesSubjects
        && candidate.identities.contains { $0.subject.begins(with: text) }
    }

    private func hasWords(in candidate: SearchCandidate) -> Bool {
      guard !words.isEmpty else { return false }
      if isAddress {
        guard let domain, candidate.hasTerm(beginningWith: domain) else { return false }
      }
      return words.allSatisfy { candidate.hasAddress(beginningWith: $0) }
    }
  }

  /// A text that may be a part of a phone number.
  struct Number: Sendable {
    /// With its `+`.
    let beginning: String
    /// The term's beginning; nil for an international number, which has no other beginning.
    let end: String?

    /// Nil unless the text has at least three digits, and else only what people write in numbers.
    init?(_ text: String) {
      let digits = text.utf8.filter { (0x30...0x39).contains($0) }
      guard digits.count >= 3, text.utf8.count <= 64,
        text.utf8.allSatisfy({ (0x30...0x39).contains($0) || " +-().".utf8.contains($0) })
      else { return nil }
      let isInternational =
        text.utf8.first == UInt8(ascii: "+") || digits.starts(with: [0x30, 0x30])
      let withoutZeros = String(decoding: digits.drop { $0 == 0x30 }, as: UTF8.self)
      guard !withoutZeros.isEmpty else { return nil }
      beginning = PhoneNumber(text)?.text ?? "+" + withoutZeros
      end = isInternational ? nil : SearchedFields.end(ofDigits: withoutZeros)
    }

    func matches(_ candidate: SearchCandidate) -> Bool {
      candidate.phoneNumber?.begins(with: beginning) ?? false
        || (end.map { candidate.hasTerm(beginningWith: $0) } ?? false)
    }
  }
}

extension String {
  /// Byte by byte.
  func begins(with beginning: String) -> Bool { utf8.starts(with: beginning.utf8) }
}
