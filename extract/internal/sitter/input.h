#include <stdbool.h>
#include <stdint.h>

// Parses a text within so many microseconds. NULL when they did not do.
void *ri_parse(void *parser, const char *text, uint32_t len, uint64_t micros);
