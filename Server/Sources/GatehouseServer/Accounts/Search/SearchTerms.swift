import Foundation
import GatehouseProtocol

/// How texts are compared in a search: without marks and without regard to case, so that `nguyen` finds
/// `Nguyễn`.
enum SearchText {
  /// The words of a text, folded. Punctuation and spaces separate words; a symbol such as an emoji is
  /// part of one.
  static func words(_ text: String) -> [String] {
    var words: [String] = []
    var word = String.UnicodeScalarView()
    fold(text) { scalar in
      if isPartOfWord(scalar) {
        word.append(scalar)
      } else if !word.isEmpty {
        words.append(String(word))
        word.removeAll()
      }
    }
    if !word.isEmpty { words.append(String(word)) }
    return words
  }

  /// The text, folded, with its punctuation and spaces.
  static func folded(_ text: String) -> String {
    var folded = String.UnicodeScalarView()
    fold(text) { folded.append($0) }
    return String(folded)
  }

  /// Compatibility decomposition (Unicode's NFKD), without marks and in lower case.
  private static func fold(_ text: String, _ each: (Unicode.Scalar) -> Void) {
    let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    let decomposed = isASCII ? text : text.decomposedStringWithCompatibilityMapping
    for scalar in decomposed.unicodeScalars {
      if scalar.isASCII {
        each(Unicode.Scalar(UInt8(ascii: scalar).asciiLowercased))
        continue
      }
      for lower in scalar.properties.lowercaseMapping.unicodeScalars where !isMark(lower) {
        if let letters = undecomposed[lower] {
          for letter in letters.unicodeScalars { each(letter) }
        } else {
          each(lower)
        }
      }
    }
  }

  /// Vowel signs, which have the combining class 0, are letters of their words: without them most
  /// words of Hindi or Thai would be the same.
  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.canonicalCombiningClass != .notReordered
      || scalar.properties.isDefaultIgnorableCodePoint
  }

  private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .nonspacingMark, .spacingMark, .enclosingMark:
      true
    case .otherSymbol, .modifierSymbol: !scalar.isASCII
    default: false
    }
  }

  /// Letters that Unicode doesn't decompose, and how people write them without the mark.
  private static let undecomposed: [Unicode.Scalar: String] = [
    "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "þ": "th", "ħ": "h",
    "ı": "i", "ŧ": "t", "ŋ": "n", "ς": "σ",
  ]
}

/// The fields by which a search finds an account, except its id and its subjects at providers.
struct SearchedFields: Hashable {
  var email: EmailAddress?
  /// Addresses that providers reported and that aren't the account's own.
  var otherEmails: [EmailAddress]
  var displayName: String?
  var phoneNumber: String?

  init(_ account: Account) {
    email = account.email
    otherEmails = account.identities.compactMap(\.email).filter { $0 != account.email }
    displayName = account.displayName
    phoneNumber = account.phoneNumber
  }

  /// The greatest number of terms of an account: a display name of 256 units may have 128 words.
  static let maximumTerms = 32
  /// A longer word is found by its beginning. Bytes.
  static let maximumWordBytes = 64
  /// The greatest number of domains of an address: it and those above it.
  private static let maximumDomains = 4

  /// What `account_terms` stores about the account, sorted: a search finds the beginnings of these.
  ///
  /// - `#` and the phone number's digits in reverse
  /// - each of ``otherEmails``
  /// - `@` and a domain: that of an address, and those above it, but no top-level domain
  /// - a word of the display name or of the part of an address before the `@`
  ///
  /// A word with which an address begins is omitted: a search finds it by the address.
  var terms: [String] {
    var terms: Set<String> = []
    let add = { (term: String) in
      if terms.count < Self.maximumTerms { terms.insert(term) }
    }
    if let phoneNumber { add(Self.end(ofDigits: phoneNumber)) }
    let others = otherEmails.map(\.text)
    others.forEach(add)
    let addresses = [email?.text].compactMap(\.self) + others
    for domain in ([email].compactMap(\.self) + otherEmails).map(\.domain) {
      Self.domains(domain).forEach { add("@" + $0) }
    }
    let words =
      addresses.flatMap { SearchText.words(String($0.prefix { $0 != "@" })) }
      + SearchText.words(displayName ?? "")
    for word in words.map(Self.clipped)
    where !addresses.contains(where: { $0.utf8.starts(with: word.utf8) }) {
      add(word)
    }
    return terms.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The term by which a number is found, or a range of terms for the last digits of one.
  static func end(ofDigits number: String) -> String {
    "#"
      + String(
        decoding: number.utf8.filter { (0x30...0x39).contains($0) }.reversed(), as: UTF8.self)
  }

  /// A word as it is stored.
  static func clipped(_ word: String) -> String {
    guard word.utf8.count > maximumWordBytes else { return word }
    var clipped = String.UnicodeScalarView()
    var bytes = 0
    for scalar in word.unicodeScalars {
      bytes += UTF8.width(scalar)
      if bytes > maximumWordBytes { break }
      clipped.append(scalar)
    }
    return String(clipped)
  }

  /// `mail.example.com` and `example.com`; a domain of one label alone.
  private static func domains(_ domain: String) -> [String] {
    let labels = domain.split(separator: ".", omittingEmptySubsequences: false)
    let count = max(1, min(labels.count - 1, maximumDomains))
    return (0..<count).map { labels.dropFirst($0).joined(separator: ".") }
  }
}
