// libcurl for Swift: its headers, a table of the functions used, and one function for each variadic call that Swift
// cannot import.
//
// The library is not linked: with the thirty libraries it needs, it would cost every start of the program four
// milliseconds, although only runs that send something need it. dlopen(3) loads it then.
#ifndef CLOVER_CCURL_H
#define CLOVER_CCURL_H

#include <curl/curl.h>
#include <dlfcn.h>
#include <stddef.h>

// Every function that is used. A name that the header does not declare is a compile error here; clover_curl_fill
// reports one that the installed library lacks.
#define CLOVER_CURL_FUNCTIONS(FUNCTION) \
    FUNCTION(curl_global_init)          \
    FUNCTION(curl_easy_init)            \
    FUNCTION(curl_easy_setopt)          \
    FUNCTION(curl_easy_getinfo)         \
    FUNCTION(curl_easy_pause)           \
    FUNCTION(curl_easy_strerror)        \
    FUNCTION(curl_easy_cleanup)         \
    FUNCTION(curl_multi_init)           \
    FUNCTION(curl_multi_setopt)         \
    FUNCTION(curl_multi_add_handle)     \
    FUNCTION(curl_multi_remove_handle)  \
    FUNCTION(curl_multi_perform)        \
    FUNCTION(curl_multi_poll)           \
    FUNCTION(curl_multi_wakeup)         \
    FUNCTION(curl_multi_info_read)      \
    FUNCTION(curl_multi_strerror)       \
    FUNCTION(curl_multi_cleanup)        \
    FUNCTION(curl_slist_append)         \
    FUNCTION(curl_slist_free_all)       \
    FUNCTION(curl_version)

// The header's macros check the argument types of variadic calls, but would also replace the names below. The functions
// that follow declare the types in their parameters.
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

// Pointers to the functions, each with its own type and name.
struct clover_curl {
#define CLOVER_CURL_FIELD(name) __typeof__(name) *_Nonnull name;
    CLOVER_CURL_FUNCTIONS(CLOVER_CURL_FIELD)
#undef CLOVER_CURL_FIELD
};

// Fills the table from a library opened with dlopen(3). Returns null, or the name of the first function that the
// library lacks; the table must then not be used.
static inline const char *_Nullable clover_curl_fill(struct clover_curl *_Nonnull table, void *_Nonnull library) {
    void *address = NULL;
#define CLOVER_CURL_FILL(function)             \
    address = dlsym(library, #function);       \
    if (address == NULL) return #function;     \
    table->function = (__typeof__(function) *)address;
    CLOVER_CURL_FUNCTIONS(CLOVER_CURL_FILL)
#undef CLOVER_CURL_FILL
    return NULL;
}

// curl_easy_setopt(3) is variadic; these are its argument types.
static inline CURLcode clover_curl_set_long(const struct clover_curl *_Nonnull table, CURL *_Nonnull handle,
                                            CURLoption option, long value) {
    return table->curl_easy_setopt(handle, option, value);
}

static inline CURLcode clover_curl_set_string(const struct clover_curl *_Nonnull table, CURL *_Nonnull handle,
                                              CURLoption option, const char *_Nullable value) {
    return table->curl_easy_setopt(handle, option, value);
}

static inline CURLcode clover_curl_set_pointer(const struct clover_curl *_Nonnull table, CURL *_Nonnull handle,
                                               CURLoption option, void *_Nullable value) {
    return table->curl_easy_setopt(handle, option, value);
}

static inline CURLcode clover_curl_set_list(const struct clover_curl *_Nonnull table, CURL *_Nonnull handle,
                                            CURLoption option, struct curl_slist *_Nullable value) {
    return table->curl_easy_setopt(handle, option, value);
}

typedef size_t (*clover_curl_data_callback)(char *_Nonnull data, size_t size, size_t count, void *_Nullable context);

static inline CURLcode clover_curl_set_data_callback(const struct clover_curl *_Nonnull table, CURL *_Nonnull handle,
                                                     CURLoption option, clover_curl_data_callback _Nonnull callback) {
    return table->curl_easy_setopt(handle, option, callback);
}

static inline CURLcode clover_curl_set_prereq_callback(const struct clover_curl *_Nonnull table, CURL *_Nonnull handle,
                                                       curl_prereq_callback _Nonnull callback) {
    return table->curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, callback);
}

static inline CURLcode clover_curl_set_debug_callback(const struct clover_curl *_Nonnull table, CURL *_Nonnull handle,
                                                      curl_debug_callback _Nonnull callback) {
    return table->curl_easy_setopt(handle, CURLOPT_DEBUGFUNCTION, callback);
}

// curl_easy_getinfo(3) is variadic too.
static inline CURLcode clover_curl_get_offset(const struct clover_curl *_Nonnull table, CURL *_Nonnull handle,
                                              CURLINFO information, curl_off_t *_Nonnull value) {
    return table->curl_easy_getinfo(handle, information, value);
}

static inline CURLcode clover_curl_get_string(const struct clover_curl *_Nonnull table, CURL *_Nonnull handle,
                                              CURLINFO information, const char *_Nullable *_Nonnull value) {
    return table->curl_easy_getinfo(handle, information, value);
}

static inline CURLcode clover_curl_get_long(const struct clover_curl *_Nonnull table, CURL *_Nonnull handle,
                                            CURLINFO information, long *_Nonnull value) {
    return table->curl_easy_getinfo(handle, information, value);
}

// curl_multi_setopt(3) is variadic.
static inline CURLMcode clover_curl_multi_set_long(const struct clover_curl *_Nonnull table, CURLM *_Nonnull multi,
                                                   CURLMoption option, long value) {
    return table->curl_multi_setopt(multi, option, value);
}

// Neither is ever null (libcurl-errors(3)), which the imported types cannot express.
static inline const char *_Nonnull clover_curl_easy_text(const struct clover_curl *_Nonnull table, CURLcode code) {
    return table->curl_easy_strerror(code);
}

static inline const char *_Nonnull clover_curl_multi_text(const struct clover_curl *_Nonnull table, CURLMcode code) {
    return table->curl_multi_strerror(code);
}

// The result of a finished transfer sits in a union inside CURLMsg (curl_multi_info_read(3)).
static inline CURLcode clover_curl_message_result(const CURLMsg *_Nonnull message) {
    return message->data.result;
}

// A macro with a cast, which Swift does not import.
static inline size_t clover_curl_write_pause(void) {
    return CURL_WRITEFUNC_PAUSE;
}

#endif
