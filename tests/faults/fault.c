/* Makes a call of a program fail: a library for LD_PRELOAD, for the campaigns beside it.
 *
 *   FAULT=WHAT      what is counted: "memory", or some of the names in `kinds` below
 *   FAULT_AT=N      the N-th of them fails, counted from 1 when main begins; 0: none
 *   FAULT_ON=1      and all that follow
 *   FAULT_ERROR=E   how: a number of errno, "short" (a part is read or written), or
 *                   "kill" or "term" (the process gets that signal before the call is
 *                   made), "trap" (a debugger stops there), "cut" or "change" (the file
 *                   FAULT_FILE loses all but FAULT_SIZE bytes, or its first so many get
 *                   other values, before the call is made)
 *   FAULT_WITH=W    the memory that libraries ask for whose names hold one of these words
 *                   is counted, too ("ncurses libtinfo"); "text": that for cairo's texts
 *   FAULT_LOG=FILE  gets a line for the first call that failed ("hit N NAME") and one at
 *                   the end of the program ("calls N")
 *
 * Memory is what the program and its libraries ask of malloc and its like; libraries
 * that end the process when memory is short (`spared`) are left out. System calls are
 * seen where they enter the kernel, those of stdio included: a filter of seccomp raises
 * SIGSYS, whose handler counts the call, and makes it or makes up its failure. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <locale.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/ucontext.h>
#include <unistd.h>

#ifndef __x86_64__
#error "the registers of other processors are not known here"
#endif

enum {
    SHORT = -1,
    KILL = -2,
    TERM = -3,
    TRAP = -4,
    CUT = -5,
    CHANGE = -6,
    CALLS_MAX = 128,
    SPARED_MAX = 64
};

static atomic_bool armed;
static atomic_long counted;
static long at;
static bool on, memory;
static int how = ENOMEM;
static int log_to = -1;
static const char *file; /* to be cut or changed, to or by so many bytes */
static long file_size;

/* --- system calls ----------------------------------------------------------------- */

static const struct kind {
    const char *name;
    int call[6];
} kinds[] = {
    {"open", {SYS_open, SYS_openat, -1}},
    {"read", {SYS_read, SYS_pread64, SYS_readv, -1}},
    {"write", {SYS_write, SYS_pwrite64, SYS_writev, -1}},
    {"close", {SYS_close, -1}},
    {"sync", {SYS_fsync, SYS_fdatasync, -1}},
    {"rename", {SYS_rename, SYS_renameat, SYS_renameat2, -1}},
    {"mkdir", {SYS_mkdir, SYS_mkdirat, -1}},
    {"remove", {SYS_unlink, SYS_unlinkat, SYS_rmdir, -1}},
    {"truncate", {SYS_truncate, SYS_ftruncate, -1}},
    {"stat", {SYS_stat, SYS_fstat, SYS_lstat, SYS_newfstatat, SYS_statx, -1}},
    {"list", {SYS_getdents64, -1}},
    {"lock", {SYS_flock, -1}},
    {"link", {SYS_readlink, SYS_readlinkat, -1}},
    {"dup", {SYS_dup, SYS_dup3, SYS_pipe, SYS_pipe2, -1}},
    {"map", {SYS_mmap, SYS_mremap, -1}},
    {"poll", {SYS_poll, SYS_ppoll, SYS_select, SYS_pselect6, -1}},
};

static atomic_long of_kind[sizeof kinds / sizeof kinds[0]];

static const char *name_of(long call)
{
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        for (const int *c = kinds[k].call; *c >= 0; c++)
            if (*c == call)
                return kinds[k].name;
    return "?";
}

/* The one place from which the kernel takes every call. */
long fault_call(long call, long a, long b, long c, long d, long e, long f);
extern const char fault_called[];
__asm__(".text\n"
        ".globl fault_call, fault_called\n"
        "fault_call:\n"
        "    mov %rdi, %rax\n"
        "    mov %rsi, %rdi\n"
        "    mov %rdx, %rsi\n"
        "    mov %rcx, %rdx\n"
        "    mov %r8, %r10\n"
        "    mov %r9, %r8\n"
        "    mov 8(%rsp), %r9\n"
        "    syscall\n"
        "fault_called:\n"
        "    ret\n");

/* --- left out ---------------------------------------------------------------------
 * Functions of libraries that ask others for what they need: all of it is left out. */

static _Thread_local bool left_out;
static const char *with = ""; /* what is not left out, as FAULT_WITH says */

/* Of the three, one takes a third argument. */
#define TEXT(name)                                                                     \
    void name(void *cairo, const char *text, void *third);                             \
    void name(void *cairo, const char *text, void *third)                              \
    {                                                                                  \
        void (*next)(void *, const char *, void *);                                    \
                                                                                       \
        *(void **)&next = dlsym(RTLD_NEXT, #name);                                     \
        left_out = !strstr(with, "text");                                              \
        next(cairo, text, third);                                                      \
        left_out = false;                                                              \
    }
TEXT(cairo_text_extents)
TEXT(cairo_text_path)
TEXT(cairo_show_text)

char *setlocale(int category, const char *locale)
{
    char *(*next)(int, const char *);
    char *said;

    *(void **)&next = dlsym(RTLD_NEXT, "setlocale");
    left_out = true;
    said = next(category, locale);
    left_out = false;
    return said;
}

/* --- counting --------------------------------------------------------------------- */

static void note(const char *word, long n, const char *name)
{
    char text[80];
    int length = snprintf(text, sizeof text, "%s %ld %s\n", word, n, name);

    fault_call(SYS_write, log_to, (long)text, length, 0, 0, 0);
}

static void change_file(void)
{
    static const char other[] = "\177\0\"\n,\377\33[";
    long fd = fault_call(SYS_open, (long)file, O_WRONLY, 0, 0, 0, 0);

    for (long n = 0; n < file_size; n += (long)sizeof other)
        fault_call(SYS_write, fd, (long)other, sizeof other, 0, 0, 0);
    fault_call(SYS_close, fd, 0, 0, 0, 0, 0);
}

/* Count one; whether it must fail. */
static bool must_fail(const char *name)
{
    long n;

    if (left_out)
        return false;
    n = atomic_fetch_add(&counted, 1) + 1;
    for (size_t k = 0; !at && k < sizeof kinds / sizeof kinds[0]; k++)
        if (strncmp(name, kinds[k].name, strlen(kinds[k].name)) == 0)
            atomic_fetch_add(&of_kind[k], 1);
    if (!at || n < at || (n > at && !on))
        return false;
    if (n == at)
        note("hit", n, name);
    if (how == KILL || how == TERM)
        fault_call(SYS_kill, getpid(), how == KILL ? SIGKILL : SIGTERM, 0, 0, 0, 0);
    if (how == TRAP)
        raise(SIGTRAP);
    if (how == CUT)
        fault_call(SYS_truncate, (long)file, file_size, 0, 0, 0, 0);
    if (how == CHANGE)
        change_file();
    return how != TERM && how != CUT && how != CHANGE;
}

static bool is_of_kind(long fd, mode_t kind)
{
    struct stat info;

    return fault_call(SYS_fstat, fd, (long)&info, 0, 0, 0, 0) == 0 &&
           (info.st_mode & S_IFMT) == kind;
}

/* What stands for a call that must fail. */
static long failed_call(long call, const long a[6])
{
    bool moves = call == SYS_read || call == SYS_write || call == SYS_pread64 ||
                 call == SYS_pwrite64;

    if (call == SYS_close) /* it is closed whatever it says */
        fault_call(call, a[0], 0, 0, 0, 0, 0);
    if (how != SHORT)
        return -how;
    return fault_call(call, a[0], a[1], moves ? (a[2] + 1) / 2 : a[2], a[3], a[4],
                      a[5]);
}

static void trapped(int number, siginfo_t *info, void *context)
{
    greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;
    long a[6] = {r[REG_RDI], r[REG_RSI], r[REG_RDX], r[REG_R10], r[REG_R8], r[REG_R9]};
    long call = info->si_syscall;
    const char *name = name_of(call);
    int saved = errno;

    (void)number;
    if (call == SYS_fsync && is_of_kind(a[0], S_IFDIR))
        name = "sync-folder";
    /* What is said of a failure goes elsewhere than what failed; a pipe between threads is
     * no disk. */
    if ((call == SYS_write && a[0] == STDERR_FILENO) ||
        ((call == SYS_write || call == SYS_read) && a[0] > STDERR_FILENO &&
         is_of_kind(a[0], S_IFIFO)))
        r[REG_RAX] = fault_call(call, a[0], a[1], a[2], 0, 0, 0);
    else if (atomic_load(&armed) && must_fail(name))
        r[REG_RAX] = failed_call(call, a);
    else
        r[REG_RAX] = fault_call(call, a[0], a[1], a[2], a[3], a[4], a[5]);
    errno = saved;
}

/* Have the calls of some kinds raise SIGSYS, but from fault_call. */
static bool trap_calls(const char *wanted)
{
    struct sigaction action = {.sa_sigaction = trapped,
                               .sa_flags = SA_SIGINFO | SA_NODEFER};
    struct sock_filter f[CALLS_MAX];
    uint64_t from = (uint64_t)(uintptr_t)fault_called;
    unsigned short n = 0, first;

    f[n++] = (struct sock_filter)BPF_STMT(
        BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer));
    f[n++] =
        (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)from, 0, 3);
    f[n++] = (struct sock_filter)BPF_STMT(
        BPF_LD | BPF_W | BPF_ABS,
        offsetof(struct seccomp_data, instruction_pointer) + 4);
    f[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
                                          (uint32_t)(from >> 32), 0, 1);
    f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    f[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                          offsetof(struct seccomp_data, nr));
    first = n;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        const char *found = strstr(wanted, kinds[k].name);

        for (const int *c = kinds[k].call; found && *c >= 0; c++) {
            f[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
                                                  (uint32_t)*c, 0, 1);
            f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
        }
    }
    f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    sigemptyset(&action.sa_mask);
    return n > first + 1 && sigaction(SIGSYS, &action, NULL) == 0 &&
           prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &(struct sock_fprog){n, f}) == 0;
}

/* Nobody blocks SIGSYS or takes it over: a trapped call would end the process. */

static const sigset_t *without_trap(const sigset_t *set, sigset_t *copy)
{
    if (!set)
        return NULL;
    *copy = *set;
    sigdelset(copy, SIGSYS);
    return copy;
}

int pthread_sigmask(int change, const sigset_t *set, sigset_t *before)
{
    static int (*next)(int, const sigset_t *, sigset_t *);
    sigset_t copy;

    if (!next)
        next = (int (*)(int, const sigset_t *, sigset_t *))dlsym(RTLD_NEXT,
                                                                 "pthread_sigmask");
    return next(change, without_trap(set, &copy), before);
}

int sigprocmask(int change, const sigset_t *set, sigset_t *before)
{
    int failed = pthread_sigmask(change, set, before);

    if (failed)
        errno = failed;
    return failed ? -1 : 0;
}

int sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
    static int (*next)(int, const struct sigaction *, struct sigaction *);
    struct sigaction copy;

    if (!next)
        next = (int (*)(int, const struct sigaction *, struct sigaction *))dlsym(
            RTLD_NEXT, "sigaction");
    if (number == SIGSYS && atomic_load(&armed))
        return 0;
    if (action) {
        copy = *action;
        sigdelset(&copy.sa_mask, SIGSYS);
    }
    return next(number, action ? &copy : NULL, before);
}

/* --- memory ------------------------------------------------------------------------ */

/* Libraries that end the process when memory is short, read addresses through NULL
 * (fontconfig, cairo, ncurses), or leave something out and say nothing (cairo and what it calls,
 * the locale). */
static const char *const spared[] = {
    "openblas", "gfortran", "ld-linux", "libfault", "libasan", "libtsan", "libubsan",
    "cairo",    "pixman",   "libz.",    "freetype", "libpng",  "ncurses", "libtinfo"};
static struct range {
    uintptr_t from, to;
} range[SPARED_MAX];
static size_t ranges;

static int take_range(struct dl_phdr_info *info, size_t size, void *context)
{
    bool is = false;

    (void)size;
    (void)context;
    for (size_t i = 0; i < sizeof spared / sizeof spared[0]; i++)
        is |= strstr(info->dlpi_name, spared[i]) && !strstr(with, spared[i]);
    for (int i = 0; is && i < info->dlpi_phnum && ranges < SPARED_MAX; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X) {
            uintptr_t from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;

            range[ranges++] = (struct range){from, from + info->dlpi_phdr[i].p_memsz};
        }
    return 0;
}

static bool refuse(const void *caller)
{
    if (!memory || !atomic_load(&armed))
        return false;
    for (size_t i = 0; i < ranges; i++)
        if ((uintptr_t)caller >= range[i].from && (uintptr_t)caller < range[i].to)
            return false;
    if (!must_fail("memory"))
        return false;
    errno = ENOMEM;
    return true;
}

/* The next in line: libc's, or a sanitizer's. dlsym itself may ask for some. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
static _Thread_local bool looking;

#define NEXT(type, name, arguments)                                                    \
    static type(*next) arguments;                                                      \
    if (!next) {                                                                       \
        looking = true;                                                                \
        next = (type(*) arguments)dlsym(RTLD_NEXT, name);                              \
        looking = false;                                                               \
    }

void *malloc(size_t size)
{
    if (looking)
        return __libc_malloc(size);
    NEXT(void *, "malloc", (size_t))
    return refuse(__builtin_return_address(0)) ? NULL : next(size);
}

void *calloc(size_t count, size_t size)
{
    if (looking)
        return __libc_calloc(count, size);
    NEXT(void *, "calloc", (size_t, size_t))
    return refuse(__builtin_return_address(0)) ? NULL : next(count, size);
}

void *realloc(void *block, size_t size)
{
    NEXT(void *, "realloc", (void *, size_t))
    return refuse(__builtin_return_address(0)) ? NULL : next(block, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    NEXT(void *, "aligned_alloc", (size_t, size_t))
    return refuse(__builtin_return_address(0)) ? NULL : next(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    NEXT(int, "posix_memalign", (void **, size_t, size_t))
    return refuse(__builtin_return_address(0)) ? ENOMEM : next(block, alignment, size);
}

/* Called by libraries that are left out. */
char *strdup(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = refuse(__builtin_return_address(0)) ? NULL : malloc(size);

    return copy ? memcpy(copy, text, size) : NULL;
}

/* --- from main on ------------------------------------------------------------------ */

static int (*real_main)(int, char **, char **);

static void finish(void)
{
    atomic_store(&armed, false);
    for (size_t k = 0; !at && k < sizeof kinds / sizeof kinds[0]; k++)
        note("kind", atomic_load(&of_kind[k]), kinds[k].name);
    note("calls", atomic_load(&counted), "");
}

static int armed_main(int argc, char **argv, char **environment)
{
    const char *what = getenv("FAULT"), *error = getenv("FAULT_ERROR");
    const char *path = getenv("FAULT_LOG");

    unsetenv("LD_PRELOAD"); /* what the program starts is left alone */
    if (!what || !path)
        return real_main(argc, argv, environment);
    log_to = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    log_to = fcntl(log_to, F_DUPFD_CLOEXEC, 900);
    at = getenv("FAULT_AT") ? strtol(getenv("FAULT_AT"), NULL, 10) : 0;
    on = getenv("FAULT_ON") != NULL;
    file = getenv("FAULT_FILE");
    file_size = getenv("FAULT_SIZE") ? strtol(getenv("FAULT_SIZE"), NULL, 10) : 0;
    memory = strcmp(what, "memory") == 0;
    if (error && *error)
        how = strcmp(error, "short") == 0    ? SHORT
              : strcmp(error, "kill") == 0   ? KILL
              : strcmp(error, "term") == 0   ? TERM
              : strcmp(error, "cut") == 0    ? CUT
              : strcmp(error, "change") == 0 ? CHANGE
              : strcmp(error, "trap") == 0   ? TRAP
                                             : (int)strtol(error, NULL, 10);
    if (getenv("FAULT_WITH"))
        with = getenv("FAULT_WITH");
    dl_iterate_phdr(take_range, NULL);
    atexit(finish);
    if (log_to < 0 || (!memory && !trap_calls(what))) {
        fputs("fault: cannot trap system calls here\n", stderr);
        return 99;
    }
    atomic_store(&armed, true);
    return real_main(argc, argv, environment);
}

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv,
                      void (*init)(void), void (*fini)(void), void (*ld)(void),
                      void *stack);
int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv,
                      void (*init)(void), void (*fini)(void), void (*ld)(void),
                      void *stack)
{
    int (*next)(int (*)(int, char **, char **), int, char **, void (*)(void),
                void (*)(void), void (*)(void), void *);

    *(void **)&next = dlsym(RTLD_NEXT, "__libc_start_main");
    real_main = main;
    return next(armed_main, argc, argv, init, fini, ld, stack);
}
