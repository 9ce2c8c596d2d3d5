// Command webhook-sender delivers queued events to customers' HTTP endpoints.
package main

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/signal"
	"strconv"
	"sync"
	"syscall"
	"time"
)

type endpoint struct {
	ID       int64
	URL      string
	Secret   string
	Disabled bool
}

type delivery struct {
	ID        int64
	Endpoint  endpoint
	EventType string
	Payload   json.RawMessage
	Attempt   int
	CreatedAt time.Time
}

type settings struct {
	dsn         string
	workers     int
	timeout     time.Duration
	maxAttempts int
	giveUpAfter time.Duration
	allowLocal  bool
}

func main() {
	var s settings
	flag.StringVar(&s.dsn, "dsn", os.Getenv("DATABASE_URL"), "database")
	flag.IntVar(&s.workers, "workers", 8, "deliveries at the same time")
	flag.DurationVar(&s.timeout, "timeout", 10*time.Second, "time one endpoint has to answer")
	flag.IntVar(&s.maxAttempts, "max-attempts", 12, "attempts before a delivery is dead")
	flag.DurationVar(&s.giveUpAfter, "give-up-after", 72*time.Hour, "age after which a delivery is dead")
	flag.BoolVar(&s.allowLocal, "allow-local", false, "let endpoints resolve to private addresses (tests only)")
	flag.Parse()

	db, err := sql.Open("postgres", s.dsn)
	if err != nil {
		log.Fatalf("database: %v", err)
	}
	defer db.Close()

	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, db, s); err != nil && !errors.Is(err, context.Canceled) {
		log.Fatal(err)
	}
}

func run(ctx context.Context, db *sql.DB, s settings) error {
	client := newClient(s)
	var group sync.WaitGroup
	for n := 0; n < s.workers; n++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for ctx.Err() == nil {
				worked, err := deliverOne(ctx, db, client, s)
				if err != nil {
					log.Printf("worker: %v", err)
				}
				if !worked {
					sleep(ctx, time.Second+time.Duration(rand.Int63n(int64(time.Second))))
				}
			}
		}()
	}
	group.Wait()
	return ctx.Err()
}

// newClient builds an HTTP client that refuses to talk to our own network.
func newClient(s settings) *http.Client {
	dialer := &net.Dialer{
		Timeout: 5 * time.Second,
		Control: func(_, address string, _ syscall.RawConn) error {
			if s.allowLocal {
				return nil
			}
			host, _, err := net.SplitHostPort(address)
			if err != nil {
				return err
			}
			addr, err := netip.ParseAddr(host)
			if err != nil {
				return err
			}
			if !publicAddress(addr) {
				return fmt.Errorf("address %s is not public", addr)
			}
			return nil
		},
	}
	return &http.Client{
		Timeout: s.timeout,
		Transport: &http.Transport{
			DialContext:         dialer.DialContext,
			MaxIdleConnsPerHost: 2,
			IdleConnTimeout:     30 * time.Second,
			ForceAttemptHTTP2:   true,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

func publicAddress(addr netip.Addr) bool {
	addr = addr.Unmap()
	return addr.IsGlobalUnicast() && !addr.IsPrivate() && !addr.IsLoopback() && !addr.IsLinkLocalUnicast()
}

// deliverOne claims a due delivery, sends it and writes down the outcome in one transaction.
func deliverOne(ctx context.Context, db *sql.DB, client *http.Client, s settings) (bool, error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return false, err
	}
	defer tx.Rollback()

	d, err := claim(ctx, tx)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("claim: %w", err)
	}
	if d.Endpoint.Disabled {
		return true, finish(ctx, tx, d, "skipped", 0, "endpoint disabled")
	}

	status, body, sendErr := send(ctx, client, d)
	switch {
	case sendErr == nil && status >= 200 && status < 300:
		err = finish(ctx, tx, d, "delivered", status, "")
	case sendErr == nil && status == http.StatusGone:
		err = disable(ctx, tx, d, status)
	case d.Attempt+1 >= s.maxAttempts || time.Since(d.CreatedAt) > s.giveUpAfter:
		err = finish(ctx, tx, d, "dead", status, reason(sendErr, body))
	default:
		err = postpone(ctx, tx, d, status, reason(sendErr, body))
	}
	if err != nil {
		return true, err
	}
	return true, tx.Commit()
}

func claim(ctx context.Context, tx *sql.Tx) (delivery, error) {
	var d delivery
	row := tx.QueryRowContext(ctx, `
		select d.id, d.event_type, d.payload, d.attempt, d.created_at, e.id, e.url, e.secret, e.disabled
		from deliveries d join endpoints e on e.id = d.endpoint_id
		where d.state = 'due' and d.due_at <= now()
		order by d.due_at
		limit 1
		for update of d skip locked`)
	err := row.Scan(&d.ID, &d.EventType, &d.Payload, &d.Attempt, &d.CreatedAt,
		&d.Endpoint.ID, &d.Endpoint.URL, &d.Endpoint.Secret, &d.Endpoint.Disabled)
	return d, err
}

func send(ctx context.Context, client *http.Client, d delivery) (int, string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, d.Endpoint.URL, bytes.NewReader(d.Payload))
	if err != nil {
		return 0, "", err
	}
	stamp := strconv.FormatInt(time.Now().Unix(), 10)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "webhook-sender/2")
	request.Header.Set("X-Event-Type", d.EventType)
	request.Header.Set("X-Delivery-Id", strconv.FormatInt(d.ID, 10))
	request.Header.Set("X-Signature", "t="+stamp+",v1="+sign(d.Endpoint.Secret, stamp, d.Payload))
	response, err := client.Do(request)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(response.Body, 2048))
	return response.StatusCode, string(body), nil
}

// sign covers the time as well as the body, so that a receiver can refuse old requests.
func sign(secret, stamp string, payload []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(stamp))
	mac.Write([]byte{'.'})
	mac.Write(payload)
	return hex.EncodeToString(mac.Sum(nil))
}

func finish(ctx context.Context, tx *sql.Tx, d delivery, state string, status int, why string) error {
	_, err := tx.ExecContext(ctx,
		`update deliveries set state = $2, last_status = $3, last_error = $4, finished_at = now() where id = $1`,
		d.ID, state, status, why)
	return err
}

func postpone(ctx context.Context, tx *sql.Tx, d delivery, status int, why string) error {
	_, err := tx.ExecContext(ctx,
		`update deliveries set attempt = attempt + 1, due_at = now() + $2 * interval '1 second',
		 last_status = $3, last_error = $4 where id = $1`,
		d.ID, backoff(d.Attempt).Seconds(), status, why)
	return err
}

func disable(ctx context.Context, tx *sql.Tx, d delivery, status int) error {
	if _, err := tx.ExecContext(ctx, `update endpoints set disabled = true where id = $1`, d.Endpoint.ID); err != nil {
		return err
	}
	return finish(ctx, tx, d, "skipped", status, "endpoint answered 410")
}

// backoff doubles from 15 seconds up to six hours and spreads the result by a fifth.
func backoff(attempt int) time.Duration {
	wait := 15 * time.Second << min(attempt, 11)
	if wait > 6*time.Hour {
		wait = 6 * time.Hour
	}
	return wait + time.Duration(rand.Int63n(int64(wait/5)))
}

func reason(err error, body string) string {
	if err != nil {
		return err.Error()
	}
	if len(body) > 500 {
		return body[:500]
	}
	return body
}

func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

func min(a, b int) int {
	if a < b {
		return a
	}
	return b
}
