// libcurl for Swift: its headers, and one function for each variadic call that Swift cannot import.
#ifndef CLOVER_CCURL_H
#define CLOVER_CCURL_H

#include <curl/curl.h>
#include <stddef.h>

// curl_easy_setopt(3) is variadic; these are its argument types.
static inline CURLcode clover_curl_set_long(CURL *_Nonnull handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode clover_curl_set_string(CURL *_Nonnull handle, CURLoption option, const char *_Nullable value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode clover_curl_set_pointer(CURL *_Nonnull handle, CURLoption option, void *_Nullable value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode clover_curl_set_list(CURL *_Nonnull handle, CURLoption option,
                                            struct curl_slist *_Nullable value) {
    return curl_easy_setopt(handle, option, value);
}

typedef size_t (*clover_curl_data_callback)(char *_Nonnull data, size_t size, size_t count, void *_Nullable context);

static inline CURLcode clover_curl_set_data_callback(CURL *_Nonnull handle, CURLoption option,
                                                     clover_curl_data_callback _Nonnull callback) {
    return curl_easy_setopt(handle, option, callback);
}

static inline CURLcode clover_curl_set_prereq_callback(CURL *_Nonnull handle, curl_prereq_callback _Nonnull callback) {
    return curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, callback);
}

static inline CURLcode clover_curl_set_debug_callback(CURL *_Nonnull handle, curl_debug_callback _Nonnull callback) {
    return curl_easy_setopt(handle, CURLOPT_DEBUGFUNCTION, callback);
}

// curl_easy_getinfo(3) is variadic too.
static inline CURLcode clover_curl_get_offset(CURL *_Nonnull handle, CURLINFO information, curl_off_t *_Nonnull value) {
    return curl_easy_getinfo(handle, information, value);
}

static inline CURLcode clover_curl_get_string(CURL *_Nonnull handle, CURLINFO information,
                                              const char *_Nullable *_Nonnull value) {
    return curl_easy_getinfo(handle, information, value);
}

static inline CURLcode clover_curl_get_long(CURL *_Nonnull handle, CURLINFO information, long *_Nonnull value) {
    return curl_easy_getinfo(handle, information, value);
}

static inline CURLcode clover_curl_get_pointer(CURL *_Nonnull handle, CURLINFO information,
                                               void *_Nullable *_Nonnull value) {
    return curl_easy_getinfo(handle, information, value);
}

// curl_multi_setopt(3) is variadic.
static inline CURLMcode clover_curl_multi_set_long(CURLM *_Nonnull multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
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
