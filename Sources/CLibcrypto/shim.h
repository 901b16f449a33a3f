#pragma once
// For SHA256_Init, SHA256_Update and SHA256_Final alone. OpenSSL 3 deprecates them in favour of EVP, but EVP allocates its
// state in ordinary memory, where nobody else can put or wipe it, and takes twice the time for a short sum. These work on a
// plain structure of the caller's, and use the processor's SHA instructions.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/sha.h>

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

/// The states of HMAC-SHA-256 after the blocks of its key.
struct tt_hmac {
  SHA256_CTX inner, outer;
};

// Where SHA-256 is not the processor's own, OpenSSL leaves the schedule of the last block on the stack, from which the block
// can be had back: 1.4 KiB at most, aligned to 1 KiB.
__attribute__((noinline)) static void tt_wipe_stack_below(void) {
  unsigned char below[4096];
  OPENSSL_cleanse(below, sizeof below);
}

/// Begins with a key; `block` has 64 bytes for its blocks and is wiped. False when OpenSSL refuses.
static inline int tt_hmac_begin(struct tt_hmac *hmac, unsigned char *block, const unsigned char *key, size_t count) {
  unsigned char hash[32];
  int ok = 1;
  if (count > 64) {
    ok = SHA256_Init(&hmac->inner) && SHA256_Update(&hmac->inner, key, count) && SHA256_Final(hash, &hmac->inner);
    key = hash;
    count = sizeof hash;
  }
  for (size_t i = 0; i < 64; i++) block[i] = (i < count ? key[i] : 0) ^ 0x36;
  ok = ok && SHA256_Init(&hmac->inner) && SHA256_Update(&hmac->inner, block, 64);
  for (size_t i = 0; i < 64; i++) block[i] ^= 0x36 ^ 0x5c;
  ok = ok && SHA256_Init(&hmac->outer) && SHA256_Update(&hmac->outer, block, 64);
  OPENSSL_cleanse(block, 64);
  OPENSSL_cleanse(hash, sizeof hash);
  tt_wipe_stack_below();
  return ok;
}

/// Writes the 32 bytes of the sum over two parts. `running` is where it works; zeros afterwards. False when `hmac` is zero,
/// as it is in a forked child, or when OpenSSL refuses.
static inline int tt_hmac_sum(
    const struct tt_hmac *hmac, SHA256_CTX *running, const unsigned char *first, size_t firstCount,
    const unsigned char *second, size_t secondCount, unsigned char *out) {
  if (hmac->inner.md_len != SHA256_DIGEST_LENGTH || hmac->outer.md_len != SHA256_DIGEST_LENGTH) return 0;
  *running = hmac->inner;
  int ok = SHA256_Update(running, first, firstCount) && SHA256_Update(running, second, secondCount) &&
           SHA256_Final(out, running);
  *running = hmac->outer;
  ok = ok && SHA256_Update(running, out, SHA256_DIGEST_LENGTH) && SHA256_Final(out, running);
  OPENSSL_cleanse(running, sizeof *running);
  return ok;
}

static inline int tt_sha256(const unsigned char *bytes, size_t count, unsigned char *out) {
  SHA256_CTX state;
  const int ok = SHA256_Init(&state) && SHA256_Update(&state, bytes, count) && SHA256_Final(out, &state);
  OPENSSL_cleanse(&state, sizeof state);
  return ok;
}
