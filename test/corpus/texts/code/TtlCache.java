package com.example.util;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * A bounded cache whose entries age. Callers that ask for the same missing key share one load.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
public final class TtlCache<K, V> {

    private static final class Node<K, V> {
        final K key;
        V value;
        long expiresAt;
        long refreshAt;
        Node<K, V> newer;
        Node<K, V> older;

        Node(K key) {
            this.key = key;
        }
    }

    private final Map<K, Node<K, V>> nodes = new HashMap<>();
    private final Map<K, CompletableFuture<V>> loading = new HashMap<>();
    private final int capacity;
    private final long ttlNanos;
    private final long refreshNanos;
    private final Function<K, V> loader;
    private final Executor executor;
    private final LongSupplier ticker;
    private Node<K, V> newest;
    private Node<K, V> oldest;
    private long hits;
    private long misses;
    private long evictions;

    public TtlCache(int capacity, long ttlNanos, Function<K, V> loader, Executor executor, LongSupplier ticker) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity " + capacity);
        }
        this.capacity = capacity;
        this.ttlNanos = ttlNanos;
        this.refreshNanos = ttlNanos / 4 * 3;
        this.loader = loader;
        this.executor = executor;
        this.ticker = ticker;
    }

    /** The value of a key, loaded when it is missing or too old. */
    public V get(K key) {
        CompletableFuture<V> pending;
        boolean mine = false;
        synchronized (this) {
            long now = ticker.getAsLong();
            Node<K, V> node = nodes.get(key);
            if (node != null && node.expiresAt - now > 0) {
                hits++;
                touch(node);
                if (node.refreshAt - now <= 0) {
                    refreshLater(node, now);
                }
                return node.value;
            }
            misses++;
            pending = loading.get(key);
            if (pending == null) {
                pending = new CompletableFuture<>();
                loading.put(key, pending);
                mine = true;
            }
        }
        if (mine) {
            load(key, pending);
        }
        try {
            return pending.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }

    /** The value if it is here and young enough; never loads. */
    public synchronized Optional<V> peek(K key) {
        Node<K, V> node = nodes.get(key);
        return node != null && node.expiresAt - ticker.getAsLong() > 0 ? Optional.of(node.value) : Optional.empty();
    }

    public synchronized void invalidate(K key) {
        Node<K, V> node = nodes.remove(key);
        if (node != null) {
            unlink(node);
        }
        // A load that started before this call may still finish with the old value; it must not be kept.
        loading.remove(key);
    }

    public synchronized int size() {
        return nodes.size();
    }

    public synchronized double hitRate() {
        long all = hits + misses;
        return all == 0 ? 0 : (double) hits / all;
    }

    public synchronized long evictions() {
        return evictions;
    }

    private void load(K key, CompletableFuture<V> pending) {
        V value;
        try {
            value = loader.apply(key);
        } catch (RuntimeException e) {
            synchronized (this) {
                loading.remove(key, pending);
            }
            pending.completeExceptionally(e);
            return;
        }
        synchronized (this) {
            if (loading.remove(key, pending)) {
                store(key, value);
            }
        }
        pending.complete(value);
    }

    private void refreshLater(Node<K, V> node, long now) {
        // Pushed back first, so that a hundred readers start one refresh and not a hundred.
        node.refreshAt = now + ttlNanos;
        executor.execute(() -> {
            V value;
            try {
                value = loader.apply(node.key);
            } catch (RuntimeException e) {
                return;
            }
            synchronized (this) {
                if (nodes.get(node.key) == node) {
                    store(node.key, value);
                }
            }
        });
    }

    private void store(K key, V value) {
        long now = ticker.getAsLong();
        Node<K, V> node = nodes.get(key);
        if (node == null) {
            node = new Node<>(key);
            nodes.put(key, node);
            link(node);
        } else {
            touch(node);
        }
        node.value = value;
        node.expiresAt = now + ttlNanos;
        node.refreshAt = now + refreshNanos;
        while (nodes.size() > capacity) {
            Node<K, V> victim = oldest;
            unlink(victim);
            nodes.remove(victim.key);
            evictions++;
        }
    }

    private void touch(Node<K, V> node) {
        if (node == newest) {
            return;
        }
        unlink(node);
        link(node);
    }

    private void link(Node<K, V> node) {
        node.older = newest;
        node.newer = null;
        if (newest != null) {
            newest.newer = node;
        }
        newest = node;
        if (oldest == null) {
            oldest = node;
        }
    }

    private void unlink(Node<K, V> node) {
        if (node.newer != null) {
            node.newer.older = node.older;
        } else {
            newest = node.older;
        }
        if (node.older != null) {
            node.older.newer = node.newer;
        } else {
            oldest = node.newer;
        }
        node.newer = null;
        node.older = null;
    }
}
