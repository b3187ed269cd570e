public import Foundation
package import GatehouseClient

/// Somebody who is signed in.
@preconcurrency
open class User: NSObject, @unchecked Sendable {  // `local` locks all that changes.
  /// The session this is a facade of.
  package let person: SignedInUser

  package init(person: SignedInUser) { self.person = person }
}
