#include <errno.h>
#include <zlib.h>

// errno is read before anything else can change it; zlib leaves it 0 where memory ran out.
static inline gzFile czlib_open(const char *path, int *code) {
  errno = 0;
  gzFile file = gzopen(path, "rbe");
  *code = file ? 0 : errno ? errno : ENOMEM;
  return file;
}

// Bytes that were read; -1 and *code for a failed call, or *code 0 where the compressed bytes are not sound.
static inline int czlib_read(gzFile file, void *bytes, unsigned count, int *code) {
  errno = 0;
  int result = gzread(file, bytes, count);
  int saved = errno, state = Z_OK;
  gzerror(file, &state);
  *code = state == Z_ERRNO ? saved : 0;
  return state == Z_OK || state == Z_STREAM_END ? result : -1;
}
