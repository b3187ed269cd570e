import Foundation
import GatehouseProtocol

extension BlockingFunctionsConfig {
  /// Applies the settings that the mask names; without a mask, all of them. As in the emulator,
  /// `triggers` as a whole replaces all triggers.
  ///
  /// - Returns: The secrets that were created, which are shown once.
  /// - Throws: ``APIError`` with `INVALID_BLOCKING_FUNCTION` or `INVALID_CONFIG`.
  func apply(
    to functions: inout BlockingFunctions, under mask: FieldMask, _ configuration: APIConfiguration,
    now: Date
  ) throws(APIError) -> [BlockingFunction.Trigger: WebhookSecret] {
    let path = "blockingFunctions"
    for name in (triggers ?? [:]).keys where BlockingFunction.Trigger(rawValue: name) == nil {
      throw .invalidConfiguration(.invalidBlockingFunction, "((Event type is invalid.))")
    }
    var created: [BlockingFunction.Trigger: WebhookSecret] = [:]
    for trigger in BlockingFunction.Trigger.allCases {
      let place = "\(path).triggers.\(trigger.rawValue)"
      let given = triggers?[trigger.rawValue]
      let url = given?.functionURI.flatMap { $0.isEmpty ? nil : $0 }
      let replacesAll = mask.replaces("\(path).triggers")
      let namesURL =
        replacesAll || mask.covers("\(place).functionUri", presentInBody: given != nil)
      let namesPolicy =
        mask.covers("\(place).onFailure", presentInBody: given?.onFailure != nil)
        && given?.onFailure != nil
      guard namesURL || namesPolicy else { continue }
      let policy = try namesPolicy ? Self.policy(given?.onFailure) : nil
      guard let target = namesURL ? url : functions[trigger]?.url else {
        if namesURL { functions[trigger] = nil }
        continue
      }
      let known = functions[trigger]
      let address = try Self.address(target, known: known?.url, configuration)
      created[trigger] = functions.set(trigger, url: address, onFailure: policy, now: now)
    }
    func set(_ name: String, _ value: Bool?, _ option: ForwardedCredentials) {
      let place = "\(path).forwardInboundCredentials.\(name)"
      guard mask.replaces(place) else { return }
      if value == true {
        functions.forwarded.insert(option)
      } else {
        functions.forwarded.remove(option)
      }
    }
    set("idToken", forwardsIDToken, .idToken)
    set("accessToken", forwardsAccessToken, .accessToken)
    set("refreshToken", forwardsRefreshToken, .refreshToken)
    return created
  }

  private static func policy(_ text: String?) throws(APIError) -> BlockingFunction.FailurePolicy? {
    guard let text else { return nil }
    guard let policy = BlockingFunction.FailurePolicy(rawValue: text) else {
      throw .invalidConfiguration(.invalidConfig, "onFailure is refuse or allow.")
    }
    return policy
  }

  /// - Parameter known: The present address. It stays allowed: the operator may have set an address
  ///   on this machine.
  private static func address(
    _ text: String, known: String?, _ configuration: APIConfiguration
  ) throws(APIError) -> String {
    if let known, known.hasSameBytes(as: text) { return known }
    guard OutboundURL(text) != nil else {
      throw .invalidConfiguration(
        .invalidBlockingFunction, "((Expected an absolute URI with valid scheme and host.))")
    }
    return try WebhookAddress.checked(text, field: "functionUri", configuration)
  }
}
