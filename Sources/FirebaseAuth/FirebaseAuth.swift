@_exported public import FirebaseCore
// Firebase's module is Objective-C's on Apple's platforms, which brings Foundation along: apps that
// import nothing else use `NSError` and `Date`.
@_exported public import Foundation
