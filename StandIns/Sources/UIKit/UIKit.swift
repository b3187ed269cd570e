// As on Apple's platforms, UIKit re-exports Foundation and Security.
@_exported import Foundation
@_exported import Security
