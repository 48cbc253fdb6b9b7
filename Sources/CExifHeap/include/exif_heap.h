#ifndef PHOTOINDEXD_EXIF_HEAP_H
#define PHOTOINDEXD_EXIF_HEAP_H

#include <libexif/exif-data.h>

/* Memory for the objects that libexif makes of one block after the other. Of a block with twenty tags
   it makes more than a hundred, whose malloc(3) and free(3) would take a third of the time of its
   decoding; here each begins where the last one ends, and all of them go at once. */
struct photoindexd_exif_heap;

/* NULL: no memory. */
struct photoindexd_exif_heap *photoindexd_exif_heap_new(void);
void photoindexd_exif_heap_free(struct photoindexd_exif_heap *heap);

/* Decodes a block. As libexif gives its allocators nothing but a size, a heap serves one thread at a
   time. NULL: no memory. */
ExifData *photoindexd_exif_load(struct photoindexd_exif_heap *heap, const unsigned char *bytes,
                                unsigned size);
void photoindexd_exif_unload(struct photoindexd_exif_heap *heap, ExifData *data);

#endif
