internal import Foundation
package import GatehouseClient

extension FirebaseApp {
  package static let defaultName = "__FIRAPP_DEFAULT"

  /// Configures the default app from `GoogleService-Info.plist`. Once, at launch.
  ///
  /// The file is the one that the environment variable `GATEHOUSE_CONFIG` names; else
  /// `GoogleService-Info.plist` or `.json` in the app's bundle, which on Linux is the folder of the
  /// executable. The working directory is not searched: whoever filled it would decide to which
  /// server passwords go.
  ///
  /// - Precondition: There is such a file, and no default app yet. As in Firebase, the app stops
  ///   otherwise, and says why on standard error.
  public class func configure() {
    stopping { () throws(ConfigurationFault) in
      try add(name: defaultName, values: OptionsFile.system.read())
    }
  }

  /// Configures the default app.
  ///
  /// - Precondition: There is no default app yet, and `options` have a `googleAppID`.
  public class func configure(options: FirebaseOptions) {
    let values = options.values
    stopping { () throws(ConfigurationFault) in try add(name: defaultName, values: values) }
  }

  /// Configures another app.
  ///
  /// - Parameter name: Letters, digits, `-` and `_`.
  /// - Precondition: No app has this name yet, the name has one character at least and no others,
  ///   and `options` have a `googleAppID`.
  public class func configure(name: String, options: FirebaseOptions) {
    let values = options.values
    stopping { () throws(ConfigurationFault) in try add(name: name, values: values) }
  }

  /// The default app.
  ///
  /// - Returns: nil before ``configure()``.
  public class func app() -> FirebaseApp? { AppRegistry.shared[defaultName] }

  /// - Returns: nil if no app of this name is configured.
  public class func app(name: String) -> FirebaseApp? { AppRegistry.shared[name] }

  /// All that are configured, by name. Nil if none is.
  public class var allApps: [String: FirebaseApp]? {
    let apps = AppRegistry.shared.all
    return apps.isEmpty ? nil : apps
  }

  /// What the three `configure` do, without stopping the app.
  ///
  /// - Throws: `ConfigurationFault` where they stop it.
  @discardableResult
  package static func add(
    name: String, values: OptionValues, services: AppServices = AppServices()
  ) throws(ConfigurationFault) -> FirebaseApp {
    guard !name.isEmpty, name.utf8.allSatisfy(isNameByte) else {
      throw ConfigurationFault(
        "The app's name may have letters, digits, - and _ only, and has to have one at least.")
    }
    guard !values.googleAppID.isEmpty else {
      throw ConfigurationFault("The options have no googleAppID.")
    }
    return try AppRegistry.shared.add(
      FirebaseApp(name: name, values: values, services: services))
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// Ends the process with the fault's words: a mistake of the programmer, at launch.
  private static func stopping(
    _ body: () throws(ConfigurationFault) -> FirebaseApp
  ) {
    do throws(ConfigurationFault) {
      _ = try body()
    } catch {
      // A release build's precondition doesn't say its message.
      FileHandle.standardError.write(Data("FirebaseApp.configure: \(error.description)\n".utf8))
      precondition(false, error.description)
    }
  }
}
