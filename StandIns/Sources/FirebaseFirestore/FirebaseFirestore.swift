// A module of Objective-C's on Apple's platforms: it brings Foundation.
@_exported import Foundation
