// The few calls that Swift's Glibc module hides, each with the reason.
#ifndef CPOSIX_H
#define CPOSIX_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

// Declared only under _GNU_SOURCE, which the Glibc module map does not set.
int cposix_accept4(int fd, int flags);
int cposix_syncfs(int fd);

// Variadic in C, so not importable. O_CLOEXEC is always added.
int cposix_openat(int dir, const char *path, int flags, mode_t mode);

// SO_PEERCRED fills struct ucred, which is declared only under _GNU_SOURCE.
// Returns 0 and the peer's numbers, or -1 with errno.
int cposix_peer_credentials(int fd, uid_t *uid, gid_t *gid, pid_t *pid);

// struct mmsghdr and recvmmsg are declared only under _GNU_SOURCE. Receives up to `count`
// datagrams without waiting, each into its own slot of `stride` bytes from `base`; lengths[i] is
// what was stored, truncated[i] is 1 if the datagram was longer than its slot.
// Returns how many arrived, or -1 with errno.
int cposix_receive_datagrams(int fd, void *base, size_t stride, unsigned int count,
                             uint32_t *lengths, uint8_t *truncated);

// struct mmsghdr has this layout, but is declared only under _GNU_SOURCE; CPosix.c holds one against
// the other.
struct cposix_message {
  struct msghdr header;
  unsigned int length;
};

// recvmmsg, without waiting, over headers that lie where the caller wants them: the kernel writes
// each message's flags and length there before the call returns.
int cposix_receive_messages(int fd, struct cposix_message *messages, unsigned int count);

// A store that the compiler moves neither before what the program did earlier nor after what it
// does later. The memory of a process that is killed is then as the program's order had it.
void cposix_store_in_order(uint64_t *place, uint64_t value);

// CRC-32C of `count` bytes that follow those whose checksum is `crc` (0: none), by the processor's
// own instruction where it has one. The second never uses it: for tests.
uint32_t cposix_crc32c(uint32_t crc, const void *bytes, size_t count);
uint32_t cposix_crc32c_by_tables(uint32_t crc, const void *bytes, size_t count);

// ioctl is variadic. Bytes that wait to be read, or -1 with errno.
int cposix_bytes_waiting(int fd);

// fcntl is variadic.
int cposix_set_nonblocking(int fd);

// flock the function shares its name with a struct, which hides it.
int cposix_lock_exclusively(int fd);

// <sys/eventfd.h> is not in the Glibc module. Close-on-exec and non-blocking.
int cposix_eventfd(void);

// <sys/epoll.h> is not in the Glibc module. Close-on-exec. A descriptor in it is waited for until it
// is readable, or writable if that is asked for as well, and is known by `key`; the last call takes
// the keys of up to `count` (at most 64) that are ready, without waiting.
int cposix_epoll(void);
int cposix_epoll_add(int epoll, int fd, uint64_t key, int writable);
int cposix_epoll_change(int epoll, int fd, uint64_t key, int writable);
int cposix_epoll_remove(int epoll, int fd);
int cposix_epoll_take(int epoll, uint64_t *keys, int count);

// <sys/signalfd.h> is not in the Glibc module. Close-on-exec and non-blocking.
int cposix_signalfd(const sigset_t *signals);

// The next signal that waits in such a descriptor, or -1 with errno.
int cposix_take_signal(int fd);

// ioctl is variadic. Columns and rows of a terminal; returns 0, or -1 with errno.
int cposix_terminal_size(int fd, unsigned short *columns, unsigned short *rows);

// The CMSG macros of SCM_RIGHTS are not importable. Sends one message without waiting, with
// `descriptor` attached unless it is negative. Returns what sendmsg does.
ssize_t cposix_send_descriptor(int socket, const void *bytes, size_t count, int descriptor);

// <malloc.h> is not in the Glibc module. Blocks of `bytes` or more are asked of the kernel one by one and given back when
// they are free; so is what is free at the end of the heap, if it is four times as much.
void cposix_keep_little_memory(int bytes);

// Gives back what is free in between as well.
void cposix_give_memory_back(void);

#endif
