#include "CPosix.h"

#include <string.h>

// CRC-32C (Castagnoli), bit-reflected: RFC 3720, appendix B.4, has the test vectors.
static const uint32_t polynomial = 0x82f63b78;

// tables[k][b] is the remainder of the byte b followed by k zero bytes, for eight bytes a step.
static uint32_t tables[8][256];

__attribute__((constructor)) static void fill_tables(void) {
  for (uint32_t byte = 0; byte < 256; byte++) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? polynomial : 0);
    tables[0][byte] = crc;
  }
  for (int zeros = 1; zeros < 8; zeros++)
    for (int byte = 0; byte < 256; byte++) {
      uint32_t crc = tables[zeros - 1][byte];
      tables[zeros][byte] = crc >> 8 ^ tables[0][crc & 255];
    }
}

static uint32_t by_tables(uint32_t crc, const unsigned char *bytes, size_t count) {
  for (; count >= 8; bytes += 8, count -= 8) {
    crc ^= bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    crc = tables[7][crc & 255] ^ tables[6][crc >> 8 & 255] ^ tables[5][crc >> 16 & 255] ^
          tables[4][crc >> 24] ^ tables[3][bytes[4]] ^ tables[2][bytes[5]] ^ tables[1][bytes[6]] ^
          tables[0][bytes[7]];
  }
  while (count-- > 0) crc = crc >> 8 ^ tables[0][(crc ^ *bytes++) & 255];
  return crc;
}

uint32_t cposix_crc32c_by_tables(uint32_t crc, const void *bytes, size_t count) {
  return ~by_tables(~crc, bytes, count);
}

#if defined(__x86_64__)
#include <immintrin.h>

// The instruction takes eight bytes every cycle but answers after three: so three parts of a block
// run side by side and are joined by a carry-less product. joining[k] is x^(8·512·(2−k) − 33)
// modulo the polynomial: it moves a remainder over the one or two parts that follow it.
enum { part = 512 };
static const uint64_t joining[2] = {0x170076fa, 0xdd7e3b0c};

__attribute__((target("sse4.2"))) static inline uint64_t eight(uint64_t crc, const void *bytes) {
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
  return _mm_crc32_u64(crc, word);
}

__attribute__((target("sse4.2,pclmul"))) static inline uint64_t moved(uint64_t crc, uint64_t over) {
  __m128i product = _mm_clmulepi64_si128(_mm_cvtsi64_si128((long long)crc),
                                         _mm_cvtsi64_si128((long long)over), 0);
  return _mm_crc32_u64(0, (uint64_t)_mm_cvtsi128_si64(product));
}

__attribute__((target("sse4.2,pclmul"))) static uint32_t by_instruction(
    uint32_t start, const unsigned char *bytes, size_t count) {
  uint64_t crc = start;
  for (; count >= 3 * part; bytes += 3 * part, count -= 3 * part) {
    uint64_t second = 0, third = 0;
    for (int i = 0; i < part; i += 8) {
      crc = eight(crc, bytes + i);
      second = eight(second, bytes + part + i);
      third = eight(third, bytes + 2 * part + i);
    }
    crc = moved(crc, joining[0]) ^ moved(second, joining[1]) ^ third;
  }
  for (; count >= 8; bytes += 8, count -= 8) crc = eight(crc, bytes);
  while (count-- > 0) crc = _mm_crc32_u8((uint32_t)crc, *bytes++);
  return (uint32_t)crc;
}

uint32_t cposix_crc32c(uint32_t crc, const void *bytes, size_t count) {
  static int supported = -1;
  int has = __atomic_load_n(&supported, __ATOMIC_RELAXED);
  if (has < 0) {
    has = __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("pclmul");
    __atomic_store_n(&supported, has, __ATOMIC_RELAXED);
  }
  return ~(has ? by_instruction(~crc, bytes, count) : by_tables(~crc, bytes, count));
}
#else
uint32_t cposix_crc32c(uint32_t crc, const void *bytes, size_t count) {
  return cposix_crc32c_by_tables(crc, bytes, count);
}
#endif
