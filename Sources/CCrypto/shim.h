// SHA-256, AES and GCM of OpenSSL's libcrypto. These low-level functions need no provider and no configuration, so that only
// they and their assembler are linked in (Linking/libcrypto.so).
#ifndef CCRYPTO_SHIM_H
#define CCRYPTO_SHIM_H

#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/aes.h>
#include <openssl/modes.h>
#include <openssl/sha.h>

#endif
