import Foundation

open class Crashlytics: NSObject {
  open class func crashlytics() -> Crashlytics { Crashlytics() }
  open func setUserID(_ userID: String?) {}
}
