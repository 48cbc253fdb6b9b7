// What can go wrong below a program, done to it on purpose: preloaded (ld.so(8)), it stands between
// the program and the C library, counts the calls that go to the kernel, and at a given one kills
// the program, lets calls fail, or renames a file. It is told by variables of the environment:
//
//   FAULTS_KILL     the number of the call before which the program is killed
//   FAULTS_FROM     the number of the first call that may fail
//   FAULTS_TIMES    how many calls fail; without it, all from then on
//   FAULTS_BELOW    the path at and below which they fail
//   FAULTS_LISTING  the error number of calls that list directories and look at their entries
//   FAULTS_OPENING  that of calls that open a file
//   FAULTS_WRITING  that of calls that write, sync and truncate
//   FAULTS_RENAME   two paths with a newline between: the first is renamed at the call FAULTS_FROM
//   FAULTS_NOW      what CLOCK_REALTIME shows, in nanoseconds
//   FAULTS_COUNT    a file whose first eight bytes are the number of calls so far
//   FAULTS_JOURNAL  a file that tells what was written to files whose paths begin with
//                   FAULTS_DATABASE, which of them were made, removed and renamed, and what of that was
//                   synced: see UnsyncedWrites.swift. Files that lost their names are kept beside it
//   FAULTS_DATABASE the path of the database
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))

typedef long (*syscall_function)(long, ...);
static syscall_function next_syscall;
static int (*next_clock_gettime)(clockid_t, struct timespec *);

static uint64_t kill_at, fail_from, most_failures = UINT64_MAX, failures;
static int listing_error, opening_error, writing_error;
static const char *below, *rename_from, *database, *journal_path;
static char *rename_to;
static int64_t fixed_time = -1;
static int journal = -1;
static pthread_mutex_t journal_lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t own_count;
static uint64_t *count = &own_count;

// --- Below the C library's own functions, which are ours here ---

static long kernel(long number, long a, long b, long c, long d, long e) {
  return next_syscall(number, a, b, c, d, e);
}

static uint64_t number_in(const char *name, uint64_t otherwise) {
  const char *text = getenv(name);
  return text ? strtoull(text, 0, 10) : otherwise;
}

static uint64_t *shared_count(const char *path) {
  int descriptor = (int)kernel(SYS_openat, AT_FDCWD, (long)path, O_RDWR | O_CREAT, 0600, 0);
  if (descriptor < 0 || kernel(SYS_ftruncate, descriptor, sizeof(uint64_t), 0, 0, 0) != 0) abort();
  void *memory = mmap(0, sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) abort();
  kernel(SYS_close, descriptor, 0, 0, 0, 0);
  return memory;
}

__attribute__((constructor)) static void prepare(void) {
  next_syscall = (syscall_function)dlsym(RTLD_NEXT, "syscall");
  next_clock_gettime = dlsym(RTLD_NEXT, "clock_gettime");
  kill_at = number_in("FAULTS_KILL", 0);
  fail_from = number_in("FAULTS_FROM", 0);
  most_failures = number_in("FAULTS_TIMES", UINT64_MAX);
  listing_error = (int)number_in("FAULTS_LISTING", 0);
  opening_error = (int)number_in("FAULTS_OPENING", 0);
  writing_error = (int)number_in("FAULTS_WRITING", 0);
  below = getenv("FAULTS_BELOW");
  database = getenv("FAULTS_DATABASE");
  const char *now = getenv("FAULTS_NOW");
  if (now) fixed_time = strtoll(now, 0, 10);
  const char *both = getenv("FAULTS_RENAME");
  if (both && (rename_to = strchr(rename_from = strdup(both), '\n'))) *rename_to++ = 0;
  const char *path = getenv("FAULTS_COUNT");
  if (path) count = shared_count(path);
  journal_path = getenv("FAULTS_JOURNAL");
  if (journal_path) {
    journal = (int)kernel(SYS_openat, AT_FDCWD, (long)journal_path,
                          O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600, 0);
  }
}

// Each call has a number; whatever is to happen at it happens before it.
static uint64_t begin_call(void) {
  if (!next_syscall) prepare();
  uint64_t number = __atomic_add_fetch(count, 1, __ATOMIC_SEQ_CST);
  if (number == kill_at) {
    kernel(SYS_kill, getpid(), SIGKILL, 0, 0, 0);
    for (;;) pause();
  }
  if (rename_to && number == fail_from) {
    kernel(SYS_renameat, AT_FDCWD, (long)rename_from, AT_FDCWD, (long)rename_to, 0);
  }
  return number;
}

// --- Which calls fail ---

static int path_of(int descriptor, char path[4096]) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  long length = kernel(SYS_readlinkat, AT_FDCWD, (long)link, (long)path, 4095, 0);
  if (length < 0) return 0;
  path[length] = 0;
  return 1;
}

static int lies_below(int directory, const char *name) {
  char path[8192];
  if (name && name[0] == '/') {
    snprintf(path, sizeof path, "%s", name);
  } else {
    if (!path_of(directory, path)) return 0;
    if (name && name[0] && strcmp(name, ".") != 0) {
      size_t length = strlen(path);
      snprintf(path + length, sizeof path - length, "/%s", name);
    }
  }
  size_t length = strlen(below);
  return strncmp(path, below, length) == 0 && (path[length] == '/' || path[length] == 0);
}

// Whether this call is to fail, and then errno says why.
static int fails(uint64_t number, int error, int directory, const char *name) {
  if (error == 0 || !below || number < fail_from || !lies_below(directory, name)) return 0;
  if (__atomic_add_fetch(&failures, 1, __ATOMIC_SEQ_CST) > most_failures) return 0;
  errno = error;
  return 1;
}

EXPORTED long syscall(long number, ...) {
  va_list arguments;
  va_start(arguments, number);
  long a[6];
  for (int i = 0; i < 6; i++) a[i] = va_arg(arguments, long);
  va_end(arguments);
  // Waits for other threads are not for the kernel's disks, and as many as they like to be.
  if (next_syscall && number == SYS_futex) {
    return next_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  }
  uint64_t call = begin_call();
  if (number == SYS_getdents64 && fails(call, listing_error, (int)a[0], 0)) return -1;
  // Without a name it is about a file that has been opened.
  if (number == SYS_statx && *(const char *)a[1] &&
      fails(call, listing_error, (int)a[0], (const char *)a[1])) {
    return -1;
  }
  if (number == SYS_openat2) {
    // struct open_how begins with the flags.
    uint64_t flags = *(const uint64_t *)a[2];
    int error = flags & O_DIRECTORY ? listing_error : opening_error;
    if (fails(call, error, (int)a[0], (const char *)a[1])) return -1;
  }
  return next_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

// --- What was done to the database and to what is beside it, and what would outlast a power cut ---

enum { written = 1, truncated = 2, synced = 3, made = 4, removed = 5, renamed = 6, names_synced = 7 };

// In the journal: this, then the bytes that were there, then those that come; of names the old one,
// then the new one, and as offset the number of the call. A file that loses its name is kept under that
// of the journal, with the number that the record has.
struct record {
  uint64_t kind, inode_or_kept, offset, old_length, new_length, old_size;
};

// But for the memory that connections share, which nobody looks at after a power cut.
static int is_journaled(const char *path) {
  if (journal < 0 || !database || !path || strncmp(path, database, strlen(database)) != 0) return 0;
  return !strstr(path + strlen(database), "-shm");
}

static int is_journaled_file(int descriptor) {
  char path[4096];
  return journal >= 0 && path_of(descriptor, path) && is_journaled(path);
}

static void note_name(uint64_t call, uint64_t kind, const char *old, const char *new,
                      uint64_t kept) {
  struct record record = {kind, kept, call, strlen(old), strlen(new), 0};
  size_t size = sizeof record + record.old_length + record.new_length;
  char *memory = malloc(size);
  if (!memory) abort();
  memcpy(memory, &record, sizeof record);
  memcpy(memory + sizeof record, old, record.old_length);
  memcpy(memory + sizeof record + record.old_length, new, record.new_length);
  if (kernel(SYS_write, journal, (long)memory, (long)size, 0, 0) != (long)size) abort();
  free(memory);
}

// The number under which the file is kept that is to lose this name; 0 where there is none.
static uint64_t keep(const char *path) {
  static uint64_t last;
  char name[4200];
  snprintf(name, sizeof name, "%s.%llu", journal_path, (unsigned long long)(last + 1));
  return kernel(SYS_linkat, AT_FDCWD, (long)path, AT_FDCWD, (long)name, 0) == 0 ? ++last : 0;
}

static void note(int descriptor, uint64_t kind, const void *bytes, uint64_t length,
                 uint64_t offset) {
  struct stat status;
  if (kernel(SYS_fstat, descriptor, (long)&status, 0, 0, 0) != 0) abort();
  struct record record = {kind, status.st_ino, offset, 0, length, (uint64_t)status.st_size};
  uint64_t end = kind == truncated ? record.old_size : offset + length;
  if (end > record.old_size) end = record.old_size;
  if (kind != synced && end > offset) record.old_length = end - offset;
  size_t size = sizeof record + record.old_length + length;
  char *memory = malloc(size);
  if (!memory) abort();
  memcpy(memory, &record, sizeof record);
  if (record.old_length > 0 &&
      kernel(SYS_pread64, descriptor, (long)(memory + sizeof record), (long)record.old_length,
             (long)offset, 0) != (long)record.old_length) {
    abort();
  }
  if (length > 0) memcpy(memory + sizeof record + record.old_length, bytes, length);
  if (kernel(SYS_write, journal, (long)memory, (long)size, 0, 0) != (long)size) abort();
  free(memory);
}

static ssize_t write_at(int descriptor, const void *bytes, size_t size, off64_t offset) {
  uint64_t call = begin_call();
  if (fails(call, writing_error, descriptor, 0)) return -1;
  if (!is_journaled_file(descriptor)) {
    return kernel(SYS_pwrite64, descriptor, (long)bytes, (long)size, offset, 0);
  }
  pthread_mutex_lock(&journal_lock);
  note(descriptor, written, bytes, size, (uint64_t)offset);
  ssize_t result = kernel(SYS_pwrite64, descriptor, (long)bytes, (long)size, offset, 0);
  pthread_mutex_unlock(&journal_lock);
  return result;
}

static int truncate_to(int descriptor, off64_t size) {
  uint64_t call = begin_call();
  if (fails(call, writing_error, descriptor, 0)) return -1;
  if (!is_journaled_file(descriptor)) {
    return (int)kernel(SYS_ftruncate, descriptor, size, 0, 0, 0);
  }
  pthread_mutex_lock(&journal_lock);
  note(descriptor, truncated, 0, 0, (uint64_t)size);
  int result = (int)kernel(SYS_ftruncate, descriptor, size, 0, 0, 0);
  pthread_mutex_unlock(&journal_lock);
  return result;
}

// Whether it is of the directory that the database lies in.
static int is_home(int descriptor) {
  char path[4096];
  if (journal < 0 || !database || !path_of(descriptor, path)) return 0;
  size_t length = (size_t)(strrchr(database, '/') - database);
  return strlen(path) == length && strncmp(path, database, length) == 0;
}

static int sync_by(long number, int descriptor) {
  uint64_t call = begin_call();
  if (fails(call, writing_error, descriptor, 0)) return -1;
  int result = (int)kernel(number, descriptor, 0, 0, 0, 0);
  if (result != 0) return result;
  pthread_mutex_lock(&journal_lock);
  if (is_journaled_file(descriptor)) note(descriptor, synced, 0, 0, 0);
  if (is_home(descriptor)) note_name(call, names_synced, "", "", 0);
  pthread_mutex_unlock(&journal_lock);
  return result;
}

EXPORTED ssize_t pwrite(int descriptor, const void *bytes, size_t size, off_t offset) {
  return write_at(descriptor, bytes, size, offset);
}
EXPORTED ssize_t pwrite64(int descriptor, const void *bytes, size_t size, off64_t offset) {
  return write_at(descriptor, bytes, size, offset);
}
EXPORTED int ftruncate(int descriptor, off_t size) { return truncate_to(descriptor, size); }
EXPORTED int ftruncate64(int descriptor, off64_t size) { return truncate_to(descriptor, size); }
EXPORTED int fsync(int descriptor) { return sync_by(SYS_fsync, descriptor); }
EXPORTED int fdatasync(int descriptor) { return sync_by(SYS_fdatasync, descriptor); }

// --- Other calls that are counted ---

EXPORTED ssize_t pread(int descriptor, void *bytes, size_t size, off_t offset) {
  begin_call();
  return kernel(SYS_pread64, descriptor, (long)bytes, (long)size, offset, 0);
}
EXPORTED ssize_t pread64(int descriptor, void *bytes, size_t size, off64_t offset) {
  begin_call();
  return kernel(SYS_pread64, descriptor, (long)bytes, (long)size, offset, 0);
}
EXPORTED ssize_t read(int descriptor, void *bytes, size_t size) {
  begin_call();
  return kernel(SYS_read, descriptor, (long)bytes, (long)size, 0, 0);
}
EXPORTED ssize_t write(int descriptor, const void *bytes, size_t size) {
  begin_call();
  if (!is_journaled_file(descriptor)) {
    return kernel(SYS_write, descriptor, (long)bytes, (long)size, 0, 0);
  }
  pthread_mutex_lock(&journal_lock);
  long offset = kernel(SYS_lseek, descriptor, 0, SEEK_CUR, 0, 0);
  if (offset < 0) abort();
  note(descriptor, written, bytes, size, (uint64_t)offset);
  ssize_t result = kernel(SYS_write, descriptor, (long)bytes, (long)size, 0, 0);
  pthread_mutex_unlock(&journal_lock);
  return result;
}
EXPORTED int close(int descriptor) {
  begin_call();
  return (int)kernel(SYS_close, descriptor, 0, 0, 0, 0);
}
EXPORTED int unlink(const char *path) {
  uint64_t call = begin_call();
  pthread_mutex_lock(&journal_lock);
  uint64_t kept = is_journaled(path) ? keep(path) : 0;
  if (kept > 0) note_name(call, removed, path, "", kept);
  int result = (int)kernel(SYS_unlinkat, AT_FDCWD, (long)path, 0, 0, 0);
  pthread_mutex_unlock(&journal_lock);
  return result;
}
EXPORTED int rename(const char *old, const char *new) {
  uint64_t call = begin_call();
  pthread_mutex_lock(&journal_lock);
  if (is_journaled(old) || is_journaled(new)) note_name(call, renamed, old, new, keep(new));
  int result = (int)kernel(SYS_renameat, AT_FDCWD, (long)old, AT_FDCWD, (long)new, 0);
  pthread_mutex_unlock(&journal_lock);
  return result;
}
EXPORTED ssize_t sendmsg(int socket, const struct msghdr *message, int flags) {
  begin_call();
  return kernel(SYS_sendmsg, socket, (long)message, flags, 0, 0);
}
EXPORTED ssize_t recvmsg(int socket, struct msghdr *message, int flags) {
  begin_call();
  return kernel(SYS_recvmsg, socket, (long)message, flags, 0, 0);
}

static int open_by_path(int directory, const char *path, int flags, va_list arguments) {
  uint64_t call = begin_call();
  long mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(arguments, int) : 0;
  pthread_mutex_lock(&journal_lock);
  if (flags & O_CREAT && is_journaled(path) &&
      kernel(SYS_faccessat, AT_FDCWD, (long)path, F_OK, 0, 0) != 0) {
    note_name(call, made, path, "", 0);
  }
  int result = (int)kernel(SYS_openat, directory, (long)path, flags, mode, 0);
  pthread_mutex_unlock(&journal_lock);
  return result;
}

#define OPEN(name)                                              \
  EXPORTED int name(const char *path, int flags, ...) {         \
    va_list arguments;                                          \
    va_start(arguments, flags);                                 \
    int result = open_by_path(AT_FDCWD, path, flags, arguments); \
    va_end(arguments);                                          \
    return result;                                              \
  }
OPEN(open)
OPEN(open64)

EXPORTED int clock_gettime(clockid_t clock, struct timespec *time) {
  if (!next_clock_gettime) prepare();
  if (clock != CLOCK_REALTIME || fixed_time < 0) return next_clock_gettime(clock, time);
  time->tv_sec = fixed_time / 1000000000;
  time->tv_nsec = fixed_time % 1000000000;
  return 0;
}
