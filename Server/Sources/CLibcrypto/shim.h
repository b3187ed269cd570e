// The part of OpenSSL 3's libcrypto that signing needs. Nothing else of it is made visible.
#ifndef GATEHOUSE_CLIBCRYPTO_SHIM_H
#define GATEHOUSE_CLIBCRYPTO_SHIM_H

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

#endif
