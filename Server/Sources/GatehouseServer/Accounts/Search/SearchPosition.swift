import Crypto
import Foundation
import GatehouseProtocol
import GatehouseTokens

/// A page token that isn't one of this search: of another query, filter or project, or damaged.
package struct SearchTokenError: Error, Hashable, APIErrorConvertible {
  var apiError: APIError { .refused(.invalidPageSelection) }
}

/// How far a search has examined the accounts.
struct SearchPosition: Codable {
  /// By which word of the query accounts are found.
  struct Choice: Codable, Hashable {
    var part = 0
    var word = 0
  }

  let choice: Choice
  /// Counts the ranges before those of subjects, whose number changes.
  private let range: Int
  private let provider: String?
  private let text: String?
  private let number: Int64?
  private let key: Int64?

  init(
    _ choice: Choice, _ ranges: [SearchRange], _ index: Int,
    _ place: (value: SQLValue, key: Int64)?
  ) {
    self.choice = choice
    provider = ranges[index].provider
    range = provider == nil ? index : 0
    key = place?.key
    switch place?.value {
    case .text(let text): (self.text, number) = (text, nil)
    case .integer(let number): (text, self.number) = (nil, number)
    default: (text, number) = (nil, nil)
    }
  }

  /// The range and the place in it, in the ranges of the same search. If the provider has no identities
  /// any more: the start of the next one.
  ///
  /// - Throws: ``SearchTokenError``.
  func place(
    in ranges: [SearchRange]
  ) throws -> (range: Int, place: (value: SQLValue, key: Int64)?) {
    let value = text.map { SQLValue.text($0) } ?? number.map { .integer($0) }
    let place = value.flatMap { value in key.map { (value: value, key: $0) } }
    guard let provider else {
      guard ranges.indices.contains(range) else { throw SearchTokenError() }
      return (range, place)
    }
    let index = ranges.firstIndex { range in
      range.provider.map { !$0.utf8.lexicographicallyPrecedes(provider.utf8) } ?? false
    }
    guard let index else { return (ranges.count, nil) }
    return (index, ranges[index].provider?.hasSameBytes(as: provider) ?? false ? place : nil)
  }

  // MARK: The token

  /// What a token belongs to.
  struct Binding {
    fileprivate let bytes: Data

    init(_ search: AccountSearch, in project: ProjectID) {
      let values = [project.text, search.query?.text] + search.filter.values
      bytes = (try? SearchPosition.encoder.encode(values)) ?? Data()
    }

    fileprivate func digest(of content: Data) -> Data {
      Data(
        SHA256.hash(data: Data(SHA256.hash(data: bytes)) + content).prefix(
          SearchPosition.digestBytes))
    }
  }

  fileprivate static let digestBytes = 12
  /// No token is longer: the texts in it have at most 256 bytes, of which JSON may escape each.
  private static let maximumTokenBytes = 4096

  fileprivate static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return encoder
  }

  /// The digest isn't a signature: an administrator who makes a token sees nothing that a search
  /// wouldn't show. It recognizes a token that was changed or that is of another search.
  func token(of binding: Binding) -> String {
    let content = (try? Self.encoder.encode(self)) ?? Data()
    return Base64URL.encode(Array(binding.digest(of: content) + content))
  }

  /// - Throws: ``SearchTokenError``.
  init(_ token: String, of binding: Binding) throws {
    guard token.utf8.count <= Self.maximumTokenBytes, let bytes = Base64URL.decode(token),
      bytes.count > Self.digestBytes
    else { throw SearchTokenError() }
    let content = Data(bytes.dropFirst(Self.digestBytes))
    guard Data(bytes.prefix(Self.digestBytes)) == binding.digest(of: content),
      let position = try? JSONDecoder().decode(Self.self, from: content)
    else { throw SearchTokenError() }
    self = position
  }
}
