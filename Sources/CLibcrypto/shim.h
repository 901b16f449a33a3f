#pragma once
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>

// OSSL_PARAM keeps the address of its name. A Swift literal lives for one call only, so the names have to be C's.
static inline OSSL_PARAM tt_parameter_sha256(void) {
  return OSSL_PARAM_construct_utf8_string(OSSL_ALG_PARAM_DIGEST, (char *)"SHA256", 0);
}
static inline OSSL_PARAM tt_parameter_key(const void *bytes, size_t count) {
  return OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)bytes, count);
}
static inline OSSL_PARAM tt_parameter_salt(const void *bytes, size_t count) {
  return OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, (void *)bytes, count);
}
static inline OSSL_PARAM tt_parameter_info(const void *bytes, size_t count) {
  return OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)bytes, count);
}
