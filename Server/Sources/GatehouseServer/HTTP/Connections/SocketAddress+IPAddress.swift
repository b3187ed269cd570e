package import GatehouseProtocol
package import NIOCore

extension SocketAddress {
  /// Nil if it isn't an IP address.
  package var address: IPAddress? { ipAddress.flatMap { IPAddress($0) } }
}
