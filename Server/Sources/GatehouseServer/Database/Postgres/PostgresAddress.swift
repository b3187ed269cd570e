import CPostgres
import Foundation
import GatehouseProtocol

/// The address of a PostgreSQL database, and how to connect to it: `postgres://…` with libpq's
/// parameters (PostgreSQL's manual, §34.1). Some defaults differ from libpq's.
package struct PostgresAddress: Sendable {
  /// The greatest number of a store's connections. Each needs a thread here and a process of
  /// PostgreSQL.
  package var connections = 16
  /// How long one attempt of an operation may take once it has a connection, all statements
  /// together, in seconds. Nil for a command: there is no limit.
  package var statementSeconds: Int? = 5
  /// How long an operation waits for a connection, and once more for another one if it loses its
  /// connection, in seconds.
  package var waitSeconds = 5

  private let url: Secret<String>
  /// Without the password.
  private let parameters: [String: String]
  /// Whether the URL itself contains a password. Other users of the machine can see it in a
  /// command's arguments.
  package let hasPassword: Bool

  /// - Throws: ``PostgresAddressFault`` if libpq can't read it.
  package init(_ url: String) throws(PostgresAddressFault) {
    guard url.hasPrefix("postgres://") || url.hasPrefix("postgresql://") else {
      throw PostgresAddressFault("it doesn't begin with postgres://")
    }
    if Self.hasOpenPassword(url) {
      throw PostgresAddressFault(
        "it has an @ behind the password or in it. Write @ in a user, a password or a name as %40, and / "
          + "in a user or a password as %2F")
    }
    self.url = Secret(url)
    var parameters = try Self.parse(url)
    hasPassword = parameters.removeValue(forKey: "password")?.isEmpty == false
    self.parameters = parameters
  }

  /// The time until which an operation that begins now must have a connection. For a query of a few
  /// rows it is also the time until which the result must arrive.
  var deadline: ContinuousClock.Instant { .now + .seconds(waitSeconds) }

  /// The time until which an operation that gets a connection now must have ended. Nil: no limit.
  var end: ContinuousClock.Instant? { statementSeconds.map { .now + .seconds($0) } }

  /// The database's name (or the user's, if there is none) and the hosts.
  package var name: String {
    let environment = ProcessInfo.processInfo.environment
    let database = parameters["dbname"] ?? parameters["user"] ?? "the default database"
    let service = service(environment).map { "the service \($0)" }
    let host =
      parameters["host"] ?? parameters["hostaddr"] ?? service ?? environment["PGHOST"]
      ?? environment["PGHOSTADDR"]
    return "\(database) at \(host ?? "this machine")"
  }

  /// Whether others in the network can read the connection, or pretend to be the server.
  package var isExposed: Bool { isExposed(environment: ProcessInfo.processInfo.environment) }

  /// Only `verify-full` compares the server's name. `require` accepts any certificate, and
  /// `verify-ca` a certificate for any name by the authority.
  func isExposed(environment: [String: String]) -> Bool {
    let mode = parameters["sslmode"] ?? environment["PGSSLMODE"] ?? "verify-full"
    return isElsewhere(environment) && mode != "verify-full"
  }

  private func service(_ environment: [String: String]) -> String? {
    parameters["service"] ?? environment["PGSERVICE"]
  }

  /// Whether a name or an address other than this machine's is among the hosts. A name that begins
  /// with a slash is a socket's folder.
  ///
  /// If `hostaddr` is given, libpq connects to it, and `host` is only the name that the certificate
  /// must contain. Both count, because a tunnel may lead from an address of this machine elsewhere.
  private func isElsewhere(_ environment: [String: String]) -> Bool {
    // The file of a service names hosts, too. Hosts in the URL replace them.
    let isService = service(environment) != nil
    let addresses = parameters["hostaddr"] ?? (isService ? nil : environment["PGHOSTADDR"])
    let names = parameters["host"] ?? (isService ? nil : environment["PGHOST"])
    if isService, addresses == nil, names == nil { return true }
    return [addresses, names].compactMap(\.self).flatMap { $0.split(separator: ",") }
      .contains { !$0.hasPrefix("/") && !LoopbackName.isLoopback($0) }
  }

  /// The parameters for libpq, in this order. If a name occurs twice, the last value is used.
  func connectionParameters(environment: [String: String]) -> [(String, String)] {
    var list = [
      ("application_name", "gatehouse"),
      // In seconds, for each host.
      ("connect_timeout", "2"),
      // These detect within about four seconds that a host is unreachable. The last one is in
      // milliseconds.
      ("keepalives_idle", "2"), ("keepalives_interval", "1"), ("keepalives_count", "2"),
      ("tcp_user_timeout", "4000"),
      // If there are several hosts, libpq uses the primary.
      ("target_session_attrs", "read-write"),
    ]
    if isElsewhere(environment), environment["PGSSLMODE"] == nil {
      // libpq's own default accepts any certificate, and even a connection without TLS.
      list.append(("sslmode", "verify-full"))
      if environment["PGSSLROOTCERT"] == nil, let authorities = Self.authorities(environment) {
        list.append(("sslrootcert", authorities))
      }
    }
    list.append(("dbname", url.reveal()))
    return list
  }

  /// libpq's own file if it exists, otherwise the machine's certificate authorities.
  private static func authorities(_ environment: [String: String]) -> String? {
    let own = environment["HOME"].map { $0 + "/.postgresql/root.crt" }
    let files = [
      own, "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
      "/etc/ssl/cert.pem",
    ]
    return files.compactMap(\.self).first { FileManager.default.fileExists(atPath: $0) }
  }

  /// Whether libpq takes the end of a password for a host or a database, whose names messages
  /// contain: it ends the password at the first `@`, and finds no password if a `/` comes before it.
  private static func hasOpenPassword(_ url: String) -> Bool {
    let (at, slash) = (UInt8(ascii: "@"), UInt8(ascii: "/"))
    let rest = url.utf8.drop { $0 != slash }.dropFirst(2)
    let authority = rest.prefix { $0 != slash }
    let path = rest.dropFirst(authority.count).prefix { $0 != UInt8(ascii: "?") }
    return authority.count { $0 == at } > 1 || path.contains(at)
  }

  private static func parse(_ url: String) throws(PostgresAddressFault) -> [String: String] {
    guard let options = unsafe PQconninfoParse(url, nil) else {
      // libpq's message would contain the URL with the password.
      throw PostgresAddressFault(
        "it isn't postgres://user@host:5432/database, with libpq's parameters after a ?")
    }
    defer { unsafe PQconninfoFree(options) }
    var parameters: [String: String] = [:]
    var option = unsafe options
    while let keyword = unsafe option.pointee.keyword {
      if let value = unsafe option.pointee.val {
        unsafe parameters[String(cString: keyword)] = String(cString: value)
      }
      unsafe option += 1
    }
    return parameters
  }
}

package struct PostgresAddressFault: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
