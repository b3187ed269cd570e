// On Apple's platforms swift-crypto is CryptoKit; here CryptoKit is swift-crypto.
@_exported import Crypto
