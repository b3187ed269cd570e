// On Apple's platforms it brings Objective-C's module, and that Foundation.
@_exported import Foundation
