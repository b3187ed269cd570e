import Foundation
import GatehouseProtocol

/// The stored form of a project's blocking functions.
struct StoredBlockingFunctions: Codable {
  var functions: [String: Function]
  var forwarded: Int

  struct Function: Codable {
    var url: String
    var onFailure: String
    var secrets: [String]
    /// Milliseconds since 1970.
    var updatedAt: Int64
  }

  init(_ functions: BlockingFunctions) {
    self.functions = [:]
    for trigger in BlockingFunction.Trigger.allCases {
      guard let function = functions[trigger] else { continue }
      self.functions[trigger.rawValue] = Function(
        url: function.url, onFailure: function.onFailure.rawValue,
        secrets: function.secrets.map { $0.text.reveal() },
        updatedAt: Int64((function.updatedAt.timeIntervalSince1970 * 1000).rounded()))
    }
    forwarded = functions.forwarded.rawValue
  }

  /// - Throws: `StoreError.damaged` if a function can't be read. If it were left out instead, users
  ///   whom it refuses could sign in.
  func value() throws -> BlockingFunctions {
    var value = BlockingFunctions()
    for (name, function) in functions {
      let secrets = function.secrets.compactMap { WebhookSecret(Secret($0)) }
      guard let trigger = BlockingFunction.Trigger(rawValue: name),
        let policy = BlockingFunction.FailurePolicy(rawValue: function.onFailure),
        secrets.count == function.secrets.count
      else { throw StoreError.damaged("a stored blocking function can't be read") }
      value[trigger] = BlockingFunction(
        url: function.url, onFailure: policy, secrets: secrets,
        updatedAt: Date(timeIntervalSince1970: Double(function.updatedAt) / 1000))
    }
    value.forwarded = ForwardedCredentials(rawValue: forwarded)
    return value
  }
}
