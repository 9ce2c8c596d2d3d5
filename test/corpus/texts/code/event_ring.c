/* Ring of fixed-size events between an interrupt-like producer and one consumer thread. */

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CACHE_LINE 64
#define EVENT_BYTES 48

struct event {
    uint64_t stamp_ns;
    uint32_t kind;
    uint32_t length;
    unsigned char data[EVENT_BYTES];
};

struct ring {
    /* Written by the producer only. */
    _Alignas(CACHE_LINE) _Atomic uint32_t head;
    uint32_t cached_tail;
    _Atomic uint64_t dropped;

    /* Written by the consumer only. */
    _Alignas(CACHE_LINE) _Atomic uint32_t tail;
    uint32_t cached_head;

    _Alignas(CACHE_LINE) uint32_t mask;
    struct event *slots;

    pthread_mutex_t sleep_lock;
    pthread_cond_t wake;
    atomic_bool sleeping;
    atomic_bool closed;
};

static uint64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

int ring_init(struct ring *ring, uint32_t capacity)
{
    if (capacity < 2 || (capacity & (capacity - 1)) != 0)
        return EINVAL;
    memset(ring, 0, sizeof(*ring));
    ring->slots = calloc(capacity, sizeof(*ring->slots));
    if (ring->slots == NULL)
        return ENOMEM;
    ring->mask = capacity - 1;
    pthread_mutex_init(&ring->sleep_lock, NULL);
    pthread_cond_init(&ring->wake, NULL);
    return 0;
}

void ring_destroy(struct ring *ring)
{
    free(ring->slots);
    pthread_cond_destroy(&ring->wake);
    pthread_mutex_destroy(&ring->sleep_lock);
}

static void wake_consumer(struct ring *ring)
{
    if (!atomic_load_explicit(&ring->sleeping, memory_order_seq_cst))
        return;
    pthread_mutex_lock(&ring->sleep_lock);
    pthread_cond_signal(&ring->wake);
    pthread_mutex_unlock(&ring->sleep_lock);
}

/* Never blocks: when there is no room the event is counted and forgotten. */
bool ring_push(struct ring *ring, uint32_t kind, const void *data, uint32_t length)
{
    uint32_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
    struct event *slot;

    assert(length <= EVENT_BYTES);
    if (head - ring->cached_tail > ring->mask) {
        ring->cached_tail = atomic_load_explicit(&ring->tail, memory_order_acquire);
        if (head - ring->cached_tail > ring->mask) {
            atomic_fetch_add_explicit(&ring->dropped, 1, memory_order_relaxed);
            return false;
        }
    }
    slot = &ring->slots[head & ring->mask];
    slot->stamp_ns = now_ns();
    slot->kind = kind;
    slot->length = length;
    memcpy(slot->data, data, length);
    /* The slot must be visible before the index that announces it. */
    atomic_store_explicit(&ring->head, head + 1, memory_order_release);
    atomic_thread_fence(memory_order_seq_cst);
    wake_consumer(ring);
    return true;
}

bool ring_try_pop(struct ring *ring, struct event *out)
{
    uint32_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);

    if (tail == ring->cached_head) {
        ring->cached_head = atomic_load_explicit(&ring->head, memory_order_acquire);
        if (tail == ring->cached_head)
            return false;
    }
    *out = ring->slots[tail & ring->mask];
    atomic_store_explicit(&ring->tail, tail + 1, memory_order_release);
    return true;
}

/* Waits up to timeout_ms; false on timeout or when the ring is closed and empty. */
bool ring_pop(struct ring *ring, struct event *out, unsigned timeout_ms)
{
    struct timespec until;
    int rc = 0;

    if (ring_try_pop(ring, out))
        return true;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += timeout_ms / 1000;
    until.tv_nsec += (long)(timeout_ms % 1000) * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    pthread_mutex_lock(&ring->sleep_lock);
    atomic_store_explicit(&ring->sleeping, true, memory_order_seq_cst);
    /* Look once more after the flag is up, or a push in between would go unnoticed. */
    while (!ring_try_pop(ring, out)) {
        if (rc != 0 || atomic_load(&ring->closed)) {
            atomic_store(&ring->sleeping, false);
            pthread_mutex_unlock(&ring->sleep_lock);
            return false;
        }
        rc = pthread_cond_timedwait(&ring->wake, &ring->sleep_lock, &until);
    }
    atomic_store(&ring->sleeping, false);
    pthread_mutex_unlock(&ring->sleep_lock);
    return true;
}

void ring_close(struct ring *ring)
{
    atomic_store(&ring->closed, true);
    pthread_mutex_lock(&ring->sleep_lock);
    pthread_cond_broadcast(&ring->wake);
    pthread_mutex_unlock(&ring->sleep_lock);
}

uint32_t ring_used(const struct ring *ring)
{
    return atomic_load(&ring->head) - atomic_load(&ring->tail);
}

void ring_print_stats(const struct ring *ring, FILE *out)
{
    fprintf(out, "ring: %u of %u used, %llu dropped\n", ring_used(ring), ring->mask + 1,
            (unsigned long long)atomic_load(&ring->dropped));
}
