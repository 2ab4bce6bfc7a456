#define _GNU_SOURCE
#include "CPosix.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int cposix_accept4(int fd, int flags) { return accept4(fd, NULL, NULL, flags); }

int cposix_syncfs(int fd) { return syncfs(fd); }

int cposix_openat(int dir, const char *path, int flags, mode_t mode) {
  return openat(dir, path, flags | O_CLOEXEC, mode);
}

int cposix_peer_credentials(int fd, uid_t *uid, gid_t *gid, pid_t *pid) {
  struct ucred credentials;
  socklen_t length = sizeof credentials;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &length) < 0) return -1;
  *uid = credentials.uid;
  *gid = credentials.gid;
  *pid = credentials.pid;
  return 0;
}

int cposix_receive_datagrams(int fd, void *base, size_t stride, unsigned int count,
                             uint32_t *lengths, uint8_t *truncated) {
  enum { most = 64 };
  struct mmsghdr messages[most];
  struct iovec slots[most];
  if (count > most) count = most;
  memset(messages, 0, sizeof messages[0] * count);
  for (unsigned int i = 0; i < count; i++) {
    slots[i].iov_base = (char *)base + stride * i;
    slots[i].iov_len = stride;
    messages[i].msg_hdr.msg_iov = &slots[i];
    messages[i].msg_hdr.msg_iovlen = 1;
  }
  int received = recvmmsg(fd, messages, count, MSG_DONTWAIT, NULL);
  for (int i = 0; i < received; i++) {
    lengths[i] = messages[i].msg_len;
    truncated[i] = (messages[i].msg_hdr.msg_flags & MSG_TRUNC) != 0;
  }
  return received;
}

_Static_assert(sizeof(struct cposix_message) == sizeof(struct mmsghdr), "the same size");
_Static_assert(offsetof(struct cposix_message, length) == offsetof(struct mmsghdr, msg_len),
               "the same places");

int cposix_receive_messages(int fd, struct cposix_message *messages, unsigned int count) {
  return recvmmsg(fd, (struct mmsghdr *)messages, count, MSG_DONTWAIT, NULL);
}

void cposix_store_in_order(uint64_t *place, uint64_t value) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  __atomic_store_n(place, value, __ATOMIC_RELEASE);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

int cposix_bytes_waiting(int fd) {
  int bytes = 0;
  return ioctl(fd, FIONREAD, &bytes) < 0 ? -1 : bytes;
}

int cposix_set_nonblocking(int fd) {
  int flags = fcntl(fd, F_GETFL);
  return flags < 0 ? -1 : fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}

int cposix_lock_exclusively(int fd) { return flock(fd, LOCK_EX | LOCK_NB); }

int cposix_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int cposix_epoll(void) { return epoll_create1(EPOLL_CLOEXEC); }

static int epoll_control(int epoll, int operation, int fd, uint64_t key, int writable) {
  struct epoll_event event = {.events = EPOLLIN | (writable ? EPOLLOUT : 0), .data.u64 = key};
  return epoll_ctl(epoll, operation, fd, &event);
}

int cposix_epoll_add(int epoll, int fd, uint64_t key, int writable) {
  return epoll_control(epoll, EPOLL_CTL_ADD, fd, key, writable);
}

int cposix_epoll_change(int epoll, int fd, uint64_t key, int writable) {
  return epoll_control(epoll, EPOLL_CTL_MOD, fd, key, writable);
}

int cposix_epoll_remove(int epoll, int fd) { return epoll_control(epoll, EPOLL_CTL_DEL, fd, 0, 0); }

int cposix_epoll_take(int epoll, uint64_t *keys, int count) {
  enum { most = 64 };
  struct epoll_event events[most];
  int ready = epoll_wait(epoll, events, count < most ? count : most, 0);
  for (int i = 0; i < ready; i++) keys[i] = events[i].data.u64;
  return ready;
}

int cposix_signalfd(const sigset_t *signals) {
  return signalfd(-1, signals, SFD_CLOEXEC | SFD_NONBLOCK);
}

int cposix_take_signal(int fd) {
  struct signalfd_siginfo info;
  return read(fd, &info, sizeof info) == sizeof info ? (int)info.ssi_signo : -1;
}

int cposix_terminal_size(int fd, unsigned short *columns, unsigned short *rows) {
  struct winsize size;
  if (ioctl(fd, TIOCGWINSZ, &size) != 0) return -1;
  *columns = size.ws_col;
  *rows = size.ws_row;
  return 0;
}

ssize_t cposix_send_descriptor(int socket, const void *bytes, size_t count, int descriptor) {
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int))];
  } control = {0};
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (descriptor >= 0) {
    message.msg_control = &control;
    message.msg_controllen = sizeof control.space;
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    control.header.cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(&control.header), &descriptor, sizeof descriptor);
  }
  return sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

void cposix_keep_little_memory(int bytes) {
  // If one of these is refused, nothing is lost but memory.
  mallopt(M_MMAP_THRESHOLD, bytes);
  mallopt(M_TRIM_THRESHOLD, 4 * bytes);
}

void cposix_give_memory_back(void) { malloc_trim(0); }
