import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// One call of `posix_spawn`, with files for the three standard streams.
package struct Spawn {
  package let executable: String
  package let arguments: [String]
  /// `NAME=value`.
  package let environment: [String]
  package let folder: String
  package let input: String
  package let output: String
  package let errors: String

  package init(
    executable: String, arguments: [String], environment: [String], folder: String,
    input: String, output: String, errors: String
  ) {
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
    self.folder = folder
    self.input = input
    self.output = output
    self.errors = errors
  }

  /// - Returns: The process id.
  /// - Throws: A `POSIXError`, if the program can't be started.
  package func start() throws -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_APPEND, 0)
    posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_APPEND, 0)

    // Otherwise the program would inherit other tests' sockets, such as a probe for a free port,
    // and keep the port in use. Closing a descriptor that isn't open is no error.
    for descriptor in 3..<Self.descriptorLimit {
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }

    // The test's thread may block signals; the program must not inherit that.
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))

    var id: pid_t = 0
    // `env` changes the folder and then becomes the program: the process id stays the same.
    let command = ["env", "-C", folder, executable] + arguments
    let code = Self.withCStrings(command) { arguments in
      Self.withCStrings(environment) { environment in
        posix_spawn(&id, "/usr/bin/env", &actions, &attributes, arguments, environment)
      }
    }
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EINVAL) }
    return id
  }

  /// Above the highest descriptor of this process.
  private static var descriptorLimit: Int32 {
    let limit = sysconf(Int32(_SC_OPEN_MAX))
    return Int32(clamping: min(max(limit, 256), 8192))
  }

  /// Calls `body` with a null-terminated array of C strings that is valid only during the call.
  private static func withCStrings<Result>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let pointers = texts.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers + [nil])
  }
}
