#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "mapfault_linux.h"

/* Only calls that are allowed in a signal handler are made from handle. */

#define SLOTS 256
#define PREFIX 4096

struct slot {
	_Atomic int used;
	_Atomic uint32_t hits;
	size_t len;
	char prefix[PREFIX];
};

static struct slot slots[SLOTS];
/* mended stands for a page that another thread has just put in place. */
static struct slot mended;
static struct sigaction before;
/* busy is held while a page is put in place: a second one in the same place would
   take away what was written to the first. */
static atomic_flag busy = ATOMIC_FLAG_INIT;
static uintptr_t page;

/* match returns the slot below whose directory the mapped file of a line of
   /proc/self/maps lies, if at is an address of that mapping. */
static struct slot *match(const char *line, size_t len, uintptr_t at) {
	uintptr_t edge[2] = {0, 0};
	size_t i = 0;
	for (int e = 0; e < 2; e++, i++) {
		for (; i < len && line[i] != '-' && line[i] != ' '; i++) {
			char c = line[i];
			edge[e] = edge[e] << 4 | (uintptr_t)(c <= '9' ? c - '0' : c - 'a' + 10);
		}
	}
	if (at < edge[0] || at >= edge[1] || i + 2 > len || line[i + 1] != 'w')
		return NULL;
	const char *path = memchr(line, '/', len);
	if (path == NULL) /* memory without a file has no such faults */
		return i + 4 <= len && line[i + 3] == 'p' ? &mended : NULL;
	len -= (size_t)(path - line);
	for (int s = 0; s < SLOTS; s++) {
		struct slot *t = &slots[s];
		if (atomic_load(&t->used) == 2 && len > t->len && path[t->len] == '/' && memcmp(path, t->prefix, t->len) == 0)
			return t;
	}
	return NULL;
}

/* owner finds the slot to which an address belongs. */
static struct slot *owner(uintptr_t at) {
	char chunk[1024], line[PREFIX + 128];
	size_t n = 0;
	struct slot *found = NULL;
	int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	while (found == NULL) {
		ssize_t got = read(fd, chunk, sizeof chunk);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		for (ssize_t i = 0; i < got && found == NULL; i++) {
			if (chunk[i] != '\n') {
				if (n < sizeof line)
					line[n++] = chunk[i];
				continue;
			}
			found = match(line, n, at);
			n = 0;
		}
	}
	close(fd);
	return found;
}

static void pass_on(int sig, siginfo_t *info, void *context) {
	if (before.sa_flags & SA_SIGINFO) {
		before.sa_sigaction(sig, info, context);
	} else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
		before.sa_handler(sig);
	} else {
		signal(sig, SIG_DFL); /* the access is made again, and ends the process */
	}
}

static void handle(int sig, siginfo_t *info, void *context) {
	int keep = errno;
	struct slot *s = NULL;
	if (info->si_code == BUS_ADRERR) {
		uintptr_t at = (uintptr_t)info->si_addr & ~(page - 1);
		while (atomic_flag_test_and_set(&busy))
			sched_yield();
		s = owner(at);
		if (s != NULL && s != &mended && mmap((void *)at, page, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
			s = NULL;
		atomic_flag_clear(&busy);
	}
	if (s != NULL)
		atomic_fetch_add(&s->hits, 1);
	errno = keep;
	if (s == NULL)
		pass_on(sig, info, context);
}

int mapfault_install(void) {
	struct sigaction act;
	page = (uintptr_t)sysconf(_SC_PAGESIZE);
	memset(&act, 0, sizeof act);
	act.sa_sigaction = handle;
	/* As the runtime asks for: on its signal stack, all signals held back. */
	act.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
	sigfillset(&act.sa_mask);
	return sigaction(SIGBUS, &act, &before);
}

int mapfault_add(const char *dir, size_t len, uint32_t **hits) {
	if (len >= PREFIX)
		return -1;
	for (int s = 0; s < SLOTS; s++) {
		int none = 0;
		if (!atomic_compare_exchange_strong(&slots[s].used, &none, 1))
			continue;
		memcpy(slots[s].prefix, dir, len);
		slots[s].len = len;
		atomic_store(&slots[s].hits, 0);
		atomic_store(&slots[s].used, 2);
		*hits = (uint32_t *)&slots[s].hits;
		return s;
	}
	return -1;
}

void mapfault_remove(int s) { atomic_store(&slots[s].used, 0); }
