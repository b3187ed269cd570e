/// How the client names itself to the server.
enum ClientVersion {
  static let text = "Gatehouse/Swift/0.1.0"
}
