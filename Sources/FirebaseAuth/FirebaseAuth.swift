@_exported public import FirebaseCore
