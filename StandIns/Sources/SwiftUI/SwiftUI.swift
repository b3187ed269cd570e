// As on Apple's platforms, SwiftUI re-exports Foundation and Combine.
@_exported import Combine
@_exported import Foundation
