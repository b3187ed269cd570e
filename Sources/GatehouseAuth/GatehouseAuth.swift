@_exported public import GatehouseCore
// On Apple's platforms Firebase's module is in Objective-C, and re-exports Foundation: apps that
// import only Firebase use `NSError` and `Date`.
@_exported public import Foundation
