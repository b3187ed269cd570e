import Foundation

open class Messaging: NSObject {
  open class func messaging() -> Messaging { Messaging() }
  open func token() async throws -> String { "" }
  open func deleteToken() async throws {}
}
