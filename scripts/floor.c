/* The floor that scripts/bench measures a first index against: one thread walks a tree, opens each
   file, reads its head, hands the EXIF block to libexif, takes make, model, time and position, and
   inserts a row into SQLite, all rows in one transaction.

   usage: floor DIR DATABASE stat|read|exif|all      (how far to go with each file) */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <libexif/exif-data.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD = 65536, TEXT = 64, GPS_LATITUDE = 2, GPS_LONGITUDE = 4 };
enum mode { STAT, READ, EXIF, ALL };

static enum mode mode;
static sqlite3 *database;
static sqlite3_stmt *insert;
static long files, with_make;
static unsigned char head[HEAD];

struct fields {
  char make[TEXT], model[TEXT], taken[TEXT], latitude[TEXT], longitude[TEXT];
};

static void get(ExifData *data, ExifIfd ifd, int tag, char *text) {
  ExifEntry *entry = exif_content_get_entry(data->ifd[ifd], (ExifTag)tag);
  if (entry) exif_entry_get_value(entry, text, TEXT);
}

static void decode(const unsigned char *block, unsigned size, struct fields *fields) {
  ExifData *data = exif_data_new();
  exif_data_unset_option(data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION);
  exif_data_load_data(data, block, size);
  get(data, EXIF_IFD_0, EXIF_TAG_MAKE, fields->make);
  get(data, EXIF_IFD_0, EXIF_TAG_MODEL, fields->model);
  get(data, EXIF_IFD_EXIF, EXIF_TAG_DATE_TIME_ORIGINAL, fields->taken);
  get(data, EXIF_IFD_GPS, GPS_LATITUDE, fields->latitude);
  get(data, EXIF_IFD_GPS, GPS_LONGITUDE, fields->longitude);
  exif_data_unref(data);
}

static void find_exif(ssize_t count, struct fields *fields) {
  if (count < 4 || head[0] != 0xff || head[1] != 0xd8) return;
  for (ssize_t at = 2; at + 4 <= count && head[at] == 0xff && head[at + 1] != 0xda;) {
    unsigned length = head[at + 2] << 8 | head[at + 3];
    if (head[at + 1] == 0xe1 && at + 2 + (ssize_t)length <= count && length > 8 &&
        !memcmp(head + at + 4, "Exif\0\0", 6)) {
      decode(head + at + 4, length - 2, fields);
      return;
    }
    at += 2 + length;
  }
}

static void store(const char *path, const struct stat *status, const struct fields *fields) {
  const char *texts[] = {fields->make, fields->model, fields->taken, fields->latitude,
                         fields->longitude};
  sqlite3_bind_text(insert, 1, path, -1, SQLITE_TRANSIENT);
  sqlite3_bind_int64(insert, 2, status->st_mtim.tv_sec * 1000000000LL + status->st_mtim.tv_nsec);
  sqlite3_bind_int64(insert, 3, status->st_size);
  for (int i = 0; i < 5; i++) sqlite3_bind_text(insert, 4 + i, texts[i], -1, SQLITE_TRANSIENT);
  if (sqlite3_step(insert) != SQLITE_DONE) exit((fprintf(stderr, "%s\n", sqlite3_errmsg(database)), 1));
  sqlite3_reset(insert);
}

static void visit(int directory, const char *name, const char *path) {
  struct stat status;
  if (fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW)) return;
  files++;
  if (mode == STAT) return;
  int file = openat(directory, name, O_RDONLY | O_NOFOLLOW);
  if (file < 0) return;
  ssize_t count = pread(file, head, HEAD, 0);
  close(file);
  if (mode == READ) return;
  struct fields fields = {"", "", "", "", ""};
  find_exif(count, &fields);
  with_make += fields.make[0] != 0;
  if (mode == ALL) store(path, &status, &fields);
}

static void walk(const char *path) {
  DIR *directory = opendir(path);
  if (!directory) return;
  struct dirent *entry;
  while ((entry = readdir(directory))) {
    if (entry->d_name[0] == '.') continue;
    char below[4096];
    if (snprintf(below, sizeof below, "%s/%s", path, entry->d_name) >= (int)sizeof below) continue;
    if (entry->d_type == DT_DIR) walk(below);
    else visit(dirfd(directory), entry->d_name, below);
  }
  closedir(directory);
}

static void run(const char *sql) {
  char *message = NULL;
  if (sqlite3_exec(database, sql, NULL, NULL, &message)) exit((fprintf(stderr, "%s\n", message), 1));
}

int main(int count, char **words) {
  const char *modes[] = {"stat", "read", "exif", "all"};
  if (count != 4) return fprintf(stderr, "usage: floor DIR DATABASE stat|read|exif|all\n"), 64;
  for (mode = STAT; mode <= ALL && strcmp(words[3], modes[mode]); mode++) continue;
  if (mode > ALL) return fprintf(stderr, "%s: no such mode\n", words[3]), 64;
  unlink(words[2]);
  if (sqlite3_open(words[2], &database)) return 1;
  run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
      "CREATE TABLE photo (id INTEGER PRIMARY KEY, path TEXT UNIQUE, mtime INT, size INT, make TEXT,"
      " model TEXT, taken TEXT, latitude TEXT, longitude TEXT) STRICT; BEGIN");
  sqlite3_prepare_v2(database,
                     "INSERT INTO photo (path, mtime, size, make, model, taken, latitude, longitude)"
                     " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                     -1, &insert, NULL);
  walk(words[1]);
  run("COMMIT");
  printf("%ld files, %ld with a make\n", files, with_make);
  return 0;
}
