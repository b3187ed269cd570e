// On Apple's platforms it re-exports Objective-C's module, which re-exports Foundation.
@_exported import Foundation
