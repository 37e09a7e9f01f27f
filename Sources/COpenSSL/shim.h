// The server's part of OpenSSL's libssl, and what it needs of libcrypto, as a table of functions.
//
// The library is not linked: only a webhook listener with its own certificate needs it. dlopen(3) loads it then.
#ifndef CLOVER_COPENSSL_H
#define CLOVER_COPENSSL_H

#include <dlfcn.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stddef.h>

// Every function that is used. A name that the header does not declare is a compile error here; clover_openssl_fill
// reports one that the installed library lacks. dlsym(3) also finds the functions of libcrypto, on which libssl depends.
#define CLOVER_OPENSSL_FUNCTIONS(FUNCTION)         \
    FUNCTION(TLS_server_method)                    \
    FUNCTION(SSL_CTX_new)                          \
    FUNCTION(SSL_CTX_free)                         \
    FUNCTION(SSL_CTX_ctrl)                         \
    FUNCTION(SSL_CTX_set_options)                  \
    FUNCTION(SSL_CTX_set_default_passwd_cb_userdata) \
    FUNCTION(SSL_CTX_use_certificate_chain_file)   \
    FUNCTION(SSL_CTX_use_PrivateKey_file)          \
    FUNCTION(SSL_CTX_check_private_key)            \
    FUNCTION(SSL_CTX_get0_certificate)             \
    FUNCTION(SSL_new)                              \
    FUNCTION(SSL_free)                             \
    FUNCTION(SSL_set_bio)                          \
    FUNCTION(SSL_set_accept_state)                 \
    FUNCTION(SSL_read)                             \
    FUNCTION(SSL_write)                            \
    FUNCTION(SSL_shutdown)                         \
    FUNCTION(SSL_get_error)                        \
    FUNCTION(BIO_new)                              \
    FUNCTION(BIO_s_mem)                            \
    FUNCTION(BIO_read)                             \
    FUNCTION(BIO_write)                            \
    FUNCTION(BIO_ctrl_pending)                     \
    FUNCTION(X509_get0_notAfter)                   \
    FUNCTION(ASN1_TIME_to_tm)                      \
    FUNCTION(ERR_clear_error)                      \
    FUNCTION(ERR_peek_error)                       \
    FUNCTION(ERR_peek_last_error)                  \
    FUNCTION(ERR_reason_error_string)

typedef struct clover_openssl {
#define CLOVER_OPENSSL_MEMBER(function) __typeof__(function) *_Nonnull function;
    CLOVER_OPENSSL_FUNCTIONS(CLOVER_OPENSSL_MEMBER)
#undef CLOVER_OPENSSL_MEMBER
} clover_openssl;

/// Fills the table from a library that dlopen(3) has returned.
/// - Returns: NULL, or the name of the first function that the library lacks.
static inline const char *_Nullable clover_openssl_fill(clover_openssl *_Nonnull table, void *_Nonnull library) {
    void *address;
#define CLOVER_OPENSSL_FILL(function)              \
    address = dlsym(library, #function);           \
    if (address == NULL) return #function;         \
    table->function = (__typeof__(function) *)address;
    CLOVER_OPENSSL_FUNCTIONS(CLOVER_OPENSSL_FILL)
#undef CLOVER_OPENSSL_FILL
    return NULL;
}

#endif
