import GatehouseCore
import Foundation

enum CoreAPI {
  static func app(_ app: FirebaseApp) async {
    let _: () -> Void = FirebaseApp.configure
    let _: (FirebaseOptions) -> Void = FirebaseApp.configure(options:)
    let _: (String, FirebaseOptions) -> Void = FirebaseApp.configure(name:options:)
    let _: () -> FirebaseApp? = FirebaseApp.app
    let _: (String) -> FirebaseApp? = FirebaseApp.app(name:)
    let _: [String: FirebaseApp]? = FirebaseApp.allApps
    let _: String = app.name
    let _: FirebaseOptions = app.options
    let _: Bool = app.isDataCollectionDefaultEnabled
    app.isDataCollectionDefaultEnabled = true
    app.delete { (_: Bool) in }
    let _: Bool = await app.delete()
  }

  static func configuration() {
    let shared: FirebaseConfiguration = .shared
    let _: (FirebaseLoggerLevel) -> Void = shared.setLoggerLevel(_:)
    let _: () -> FirebaseLoggerLevel = shared.loggerLevel
    let _: [FirebaseLoggerLevel] = [.error, .warning, .notice, .info, .debug, .min, .max]
    let _: () -> String = FirebaseVersion
  }

  static func options() {
    let _: () -> FirebaseOptions? = FirebaseOptions.defaultOptions
    let _: (String) -> FirebaseOptions? = FirebaseOptions.init(contentsOfFile:)
    let options = FirebaseOptions(googleAppID: "", gcmSenderID: "")
    let _: any NSCopying = options
    let _: String? = options.apiKey
    options.apiKey = nil
    let _: String = options.bundleID
    options.bundleID = ""
    let _: String? = options.clientID
    options.clientID = nil
    let _: String = options.gcmSenderID
    options.gcmSenderID = ""
    let _: String? = options.projectID
    options.projectID = nil
    let _: String = options.googleAppID
    options.googleAppID = ""
    let _: String? = options.databaseURL
    options.databaseURL = nil
    let _: String? = options.storageBucket
    options.storageBucket = nil
    let _: String? = options.appGroupID
    options.appGroupID = nil
  }
}
