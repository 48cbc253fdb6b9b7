// Of libFuzzer, which clang has no header for.
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(int *count, char ***arguments,
                        int (*body)(const uint8_t *bytes, size_t size));
