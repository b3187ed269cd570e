// The re-entrant form of crypt(3), as libxcrypt has it. Nothing else of it is made visible.
#ifndef GATEHOUSE_CLIBCRYPT_SHIM_H
#define GATEHOUSE_CLIBCRYPT_SHIM_H

#include <crypt.h>

#endif
