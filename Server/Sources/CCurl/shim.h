// libcurl's easy interface. Its functions for options are variadic in C, and Swift can't call those: so
// there is one function for each type of value here.
#ifndef GATEHOUSE_CCURL_SHIM_H
#define GATEHOUSE_CCURL_SHIM_H

#include <curl/curl.h>

static inline CURLcode gatehouse_curl_set_number(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

// libcurl copies the text.
static inline CURLcode gatehouse_curl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

// libcurl doesn't copy what the pointer points to.
static inline CURLcode gatehouse_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}

// For CURLOPT_READFUNCTION and CURLOPT_HEADERFUNCTION, which have the same type.
static inline CURLcode gatehouse_curl_set_transfer(
    CURL *handle, CURLoption option, size_t (*function)(char *, size_t, size_t, void *)) {
  return curl_easy_setopt(handle, option, function);
}

static inline CURLcode gatehouse_curl_set_debug(
    CURL *handle, int (*function)(CURL *, curl_infotype, char *, size_t, void *)) {
  return curl_easy_setopt(handle, CURLOPT_DEBUGFUNCTION, function);
}

static inline CURLcode gatehouse_curl_get_number(CURL *handle, CURLINFO info, long *value) {
  return curl_easy_getinfo(handle, info, value);
}

#endif
