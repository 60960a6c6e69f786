// Tests of the connections that calls with keys occupy.
package orders_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"net/http/httptest"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/orders/ridl"
	"github.com/lib/pq"
)

func TestPoolOfTwo(t *testing.T) {
	db := openDatabase(t)
	db.SetMaxOpenConns(2)
	store := &ridl.PostgresAnswers{DB: db}
	handler := serve(&service{order: func(ctx context.Context, _ int) (string, error) {
		// It uses the same pool beside its transaction.
		if _, err := db.ExecContext(ctx, "SELECT pg_sleep(0.01)"); err != nil {
			return "", err
		}
		return "1", store.Join(ctx, func(tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, "INSERT INTO transfers VALUES ('a')")
			return err
		})
	}}, store)
	var wait sync.WaitGroup
	for i := range 10 {
		wait.Add(1)
		go func() {
			defer wait.Done()
			expect(t, send(handler, "two "+strconv.Itoa(i)), 200)
		}()
	}
	wait.Wait()
	if n := count(t, db, "transfers"); n != 10 || db.Stats().InUse != 0 {
		t.Error(n, db.Stats())
	}
}

func TestBusyPoolIsRefused(t *testing.T) {
	db := openDatabase(t)
	db.SetMaxOpenConns(2)
	store, started, done := &ridl.PostgresAnswers{DB: db}, make(chan bool), make(chan bool)
	handler := serve(&service{order: func(context.Context, int) (string, error) {
		close(started)
		<-done
		return "1", nil
	}}, store)
	first := make(chan int)
	go func() { first <- send(handler, "busy 1").Code }()
	<-started
	expect(t, send(handler, "busy 2"), 503)
	close(done)
	if status := <-first; status != 200 {
		t.Error(status)
	}
}

// join runs a function in the transaction of a call.
func join(ctx context.Context, answers *ridl.PostgresAnswers, run func()) error {
	return answers.Join(ctx, func(*sql.Tx) error { run(); return nil })
}

// until repeats a call until it has a status.
func until(t *testing.T, status int, call func() *httptest.ResponseRecorder) {
	t.Helper()
	w := call()
	for deadline := time.Now().Add(30 * time.Second); w.Code != status && time.Now().Before(deadline); {
		w = call()
	}
	expect(t, w, status)
}

func TestHandlersThatNeverReturnHoldNoConnection(t *testing.T) {
	for name, success := range map[string]int{"early": 200, "late": 200, "no key": 201} {
		db := openDatabase(t)
		db.SetMaxOpenConns(3)
		store := &ridl.PostgresAnswers{DB: db, BeginsOnJoin: name == "late"}
		var hangs atomic.Bool
		returns := make(chan bool)
		handler := handlerOf(&service{order: func(ctx context.Context, _ int) (string, error) {
			return "1", join(ctx, store, func() {
				if hangs.Load() {
					<-returns
				}
			})
		}}, ridl.ServerOptions{
			Idempotency: ridl.Idempotency{Store: store}, OnError: func(context.Context, error) {},
			Timeout: 500 * time.Millisecond, MaxConcurrent: 3,
		})
		calls := 0
		call := func() *httptest.ResponseRecorder {
			calls++
			if name == "no key" {
				return sendTo(handler, "/orders/1/notes", "", `{"text":"a"}`)
			}
			return send(handler, strconv.Itoa(calls))
		}
		hangs.Store(true)
		until(t, 504, call)
		until(t, 504, call)
		// Their connections are free, but they still count as running handlers.
		expectIdle(t, db)
		hangs.Store(false)
		until(t, success, call)
		hangs.Store(true)
		until(t, 504, call)
		until(t, 503, call)
		close(returns)
		until(t, success, call)
		expectIdle(t, db)
	}
}

func TestPoolThatOthersHoldIsRefused(t *testing.T) {
	for name, beginsOnJoin := range map[string]bool{"early": false, "late": true} {
		db := openDatabase(t)
		db.SetMaxOpenConns(2)
		store := &ridl.PostgresAnswers{DB: db, BeginsOnJoin: beginsOnJoin}
		handler := serve(&service{order: func(ctx context.Context, _ int) (string, error) {
			return "1", join(ctx, store, func() {})
		}}, store)
		var others []*sql.Conn
		for range 2 {
			other, err := db.Conn(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			others = append(others, other)
		}
		expect(t, send(handler, "k"), 503)
		expect(t, sendTo(handler, "/orders/1/notes", "", `{"text":"a"}`), 503)
		for _, other := range others {
			other.Close()
		}
		expect(t, send(handler, "k"), 200)
		if open := db.Stats().InUse; open != 0 {
			t.Error(name, open)
		}
	}
}

// slowConnector opens connections after longer than transactions wait for others.
type slowConnector struct{ driver.Connector }

func (c slowConnector) Connect(ctx context.Context) (driver.Conn, error) {
	select {
	case <-time.After(2500 * time.Millisecond):
		return c.Connector.Connect(ctx)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func TestSlowConnectionsAreNotRefused(t *testing.T) {
	connector, err := pq.NewConnector(os.Getenv("DATABASE"))
	if err != nil {
		t.Fatal(err)
	}
	openDatabase(t) // It creates the tables.
	db := sql.OpenDB(slowConnector{connector})
	db.SetMaxOpenConns(2)
	t.Cleanup(func() { db.Close() })
	store := &ridl.PostgresAnswers{DB: db}
	handler := serve(&service{order: func(context.Context, int) (string, error) { return "1", nil }}, store)
	expect(t, send(handler, "slow"), 200)
}
