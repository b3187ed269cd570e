import Foundation
import GatehouseProtocol

/// `blockingFunctions` of a project's settings. In a request, an absent field changes nothing, unless
/// `updateMask` names it: then the function is removed, or the token is no longer forwarded. If the
/// mask names `triggers`, or there is no mask, `triggers` replaces all functions.
struct BlockingFunctionsConfig: Hashable, Sendable {
  /// By the trigger's name, which may be an unknown one.
  var triggers: [String: Trigger]?
  var forwardsIDToken: Bool?
  var forwardsAccessToken: Bool?
  var forwardsRefreshToken: Bool?

  struct Trigger: Hashable, Sendable {
    var functionURI: String?
    /// An extension: `refuse` or `allow`.
    var onFailure: String?
    /// RFC 3339. Not read.
    var updateTime: String?
    /// An extension: only in the response that created it.
    var secret: String?
  }

  init() {}

  init(_ fields: WireFields) throws(WireError) {
    if let message = try fields.message("triggers") {
      var triggers: [String: Trigger] = [:]
      for member in message.object.members {
        guard case .object(let object) = member.value else {
          throw WireError(field: "blockingFunctions.triggers", wanted: .message)
        }
        let trigger = WireFields(object)
        triggers[member.name] = Trigger(
          functionURI: try trigger.string("functionUri"),
          onFailure: try trigger.nonEmptyString("onFailure"))
      }
      self.triggers = triggers
    }
    let forwarded = try fields.message("forwardInboundCredentials")
    forwardsIDToken = try forwarded?.bool("idToken")
    forwardsAccessToken = try forwarded?.bool("accessToken")
    forwardsRefreshToken = try forwarded?.bool("refreshToken")
  }

  init(_ functions: BlockingFunctions) {
    var triggers: [String: Trigger] = [:]
    for trigger in BlockingFunction.Trigger.allCases {
      guard let function = functions[trigger] else { continue }
      triggers[trigger.rawValue] = Trigger(
        functionURI: function.url, onFailure: function.onFailure.rawValue,
        updateTime: function.updatedAt.formatted(.iso8601))
    }
    self.triggers = triggers
    forwardsIDToken = functions.forwarded.contains(.idToken)
    forwardsAccessToken = functions.forwarded.contains(.accessToken)
    forwardsRefreshToken = functions.forwarded.contains(.refreshToken)
  }

  /// As in the emulator, only what is configured.
  func writeMembers(to writer: inout JSONWriter) {
    if let triggers, !triggers.isEmpty {
      writer.object("triggers") { list in
        for (name, trigger) in triggers.sorted(by: { $0.key < $1.key }) {
          list.object(name) {
            $0.member("functionUri", ifPresent: trigger.functionURI)
            $0.member("updateTime", ifPresent: trigger.updateTime)
            $0.member("onFailure", ifPresent: trigger.onFailure)
            $0.member("secret", ifPresent: trigger.secret)
          }
        }
      }
    }
    let forwarded = [
      ("idToken", forwardsIDToken), ("accessToken", forwardsAccessToken),
      ("refreshToken", forwardsRefreshToken),
    ].filter { $0.1 == true }
    guard !forwarded.isEmpty else { return }
    writer.object("forwardInboundCredentials") { list in
      for (name, _) in forwarded { list.member(name, true) }
    }
  }
}
