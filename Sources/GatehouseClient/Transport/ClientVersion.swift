/// The client version that is sent to the server.
enum ClientVersion {
  static let text = "Gatehouse/Swift/0.1.0"
}
