#if os(Linux) || os(macOS)
  public import Foundation

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #else
    import Darwin
  #endif

  /// Opens a URL in the user's browser.
  public struct BrowserOpener: Sendable {
    /// Returns once the browser was asked to open the URL, not when it shows the page.
    public let open: @Sendable (URL) async throws(DeviceFault) -> Void

    public init(_ open: @escaping @Sendable (URL) async throws(DeviceFault) -> Void) {
      self.open = open
    }

    /// Opens the desktop's browser with `xdg-open` (`open` on macOS). If there is no desktop or no
    /// such program, writes the URL to standard error, as ``printing`` does.
    public static let system = BrowserOpener { url throws(DeviceFault) in
      if !launch(url, environment: ProcessInfo.processInfo.environment) {
        try await printing.open(url)
      }
    }

    /// Asks the user on standard error to open the URL.
    public static let printing = BrowserOpener { url throws(DeviceFault) in
      let text = "Open this address in a browser on this machine:\n\n  \(url.absoluteString)\n\n"
      do {
        try FileHandle.standardError.write(contentsOf: Data(text.utf8))
      } catch {
        throw .unavailable(detail: "The address can't be written to standard error")
      }
    }

    /// - Returns: Whether a program was started.
    package static func launch(_ url: URL, environment: [String: String]) -> Bool {
      #if os(macOS)
        let program = "/usr/bin/open"
      #else
        guard
          ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: { environment[$0]?.isEmpty == false }),
          let program = path(of: "xdg-open", in: environment["PATH"] ?? "")
        else { return false }
      #endif
      // The program may run until the browser ends. The shell starts it in the background and
      // exits, so that there is no child process to wait for.
      return spawn(
        "/bin/sh",
        [
          "sh", "-c", "\"$1\" \"$2\" >/dev/null 2>&1 </dev/null &", "sh", program,
          url.absoluteString,
        ],
        environment: environment)
    }

    private static func path(of program: String, in folders: String) -> String? {
      folders.split(separator: ":").lazy.map { "\($0)/\(program)" }
        .first { $0.hasPrefix("/") && FileManager.default.isExecutableFile(atPath: $0) }
    }

    private static func spawn(
      _ program: String, _ arguments: [String], environment: [String: String]
    ) -> Bool {
      var id: pid_t = 0
      let variables = environment.map { "\($0.key)=\($0.value)" }
      let started = unsafe withCStrings(arguments) { arguments in
        unsafe withCStrings(variables) { variables in
          unsafe posix_spawn(&id, program, nil, nil, arguments, variables)
        }
      }
      guard started == 0 else { return false }
      var status: Int32 = 0
      while unsafe waitpid(id, &status, 0) < 0, errno == EINTR {}
      return status == 0
    }

    /// A null-terminated array of C strings, valid while `body` runs.
    private static func withCStrings<Result>(
      _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
      let pointers = unsafe texts.map { unsafe strdup($0) }
      defer { unsafe pointers.forEach { unsafe free($0) } }
      return unsafe body(pointers + [nil])
    }
  }
#endif
