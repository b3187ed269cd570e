@_exported public import FirebaseCore
@_exported public import GatehouseAuth
