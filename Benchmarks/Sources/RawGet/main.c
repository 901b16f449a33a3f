// The peer of `thumbturn get`: opens the database of a vault, reads one row, decrypts its secret box once and prints as many
// bytes. The key is a stand-in, so the tag cannot verify and the bytes mean nothing; the work is that of one decryption.
// It checks nothing, takes no lock, reads no keybag and derives no key: that is what it is compared for.
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <sqlite3.h>
#include <stdio.h>

static int fail(const char *what) {
  fprintf(stderr, "raw-get: error: %s\n", what);
  return 70;
}

int main(int count, char **arguments) {
  static const unsigned char key[32] = {1};
  if (count != 3) return fail("usage: RawGet DATABASE ROW");
  // As Thumbturn starts it: reading the configuration file would cost the peer milliseconds.
  OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, 0);
  sqlite3 *db = 0;
  sqlite3_stmt *row = 0;
  if (sqlite3_open_v2(arguments[1], &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, 0)) return fail("open");
  if (sqlite3_exec(db, "PRAGMA synchronous = FULL", 0, 0, 0)) return fail("synchronous");
  if (sqlite3_prepare_v2(db, "SELECT secret FROM items WHERE id = ?", -1, &row, 0)) return fail("prepare");
  sqlite3_bind_text(row, 1, arguments[2], -1, SQLITE_STATIC);
  if (sqlite3_step(row) != SQLITE_ROW) return fail("no such row");
  const unsigned char *box = sqlite3_column_blob(row, 0);
  int size = sqlite3_column_bytes(row, 0), written = 0;
  unsigned char out[4096];
  if (!box || size < 28 || size > (int)sizeof out) return fail("size of a box");
  EVP_CIPHER *cipher = EVP_CIPHER_fetch(0, "AES-256-GCM", 0);
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  if (!cipher || !context || !EVP_DecryptInit_ex2(context, cipher, key, box, 0) ||
      !EVP_DecryptUpdate(context, out, &written, box + 12, size - 28))
    return fail("decrypt");
  EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, 16, (void *)(box + size - 16));
  (void)EVP_DecryptFinal_ex(context, out + written, &written);
  fwrite(out, 1, (size_t)(size - 28), stdout);
  EVP_CIPHER_CTX_free(context);
  EVP_CIPHER_free(cipher);
  sqlite3_finalize(row);
  sqlite3_close(db);
  return 0;
}
