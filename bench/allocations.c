/* Counts what a program asks of its memory: preloaded, it writes the number of allocations and their bytes into the file
   named by ALLOCATIONS_FILE when the program ends. Compiled by bench/run. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_ullong count, bytes;
static void *(*real_malloc)(size_t);
static void *(*real_calloc)(size_t, size_t);
static void *(*real_realloc)(void *, size_t);
static int (*real_posix_memalign)(void **, size_t, size_t);
static void *(*real_aligned_alloc)(size_t, size_t);

/* dlsym itself asks for memory before the real functions are known. */
static char early[1 << 16];
static size_t early_used;
static int resolving;

static void *from_early(size_t size) {
    size = (size + 15) & ~(size_t)15;
    if (early_used + size > sizeof early) return NULL;
    void *place = early + early_used;
    early_used += size;
    return place;
}

static void resolve(void) {
    resolving = 1;
    real_malloc = dlsym(RTLD_NEXT, "malloc");
    real_calloc = dlsym(RTLD_NEXT, "calloc");
    real_realloc = dlsym(RTLD_NEXT, "realloc");
    real_posix_memalign = dlsym(RTLD_NEXT, "posix_memalign");
    real_aligned_alloc = dlsym(RTLD_NEXT, "aligned_alloc");
    resolving = 0;
}

static void note(size_t size) {
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&bytes, size, memory_order_relaxed);
}

void *malloc(size_t size) {
    if (!real_malloc) {
        if (resolving) return from_early(size);
        resolve();
    }
    note(size);
    return real_malloc(size);
}

void *calloc(size_t items, size_t size) {
    if (!real_calloc) {
        if (resolving) return from_early(items * size);
        resolve();
    }
    note(items * size);
    return real_calloc(items, size);
}

static int is_early(const void *place) { return (const char *)place >= early && (const char *)place < early + sizeof early; }

void *realloc(void *place, size_t size) {
    if (!real_realloc) resolve();
    note(size);
    if (is_early(place)) {
        void *moved = real_malloc(size);
        if (moved) memcpy(moved, place, size);
        return moved;
    }
    return real_realloc(place, size);
}

void free(void *place) {
    static void (*real_free)(void *);
    if (is_early(place)) return;
    if (!real_free) real_free = dlsym(RTLD_NEXT, "free");
    real_free(place);
}

int posix_memalign(void **place, size_t alignment, size_t size) {
    if (!real_posix_memalign) resolve();
    note(size);
    return real_posix_memalign(place, alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    if (!real_aligned_alloc) resolve();
    note(size);
    return real_aligned_alloc(alignment, size);
}

__attribute__((destructor)) static void tell(void) {
    const char *name = getenv("ALLOCATIONS_FILE");
    if (!name) return;
    char text[64];
    int length = snprintf(text, sizeof text, "%llu %llu\n", (unsigned long long)count, (unsigned long long)bytes);
    int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file < 0) return;
    if (write(file, text, (size_t)length) != length) unlink(name);
    close(file);
}
