// As on Apple's platforms, whoever imports UIKit has Foundation and Security.
@_exported import Foundation
@_exported import Security
