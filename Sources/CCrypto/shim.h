// SHA-256 of OpenSSL's libcrypto. The functions of <openssl/sha.h> need no provider and no configuration, so that only they
// and their assembler are linked in (Linking/libcrypto.so).
#ifndef CCRYPTO_SHIM_H
#define CCRYPTO_SHIM_H

#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

#endif
