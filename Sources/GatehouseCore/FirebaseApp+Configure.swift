internal import Foundation
package import GatehouseClient

extension FirebaseApp {
  package static let defaultName = "__FIRAPP_DEFAULT"

  /// Configures the default app from `GoogleService-Info.plist`. Call it once, at launch.
  ///
  /// The file is the one that the environment variable `GATEHOUSE_CONFIG` names. Without the
  /// variable it is `Gatehouse-Info.plist`, or else `GoogleService-Info.plist` or `.json`, in the
  /// app's bundle, which on Linux is the folder of the executable. The working directory is not searched: otherwise anyone who can
  /// write to it could decide to which server passwords go.
  ///
  /// - Precondition: There is such a file, it has a `GOOGLE_APP_ID`, and there is no default app
  ///   yet. Otherwise, as in Firebase, the app stops, with the reason on standard error.
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
  /// - Precondition: No app has this name yet, the name has at least one character and only those
  ///   above, and `options` have a `googleAppID`.
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

  /// All configured apps, by name. Nil if there is none.
  public class var allApps: [String: FirebaseApp]? {
    let apps = AppRegistry.shared.all
    return apps.isEmpty ? nil : apps
  }

  /// Configures an app as the three `configure` functions do, but throws an error instead of
  /// stopping the process.
  ///
  /// - Throws: `ConfigurationFault` where those functions would stop the process.
  @discardableResult
  package static func add(
    name: String, values: OptionValues, services: AppServices = AppServices()
  ) throws(ConfigurationFault) -> FirebaseApp {
    guard !name.isEmpty, name.utf8.allSatisfy(isNameByte) else {
      throw ConfigurationFault(
        "The app's name must have at least one character, and only letters, digits, - and _.")
    }
    guard !values.googleAppID.isEmpty else {
      throw ConfigurationFault("The options have no googleAppID.")
    }
    return try AppRegistry.shared.add(
      FirebaseApp(name: name, values: values, services: services))
  }

  /// Configures an app for tests. An app that has the name is deleted. Any name is allowed.
  package static func replace(
    name: String, values: OptionValues, services: AppServices
  ) -> FirebaseApp {
    let app = FirebaseApp(name: name, values: values, services: services)
    AppRegistry.shared.put(app)?.delete { _ in }
    return app
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// Ends the process with the fault's message: the developer made a mistake.
  private static func stopping(
    _ body: () throws(ConfigurationFault) -> FirebaseApp
  ) {
    do throws(ConfigurationFault) {
      _ = try body()
    } catch {
      // In a release build, a precondition doesn't print its message.
      FileHandle.standardError.write(Data("FirebaseApp.configure: \(error.description)\n".utf8))
      precondition(false, error.description)
    }
  }
}
