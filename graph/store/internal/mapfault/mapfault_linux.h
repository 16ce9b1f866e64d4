#include <stddef.h>
#include <stdint.h>

/* mapfault_install puts the handler in front of the one that is there. Call once. */
int mapfault_install(void);

/* mapfault_add guards the files below a directory; its path is absolute and without
   links. It returns the number of the guard, or -1, and where it counts. */
int mapfault_add(const char *dir, size_t len, uint32_t **hits);

/* mapfault_remove ends a guard. */
void mapfault_remove(int guard);
