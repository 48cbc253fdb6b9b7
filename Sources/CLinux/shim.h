// System calls that the C library of Debian 12 does not wrap, or that Swift's Glibc module hides.
#include <asm/statfs.h>
#include <errno.h>
#include <getopt.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/msdos_fs.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <linux/stat.h>
#include <malloc.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
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

static inline int photoindexd_getopt_next(int count, char *const *arguments, const char *letters,
                                          const struct option *known, int *index, char **value,
                                          int *next) {
  int result = getopt_long(count, arguments, letters, known, index);
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

// --- Open files that travel through a socket ---

// What the kernel lets through at a time (SCM_MAX_FD).
#define PHOTOINDEXD_MOST_DESCRIPTORS 253

typedef union {
  struct cmsghdr header;
  char bytes[CMSG_SPACE(sizeof(int) * PHOTOINDEXD_MOST_DESCRIPTORS)];
} photoindexd_control;

static inline long photoindexd_send(int socket, const void *bytes, size_t size,
                                    const int *descriptors, size_t count) {
  photoindexd_control control;
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = size};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (count > PHOTOINDEXD_MOST_DESCRIPTORS) {
    errno = EINVAL;
    return -1;
  }
  if (count > 0) {
    message.msg_control = control.bytes;
    message.msg_controllen = CMSG_SPACE(sizeof(int) * count);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int) * count);
    memcpy(CMSG_DATA(header), descriptors, sizeof(int) * count);
  }
  return sendmsg(socket, &message, MSG_NOSIGNAL);
}

// Takes descriptors as well; EMSGSIZE where something was cut off.
static inline long photoindexd_receive(int socket, void *bytes, size_t size, int *descriptors,
                                       size_t *count) {
  photoindexd_control control;
  struct iovec part = {.iov_base = bytes, .iov_len = size};
  struct msghdr message = {.msg_iov = &part,
                           .msg_iovlen = 1,
                           .msg_control = control.bytes,
                           .msg_controllen = sizeof control.bytes};
  *count = 0;
  long received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  if (received < 0) return received;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header != 0;
       header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    size_t found = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    if (*count + found > PHOTOINDEXD_MOST_DESCRIPTORS) break;
    memcpy(descriptors + *count, CMSG_DATA(header), sizeof(int) * found);
    *count += found;
  }
  if (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) {
    errno = EMSGSIZE;
    return -1;
  }
  return received;
}

// --- A process of our own ---

int pipe2(int ends[2], int flags);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);

// The reading end first. It closes in every program that is started.
static inline int photoindexd_pipe(int ends[2]) { return pipe2(ends, 02000000 /* O_CLOEXEC */); }

static inline int photoindexd_close_from(posix_spawn_file_actions_t *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

// --- A process that takes rights away from itself ---

// Has the kernel kill this process when the other end of a pipe has gone. Not PR_SET_PDEATHSIG: that
// tells of the end of the thread that made the process, and threads come and go.
static inline int photoindexd_die_with(int pipe) {
  enum { set_signal = 10, set_flags = 4, set_owner = 8, async = 020000, nonblock = 04000 };
  int fcntl(int, int, ...);
  if (fcntl(pipe, set_signal, SIGKILL) != 0) return -1;
  if (fcntl(pipe, set_owner, getpid()) != 0) return -1;
  return fcntl(pipe, set_flags, async | nonblock);
}

// Later versions of the kernel know more than the headers of Debian 12 (landlock(7)).
static inline long photoindexd_landlock_version(void) {
  return syscall(444 /* landlock_create_ruleset */, (void *)0, (size_t)0, 1U);
}

// Takes away the right to open anything, to reach any port, and to signal other processes.
static inline int photoindexd_landlock(long version) {
  struct {
    unsigned long long files, ports, scopes;
  } rules = {0, 0, 0};
  int rights = version < 2 ? 13 : version < 3 ? 14 : version < 5 ? 15 : 16;
  rules.files = (1ULL << rights) - 1;
  if (version >= 4) rules.ports = 3;
  if (version >= 6) rules.scopes = 3;
  long ruleset = syscall(444 /* landlock_create_ruleset */, &rules, sizeof rules, 0U);
  if (ruleset < 0) return -1;
  int result = (int)syscall(446 /* landlock_restrict_self */, (int)ruleset, 0U);
  close((int)ruleset);
  return result;
}

static inline int photoindexd_forbid_new_privileges(void) {
  return prctl(PR_SET_NO_NEW_PRIVS, 1UL, 0UL, 0UL, 0UL);
}

// No image of the memory, which holds parts of photos, goes to a handler of crashes.
static inline int photoindexd_forbid_dumps(void) {
  return prctl(PR_SET_DUMPABLE, 0UL, 0UL, 0UL, 0UL);
}

#if defined(__x86_64__)
#define PHOTOINDEXD_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define PHOTOINDEXD_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

// Leaves the system calls that reading open files takes; any other fails with EPERM (seccomp(2)).
static inline int photoindexd_filter_system_calls(void) {
#ifdef PHOTOINDEXD_ARCHITECTURE
  static const unsigned int allowed[] = {
      SYS_pread64,    SYS_read,      SYS_recvmsg,         SYS_sendmsg,    SYS_close,
      SYS_futex,      SYS_brk,       SYS_munmap,          SYS_mremap,     SYS_madvise,
      SYS_fadvise64,  SYS_getrandom, SYS_clock_gettime,   SYS_exit_group, SYS_exit,
      SYS_rt_sigreturn, SYS_sched_yield, SYS_restart_syscall,
  };
  enum { count = sizeof allowed / sizeof *allowed };
  struct sock_filter program[2 * count + 16];
  unsigned short end = 0;
#define ADD(...) program[end++] = (struct sock_filter)__VA_ARGS__
#define LOAD(field) \
  ADD(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned int)offsetof(struct seccomp_data, field)))
#define RETURN(value) ADD(BPF_STMT(BPF_RET | BPF_K, value))
  LOAD(arch);
  ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PHOTOINDEXD_ARCHITECTURE, 1, 0));
  RETURN(SECCOMP_RET_KILL_PROCESS);
  LOAD(nr);
#ifdef __x86_64__
  // The calls of x32 have the same architecture.
  ADD(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000U, 0, 1));
  RETURN(SECCOMP_RET_KILL_PROCESS);
#endif
  for (int index = 0; index < count; index++) {
    ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, allowed[index], 0, 1));
    RETURN(SECCOMP_RET_ALLOW);
  }
  // Memory, but none that can be executed. The lower half of the third argument, on machines that
  // store it first.
  ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 1, 0));
  ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 3));
  LOAD(args[2]);
  ADD(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0));
  RETURN(SECCOMP_RET_ALLOW);
  RETURN(SECCOMP_RET_ERRNO | EPERM);
#undef ADD
#undef LOAD
#undef RETURN
  struct sock_fprog filter = {.len = end, .filter = program};
  // For all threads, and without the detour against speculation that only made programs need.
  return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                      SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_SPEC_ALLOW, &filter);
#else
  errno = ENOSYS;
  return -1;
#endif
}
