@_exported public import FirebaseAuth
