// As on Apple's platforms, whoever imports SwiftUI has Foundation and Combine.
@_exported import Combine
@_exported import Foundation
