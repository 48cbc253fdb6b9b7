// System calls that the C library of Debian 12 does not wrap, or that Swift's Glibc module hides.
#include <asm/statfs.h>
#include <errno.h>
#include <getopt.h>
#include <linux/msdos_fs.h>
#include <linux/openat2.h>
#include <linux/stat.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

long syscall(long number, ...);

static inline int photoindexd_openat2(int directory, const char *path, unsigned long long flags,
                                      unsigned long long resolve) {
  struct open_how how = {.flags = flags, .resolve = resolve};
  return (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
}

static inline long photoindexd_getdents64(int directory, void *buffer, size_t size) {
  return syscall(SYS_getdents64, directory, buffer, size);
}

static inline int photoindexd_statx(int directory, const char *path, int flags, unsigned int mask,
                                    struct statx *result) {
  return (int)syscall(SYS_statx, directory, path, flags, mask, result);
}

static inline int photoindexd_fstatfs(int descriptor, struct statfs *result) {
  return (int)syscall(SYS_fstatfs, descriptor, result);
}

// The UUID of an XFS: in the answer to XFS_IOC_FSGEOMETRY_V1, whose header comes with xfsprogs alone.
static inline int photoindexd_xfs_uuid(int descriptor, unsigned char uuid[16]) {
  unsigned char geometry[112];
  int result = ioctl(descriptor, _IOC(_IOC_READ, 'X', 100, sizeof geometry), geometry);
  if (result == 0) memcpy(uuid, geometry + 64, 16);
  return result;
}

static inline int photoindexd_fat_volume(int descriptor, unsigned int *volume) {
  return ioctl(descriptor, FAT_IOCTL_GET_VOLUME_ID, volume);
}

// getopt_long(3) answers in variables, which Swift does not let a program touch.
static inline void photoindexd_getopt_restart(void) {
  optind = 0;
  opterr = 0;
}

static inline int photoindexd_getopt_next(int count, char *const *arguments,
                                          const struct option *known, int *index, char **value,
                                          int *next) {
  int result = getopt_long(count, arguments, ":", known, index);
  *value = optarg;
  *next = optind;
  return result;
}

// A handler may do little: it writes the signal's number into a pipe.
static int photoindexd_signal_pipe = -1;

static void photoindexd_note_signal(int number) {
  int code = errno;
  unsigned char byte = (unsigned char)number;
  (void)!write(photoindexd_signal_pipe, &byte, 1);
  errno = code;
}

static inline int photoindexd_catch_signal(int number, int pipe) {
  photoindexd_signal_pipe = pipe;
  struct sigaction action = {.sa_handler = photoindexd_note_signal, .sa_flags = SA_RESTART};
  return sigaction(number, &action, 0);
}

// struct ucred wants _GNU_SOURCE, which a module cannot define.
static inline int photoindexd_peer(int socket, int *pid, unsigned int *uid, unsigned int *gid) {
  struct {
    int pid;
    unsigned int uid, gid;
  } peer;
  socklen_t size = sizeof peer;
  int result = getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size);
  *pid = peer.pid;
  *uid = peer.uid;
  *gid = peer.gid;
  return result;
}
