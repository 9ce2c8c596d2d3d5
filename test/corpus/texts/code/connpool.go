// Package connpool keeps a bounded set of reusable network connections.
package connpool

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

var (
	// ErrClosed is returned by a pool after Close.
	ErrClosed = errors.New("connpool: closed")
	// ErrExhausted is returned when no connection became free in time.
	ErrExhausted = errors.New("connpool: exhausted")
)

// Dialer opens one new connection.
type Dialer func(ctx context.Context) (net.Conn, error)

// Config says how large a pool may grow and how long connections live.
type Config struct {
	MaxOpen     int
	MaxIdle     int
	MaxLifetime time.Duration
	IdleTimeout time.Duration
	WaitTimeout time.Duration
	Probe       func(net.Conn) error
}

func (c Config) withDefaults() Config {
	if c.MaxOpen <= 0 {
		c.MaxOpen = 16
	}
	if c.MaxIdle <= 0 || c.MaxIdle > c.MaxOpen {
		c.MaxIdle = c.MaxOpen / 2
	}
	if c.MaxLifetime <= 0 {
		c.MaxLifetime = 30 * time.Minute
	}
	if c.IdleTimeout <= 0 {
		c.IdleTimeout = 5 * time.Minute
	}
	if c.WaitTimeout <= 0 {
		c.WaitTimeout = 3 * time.Second
	}
	return c
}

// Stats is a snapshot for dashboards.
type Stats struct {
	Open      int
	Idle      int
	InUse     int
	Waiting   int
	Dialed    uint64
	Reused    uint64
	Discarded uint64
	WaitTotal time.Duration
}

type entry struct {
	conn      net.Conn
	createdAt time.Time
	idleSince time.Time
}

type waiter struct {
	ready chan *entry
}

// Pool hands out connections and takes them back.
type Pool struct {
	dial   Dialer
	config Config
	now    func() time.Time

	mu      sync.Mutex
	open    int
	idle    *list.List // of *entry, most recently used in front
	waiters *list.List // of *waiter, longest waiting in front
	closed  bool
	stop    chan struct{}

	dialed    atomic.Uint64
	reused    atomic.Uint64
	discarded atomic.Uint64
	waitNanos atomic.Int64
}

// New starts a pool; Close must be called to stop its janitor.
func New(dial Dialer, config Config) *Pool {
	pool := &Pool{
		dial:    dial,
		config:  config.withDefaults(),
		now:     time.Now,
		idle:    list.New(),
		waiters: list.New(),
		stop:    make(chan struct{}),
	}
	go pool.janitor()
	return pool
}

// Conn is a borrowed connection. Release it exactly once.
type Conn struct {
	net.Conn
	pool   *Pool
	entry  *entry
	broken atomic.Bool
	once   sync.Once
}

// Read marks the connection as broken on any error except a timeout.
func (c *Conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.note(err)
	return n, err
}

// Write marks the connection as broken on any error except a timeout.
func (c *Conn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.note(err)
	return n, err
}

func (c *Conn) note(err error) {
	if err == nil {
		return
	}
	var netErr net.Error
	if errors.As(err, &netErr) && netErr.Timeout() {
		return
	}
	c.broken.Store(true)
}

// Release gives the connection back. A broken one is closed instead.
func (c *Conn) Release() {
	c.once.Do(func() {
		_ = c.Conn.SetDeadline(time.Time{})
		c.pool.put(c.entry, c.broken.Load())
	})
}

// Get borrows a connection: an idle one, a new one, or the next one that somebody releases.
func (p *Pool) Get(ctx context.Context) (*Conn, error) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, ErrClosed
	}
	for front := p.idle.Front(); front != nil; front = p.idle.Front() {
		candidate := p.idle.Remove(front).(*entry)
		if p.stale(candidate) {
			p.open--
			p.discard(candidate)
			continue
		}
		p.mu.Unlock()
		if p.config.Probe != nil {
			if err := p.config.Probe(candidate.conn); err != nil {
				p.mu.Lock()
				p.open--
				p.discard(candidate)
				continue
			}
		}
		p.reused.Add(1)
		return p.lend(candidate), nil
	}
	if p.open < p.config.MaxOpen {
		p.open++
		p.mu.Unlock()
		return p.dialNew(ctx)
	}
	return p.wait(ctx)
}

func (p *Pool) dialNew(ctx context.Context) (*Conn, error) {
	conn, err := p.dial(ctx)
	if err != nil {
		p.mu.Lock()
		p.open--
		p.mu.Unlock()
		return nil, fmt.Errorf("connpool: dial: %w", err)
	}
	p.dialed.Add(1)
	return p.lend(&entry{conn: conn, createdAt: p.now()}), nil
}

// wait is entered with the lock held and leaves without it.
func (p *Pool) wait(ctx context.Context) (*Conn, error) {
	own := &waiter{ready: make(chan *entry, 1)}
	place := p.waiters.PushBack(own)
	p.mu.Unlock()

	started := p.now()
	timer := time.NewTimer(p.config.WaitTimeout)
	defer timer.Stop()
	defer func() { p.waitNanos.Add(int64(p.now().Sub(started))) }()

	select {
	case got, ok := <-own.ready:
		if !ok {
			return nil, ErrClosed
		}
		p.reused.Add(1)
		return p.lend(got), nil
	case <-ctx.Done():
		return nil, p.giveUp(place, own, ctx.Err())
	case <-timer.C:
		return nil, p.giveUp(place, own, ErrExhausted)
	}
}

// giveUp leaves the queue; a connection handed over in the meantime must not get lost.
func (p *Pool) giveUp(place *list.Element, own *waiter, cause error) error {
	p.mu.Lock()
	p.waiters.Remove(place)
	p.mu.Unlock()
	select {
	case got, ok := <-own.ready:
		if ok {
			p.put(got, false)
		}
	default:
	}
	return cause
}

func (p *Pool) put(e *entry, broken bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if broken || p.closed || p.expired(e) {
		p.open--
		p.discard(e)
		p.dialForWaiter()
		return
	}
	if front := p.waiters.Front(); front != nil {
		next := p.waiters.Remove(front).(*waiter)
		next.ready <- e
		return
	}
	if p.idle.Len() >= p.config.MaxIdle {
		p.open--
		p.discard(e)
		return
	}
	e.idleSince = p.now()
	p.idle.PushFront(e)
}

// dialForWaiter replaces a lost connection when somebody is queueing for one. The lock is held.
func (p *Pool) dialForWaiter() {
	front := p.waiters.Front()
	if front == nil || p.closed {
		return
	}
	next := p.waiters.Remove(front).(*waiter)
	p.open++
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), p.config.WaitTimeout)
		defer cancel()
		conn, err := p.dial(ctx)
		if err != nil {
			p.mu.Lock()
			p.open--
			p.mu.Unlock()
			close(next.ready)
			return
		}
		p.dialed.Add(1)
		next.ready <- &entry{conn: conn, createdAt: p.now()}
	}()
}

func (p *Pool) lend(e *entry) *Conn {
	return &Conn{Conn: e.conn, pool: p, entry: e}
}

func (p *Pool) expired(e *entry) bool {
	return p.now().Sub(e.createdAt) > p.config.MaxLifetime
}

func (p *Pool) stale(e *entry) bool {
	return p.expired(e) || p.now().Sub(e.idleSince) > p.config.IdleTimeout
}

func (p *Pool) discard(e *entry) {
	p.discarded.Add(1)
	go closeQuietly(e.conn)
}

func (p *Pool) janitor() {
	ticker := time.NewTicker(p.config.IdleTimeout / 2)
	defer ticker.Stop()
	for {
		select {
		case <-p.stop:
			return
		case <-ticker.C:
			p.mu.Lock()
			for back := p.idle.Back(); back != nil; {
				previous := back.Prev()
				if e := back.Value.(*entry); p.stale(e) {
					p.idle.Remove(back)
					p.open--
					p.discard(e)
				}
				back = previous
			}
			p.mu.Unlock()
		}
	}
}

// Stats returns counters at this moment.
func (p *Pool) Stats() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	return Stats{
		Open:      p.open,
		Idle:      p.idle.Len(),
		InUse:     p.open - p.idle.Len(),
		Waiting:   p.waiters.Len(),
		Dialed:    p.dialed.Load(),
		Reused:    p.reused.Load(),
		Discarded: p.discarded.Load(),
		WaitTotal: time.Duration(p.waitNanos.Load()),
	}
}

// Close refuses new borrowers, wakes the waiting ones and closes what is idle.
func (p *Pool) Close() error {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return ErrClosed
	}
	p.closed = true
	close(p.stop)
	for front := p.waiters.Front(); front != nil; front = p.waiters.Front() {
		close(p.waiters.Remove(front).(*waiter).ready)
	}
	for front := p.idle.Front(); front != nil; front = p.idle.Front() {
		p.open--
		p.discard(p.idle.Remove(front).(*entry))
	}
	p.mu.Unlock()
	return nil
}

func closeQuietly(c io.Closer) {
	_ = c.Close()
}
