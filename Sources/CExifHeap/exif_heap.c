#include "exif_heap.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What does not find room comes from malloc(3). */
enum { ROOM = 64 << 10 };

/* What stands before each object. */
struct piece {
  _Alignas(max_align_t) size_t size;
};

struct photoindexd_exif_heap {
  /* Itself an object of the heap, the first. */
  ExifMem *memory;
  size_t used, used_by_memory, blocks;
  _Alignas(max_align_t) unsigned char room[ROOM];
};

static _Thread_local struct photoindexd_exif_heap *current;

static int is_in_room(const void *object) {
  uintptr_t at = (uintptr_t)object, start = (uintptr_t)current->room;
  return at >= start && at < start + ROOM;
}

static void *take(ExifLong size) {
  size_t whole = sizeof(struct piece) +
                 ((size_t)size + _Alignof(max_align_t) - 1) / _Alignof(max_align_t) *
                     _Alignof(max_align_t);
  if (whole > ROOM - current->used) return calloc(1, size);
  struct piece *piece = (void *)(current->room + current->used);
  current->used += whole;
  piece->size = size;
  return memset(piece + 1, 0, size);
}

static void give_back(void *object) {
  if (!is_in_room(object)) free(object);
}

static void *resize(void *object, ExifLong size) {
  if (!object) return take(size);
  if (!is_in_room(object)) return realloc(object, size);
  size_t old = ((struct piece *)object)[-1].size;
  if (size <= old) return object;
  void *larger = take(size);
  return larger ? memcpy(larger, object, old) : NULL;
}

struct photoindexd_exif_heap *photoindexd_exif_heap_new(void) {
  struct photoindexd_exif_heap *heap = malloc(sizeof *heap);
  if (!heap) return NULL;
  heap->used = heap->blocks = 0;
  current = heap;
  heap->memory = exif_mem_new(take, resize, give_back);
  current = NULL;
  heap->used_by_memory = heap->used;
  return heap;
}

void photoindexd_exif_heap_free(struct photoindexd_exif_heap *heap) {
  if (!heap) return;
  current = heap;
  exif_mem_unref(heap->memory);
  current = NULL;
  free(heap);
}

ExifData *photoindexd_exif_load(struct photoindexd_exif_heap *heap, const unsigned char *bytes,
                                unsigned size) {
  if (heap->blocks == 0) heap->used = heap->used_by_memory;
  current = heap;
  ExifData *data = exif_data_new_mem(heap->memory);
  if (data) {
    heap->blocks++;
    /* Otherwise it adds tags of its own and changes the types of others. */
    exif_data_unset_option(data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION);
    exif_data_unset_option(data, EXIF_DATA_OPTION_IGNORE_UNKNOWN_TAGS);
    exif_data_load_data(data, bytes, size);
  }
  current = NULL;
  return data;
}

void photoindexd_exif_unload(struct photoindexd_exif_heap *heap, ExifData *data) {
  current = heap;
  exif_data_unref(data);
  current = NULL;
  heap->blocks--;
}
