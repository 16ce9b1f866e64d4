package c

import "strings"

// standardHeader reports whether a header is one of the C or POSIX libraries. A tree
// that has a file of the name means another thing by <...>.
func standardHeader(name string) bool {
	switch name {
	case "assert.h", "complex.h", "ctype.h", "errno.h", "fenv.h", "float.h", "inttypes.h", "iso646.h", "limits.h", "locale.h",
		"math.h", "setjmp.h", "signal.h", "stdalign.h", "stdarg.h", "stdatomic.h", "stdbool.h", "stddef.h", "stdint.h", "stdio.h",
		"stdlib.h", "stdnoreturn.h", "string.h", "tgmath.h", "threads.h", "time.h", "uchar.h", "wchar.h", "wctype.h",
		"unistd.h", "fcntl.h", "pthread.h", "dirent.h", "dlfcn.h", "glob.h", "grp.h", "iconv.h", "langinfo.h", "libgen.h", "netdb.h",
		"poll.h", "pwd.h", "regex.h", "sched.h", "semaphore.h", "spawn.h", "strings.h", "syslog.h", "termios.h", "utime.h", "wordexp.h",
		"getopt.h", "malloc.h", "alloca.h", "windows.h", "execinfo.h", "endian.h", "features.h":
		return true
	}
	for _, dir := range [...]string{"sys/", "netinet/", "arpa/", "net/"} {
		if strings.HasPrefix(name, dir) {
			return true
		}
	}
	return false
}

// predefined reports whether a compiler provides a name.
func predefined(name string) bool {
	if strings.HasPrefix(name, "__builtin_") || strings.HasPrefix(name, "__sync_") || strings.HasPrefix(name, "__atomic_") {
		return true
	}
	switch name {
	case "__FILE__", "__LINE__", "__func__", "__FUNCTION__", "__DATE__", "__TIME__", "__VA_ARGS__", "__cplusplus", "__PRETTY_FUNCTION__", "__COUNTER__":
		return true
	}
	return false
}

// standardName reports whether a function is of the C or POSIX libraries. Where no
// declaration in the tree is seen, the name means that one.
func standardName(name string) bool {
	switch name {
	case "abort", "abs", "accept", "access", "acos", "alarm", "asctime", "asin", "assert", "atan", "atan2", "atexit", "atof", "atoi", "atol", "atoll",
		"bind", "bsearch", "calloc", "ceil", "chdir", "chmod", "chown", "clearerr", "clock", "clock_gettime", "close", "closedir", "connect",
		"cos", "cosh", "creat", "ctime", "difftime", "div", "dup", "dup2", "execl", "execlp", "execv", "execve", "execvp", "exit", "_exit", "exp",
		"fabs", "fclose", "fcntl", "fdopen", "feof", "ferror", "fflush", "fgetc", "fgets", "fileno", "floor", "fmod", "fopen", "fork", "fprintf",
		"fputc", "fputs", "fread", "free", "freeaddrinfo", "freopen", "frexp", "fscanf", "fseek", "fseeko", "fsetpos", "fstat", "fsync", "ftell",
		"ftello", "ftruncate", "fwrite", "getaddrinfo", "getc", "getchar", "getcwd", "getenv", "geteuid", "getgid", "gethostname", "getopt",
		"getopt_long", "getpeername", "getpgrp", "getpid", "getppid", "getpwnam", "getpwuid", "getrlimit", "getrusage", "getsockname",
		"getsockopt", "gettimeofday", "getuid", "gmtime", "gmtime_r", "htonl", "htons", "inet_ntop", "inet_pton", "ioctl", "isalnum",
		"isalpha", "isatty", "iscntrl", "isdigit", "isgraph", "islower", "isprint", "ispunct", "isspace", "isupper", "isxdigit", "isinf", "isnan", "kill",
		"labs", "ldexp", "link", "listen", "llabs", "localeconv", "localtime", "localtime_r", "log", "log10", "log2", "longjmp", "lseek", "lstat",
		"main", "malloc", "memchr", "memcmp", "memcpy", "memmove", "memset", "mkdir", "mkstemp", "mktime", "mmap", "modf", "mprotect", "munmap",
		"nanosleep", "ntohl", "ntohs", "open", "opendir", "pause", "perror", "pipe", "poll", "posix_memalign", "pow", "printf", "pthread_create",
		"pthread_join", "pthread_mutex_init", "pthread_mutex_lock", "pthread_mutex_unlock", "pthread_cond_wait", "pthread_cond_signal", "putc",
		"putchar", "putenv", "puts", "qsort", "raise", "rand", "random", "read", "readdir", "readlink", "realloc", "realpath", "recv", "recvfrom",
		"regcomp", "regexec", "regfree", "remove", "rename", "rewind", "rmdir", "round", "scanf", "select", "send", "sendto", "setbuf", "setenv",
		"setgid", "setitimer", "setjmp", "setlocale", "setrlimit", "setsid", "setsockopt", "setuid", "setvbuf", "shutdown", "sigaction",
		"sigaddset", "sigemptyset", "signal", "sigprocmask", "sin", "sinh", "sleep", "snprintf", "socket", "socketpair", "sprintf", "sqrt", "srand",
		"srandom", "sscanf", "stat", "strcasecmp", "strcasestr", "strcat", "strchr", "strcmp", "strcoll", "strcpy", "strcspn", "strdup", "strerror",
		"strftime", "strlen", "strncasecmp", "strncat", "strncmp", "strncpy", "strndup", "strnlen", "strpbrk", "strrchr", "strsignal", "strspn",
		"strstr", "strtod", "strtof", "strtok", "strtok_r", "strtol", "strtold", "strtoll", "strtoul", "strtoull", "symlink", "sync", "sysconf",
		"syslog", "system", "tan", "tanh", "tcgetattr", "tcsetattr", "time", "times", "tmpfile", "toascii", "tolower", "toupper", "trunc", "truncate",
		"ttyname", "umask", "uname", "ungetc", "unlink", "unsetenv", "usleep", "utime", "utimes", "va_arg", "va_copy", "va_end", "va_start",
		"vfprintf", "vprintf", "vsnprintf", "vsprintf", "wait", "wait3", "waitpid", "write", "writev", "readv", "pread", "pwrite", "offsetof":
		return true
	}
	return false
}

// containerMember reports whether the containers, strings and pointers of the C++
// library have members of a name: on something unknown it says nothing.
func containerMember(name string) bool {
	switch name {
	case "size", "empty", "begin", "end", "cbegin", "cend", "rbegin", "rend", "data", "clear", "find", "get", "reset", "release", "insert", "erase",
		"push_back", "pop_back", "emplace", "emplace_back", "push", "pop", "top", "front", "back", "at", "count", "c_str", "str", "length", "substr",
		"append", "assign", "resize", "reserve", "capacity", "swap", "first", "second", "lower_bound", "upper_bound", "compare", "value",
		"has_value", "lock", "unlock", "load", "store", "wait", "join", "what", "open", "close", "good", "write", "read", "flush":
		return true
	}
	return false
}
