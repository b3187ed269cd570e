// A module of Objective-C's on Apple's platforms: it brings what it is made with.
@_exported import Foundation
@_exported import UIKit
