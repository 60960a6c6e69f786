// Tests of the stores of answers.
package orders_test

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"database/sql"
	"errors"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	_ "github.com/lib/pq"

	"example.com/orders"
	"example.com/orders/ridl"
)

// service calls a function for each order.
type service struct {
	orders.Orders
	order func(ctx context.Context, run int) (string, error)
	mutex sync.Mutex
	runs  int
}

func (s *service) Order(ctx context.Context, _ *orders.OrderRequest) (*orders.OrderResponse, error) {
	s.mutex.Lock()
	s.runs++
	run := s.runs
	s.mutex.Unlock()
	id, err := s.order(ctx, run)
	return &orders.OrderResponse{OrderID: id}, err
}

func (s *service) AddNote(ctx context.Context, _ *orders.AddNoteRequest) (*orders.AddNoteResponse, error) {
	id, err := s.order(ctx, 1)
	return &orders.AddNoteResponse{OrderID: id}, err
}

func ok(context.Context, int) (string, error) { return "1", nil }

func handlerOf(s *service, options ridl.ServerOptions) http.Handler {
	if options.Idempotency.Caller == nil {
		options.Idempotency.Caller = func(context.Context) string { return "somebody" }
	}
	verify := func(ctx context.Context, _ string) (context.Context, error) { return ctx, nil }
	return orders.NewOrdersHandler(orders.OrdersServer{Orders: s, Credentials: orders.Credentials{Token: verify}}, options)
}

func serve(s *service, store ridl.AnswerStore) http.Handler {
	quiet := func(context.Context, error) {}
	return handlerOf(s, ridl.ServerOptions{Idempotency: ridl.Idempotency{Store: store}, OnError: quiet})
}

func send(handler http.Handler, key string) *httptest.ResponseRecorder {
	return sendTo(handler, "/rpc/Orders/Order", key, `{"sku":"a"}`)
}

func sendTo(handler http.Handler, path, key, body string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, requestTo(path, key, body))
	return w
}

// sendHurried sends a call whose client waits for less time than the server.
func sendHurried(handler http.Handler, key string) *httptest.ResponseRecorder {
	request := requestTo("/rpc/Orders/Order", key, `{"sku":"a"}`)
	request.Header.Set("Request-Timeout-Ms", "50")
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, request)
	return w
}

func requestTo(path, key, body string) *http.Request {
	request := httptest.NewRequest("POST", path, strings.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	if key != "" {
		request.Header.Set("Idempotency-Key", `"`+key+`"`)
	}
	return request
}

func expect(t *testing.T, w *httptest.ResponseRecorder, status int) {
	t.Helper()
	if w.Code != status {
		t.Errorf("expected %d, got %d %s", status, w.Code, w.Body)
	}
}

func TestServerNeedsAStore(t *testing.T) {
	defer func() {
		if text, _ := recover().(string); !strings.Contains(text, "needs a store for Orders/Order") {
			t.Error(text)
		}
	}()
	handlerOf(&service{}, ridl.ServerOptions{})
}

func TestServerNeedsACaller(t *testing.T) {
	defer func() {
		if message := recover(); message != "ridl: ServerOptions.Idempotency needs a Caller for Orders/Pay" {
			t.Error(message)
		}
	}()
	verify := func(ctx context.Context, _ string) (context.Context, error) { return ctx, nil }
	server := orders.OrdersServer{Orders: &service{}, Credentials: orders.Credentials{Token: verify}}
	options := ridl.ServerOptions{Idempotency: ridl.Idempotency{Store: &ridl.MemoryAnswers{}}}
	orders.NewOrdersHandler(server, options)
}

func TestCallerMustBeKnown(t *testing.T) {
	s := &service{order: ok}
	var failure error
	handler := handlerOf(s, ridl.ServerOptions{
		Idempotency: ridl.Idempotency{Store: &ridl.MemoryAnswers{}, Caller: func(context.Context) string { return "" }},
		OnError:     func(_ context.Context, err error) { failure = err },
	})
	expect(t, send(handler, "k"), 200)
	r := httptest.NewRequest(http.MethodPost, "/rpc/Orders/Pay", strings.NewReader(`{"sku":"a"}`))
	r.Header = http.Header{"Content-Type": {"application/json"}, "Idempotency-Key": {`"k"`}, "Authorization": {"Bearer a"}}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	expect(t, w, 500)
	if failure == nil || !strings.Contains(failure.Error(), "Caller returned nothing") {
		t.Error(failure)
	}
}

func TestMemoryForgetsAnswers(t *testing.T) {
	s := &service{order: ok}
	handler := handlerOf(s, ridl.ServerOptions{
		Idempotency: ridl.Idempotency{Store: &ridl.MemoryAnswers{}, Keep: time.Millisecond},
	})
	expect(t, send(handler, "k"), 200)
	for s.runs == 1 {
		expect(t, send(handler, "k"), 200)
	}
}

func TestPanicLeavesNoKeyInUse(t *testing.T) {
	s := &service{order: func(_ context.Context, run int) (string, error) {
		if run == 1 {
			panic("lost")
		}
		return "1", nil
	}}
	handler := serve(s, &ridl.MemoryAnswers{})
	expect(t, send(handler, "k"), 500)
	expect(t, send(handler, "k"), 200)
}

func TestCallerIsAnOption(t *testing.T) {
	type user struct{}
	s := &service{order: ok}
	handler := handlerOf(s, ridl.ServerOptions{Idempotency: ridl.Idempotency{
		Store:  &ridl.MemoryAnswers{},
		Caller: func(ctx context.Context) string { name, _ := ctx.Value(user{}).(string); return name },
	}})
	for _, name := range []string{"a", "b", "a", "b"} {
		as := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			handler.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), user{}, name)))
		})
		expect(t, send(as, "k"), 200)
	}
	if s.runs != 2 {
		t.Error(s.runs)
	}
}

func gcm(t *testing.T, key string) cipher.AEAD {
	block, err := aes.NewCipher([]byte(strings.Repeat(key, 32)))
	if err != nil {
		t.Fatal(err)
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		t.Fatal(err)
	}
	return aead
}

// peek remembers what a store keeps.
type peek struct {
	ridl.AnswerStore
	text string
}

func (p *peek) Once(
	ctx context.Context, call ridl.KeyedCall, run func(context.Context) *ridl.StoredAnswer,
) (*ridl.StoredAnswer, error) {
	return p.AnswerStore.Once(ctx, call, func(ctx context.Context) *ridl.StoredAnswer {
		answer := run(ctx)
		if answer != nil {
			p.text = answer.Text
		}
		return answer
	})
}

func TestAnswersAreEncrypted(t *testing.T) {
	s := &service{order: func(context.Context, int) (string, error) { return "secret", nil }}
	store := &peek{AnswerStore: &ridl.MemoryAnswers{}}
	handler := serve(s, ridl.EncryptAnswers(store, gcm(t, "a")))
	first := send(handler, "k")
	if again := send(handler, "k"); first.Code != 200 || again.Body.String() != first.Body.String() {
		t.Error(again.Body)
	}
	if store.text == "" || strings.Contains(store.text, "secret") {
		t.Error(store.text)
	}
	other := serve(s, ridl.EncryptAnswers(store, gcm(t, "b")))
	expect(t, send(other, "k"), 500)
	expect(t, send(serve(s, store), "k"), 500)
	if s.runs != 1 {
		t.Error(s.runs)
	}
}

// corrupt is a store whose texts have changed since they were stored.
type corrupt struct {
	ridl.AnswerStore
	change func(text string) string
}

func (c corrupt) Once(
	ctx context.Context, call ridl.KeyedCall, run func(context.Context) *ridl.StoredAnswer,
) (*ridl.StoredAnswer, error) {
	stored, err := c.AnswerStore.Once(ctx, call, run)
	if stored != nil {
		stored = &ridl.StoredAnswer{Text: c.change(stored.Text), IsError: stored.IsError}
	}
	return stored, err
}

func TestMemoryRemovesTheOldestAnswers(t *testing.T) {
	s := &service{order: func(_ context.Context, run int) (string, error) {
		return strings.Repeat(" ", 500) + strconv.Itoa(run), nil
	}}
	handler := serve(s, &ridl.MemoryAnswers{MaxBytes: 2000})
	for _, key := range []string{"a", "b", "c", "d", "d"} {
		expect(t, send(handler, key), 200)
	}
	if s.runs != 4 {
		t.Error(s.runs)
	}
	if send(handler, "a"); s.runs != 5 {
		t.Error(s.runs)
	}
}

func TestCorruptAnswersAreNotSent(t *testing.T) {
	replace := func(from, to string) func(string) string {
		return func(text string) string {
			if !strings.Contains(text, from) {
				t.Error(text, "lacks", from)
			}
			return strings.Replace(text, from, to, 1)
		}
	}
	for name, change := range map[string]func(string) string{
		"nothing":    func(string) string { return "" },
		"null":       func(string) string { return "null" },
		"a cut text": func(text string) string { return text[:len(text)-2] },
		"other hashes": func(text string) string {
			return replace(`"digest":"`, `"digest":"x`)(replace(`"sent":"`, `"sent":"x`)(text))
		},
		"no status":  replace(`"status":200`, `"status":0`),
		"a cut body": replace(`\"}"`, `"`),
		"no body":    replace(`"body":"{`, `"body":null,"x":"{`),
	} {
		s := &service{order: ok}
		handler := serve(s, corrupt{&ridl.MemoryAnswers{}, change})
		expect(t, send(handler, "k"), 200)
		if again := send(handler, "k"); again.Code < 400 || s.runs != 1 {
			t.Error(name, again.Code, again.Body, s.runs)
		}
	}
}

func TestCookiesOfServersInTypeScriptAreRepeated(t *testing.T) {
	change := func(text string) string {
		return strings.Replace(text, `"error":`, `"cookies":["a=1","b=2"],"error":`, 1)
	}
	handler := serve(&service{order: ok}, corrupt{&ridl.MemoryAnswers{}, change})
	before := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Set-Cookie", "c=3")
		handler.ServeHTTP(w, r)
	})
	send(before, "k")
	if got := send(before, "k").Header()["Set-Cookie"]; !slices.Equal(got, []string{"c=3", "a=1", "b=2"}) {
		t.Error(got)
	}
}

// broken is a store that fails.
type broken struct{ err error }

func (b broken) Once(
	ctx context.Context, _ ridl.KeyedCall, _ func(context.Context) *ridl.StoredAnswer,
) (*ridl.StoredAnswer, error) {
	if b.err == nil {
		<-ctx.Done()
	}
	return nil, b.err
}

func TestStoreFails(t *testing.T) {
	s, failure := &service{order: ok}, errors.New("no database")
	var seen error
	options := ridl.ServerOptions{
		OnError:     func(_ context.Context, err error) { seen = err },
		Idempotency: ridl.Idempotency{Store: broken{failure}},
	}
	expect(t, send(handlerOf(s, options), "k"), 500)
	if s.runs != 0 || seen != failure {
		t.Error(s.runs, seen)
	}
	// This store answers nothing until the call times out.
	options.Idempotency.Store, options.Timeout = broken{}, time.Millisecond
	expect(t, send(handlerOf(s, options), "k"), 504)
}

// A middleware can end calls before the server does.
func TestDeadlineOfAMiddleware(t *testing.T) {
	s := &service{order: func(ctx context.Context, _ int) (string, error) {
		<-ctx.Done()
		return "", ctx.Err()
	}}
	limited, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	w := httptest.NewRecorder()
	serve(s, &ridl.MemoryAnswers{}).ServeHTTP(w, requestTo("/rpc/Orders/Order", "k", `{"sku":"a"}`).WithContext(limited))
	expect(t, w, 504)
	if !strings.Contains(w.Body.String(), "the deadline has passed") {
		t.Error(w.Body)
	}
}

func openDatabase(t *testing.T) *sql.DB {
	t.Helper()
	db, err := sql.Open("postgres", os.Getenv("DATABASE"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	const table = "DROP TABLE IF EXISTS transfers, idempotent_answers; CREATE TABLE transfers (name text); "
	if _, err := db.Exec(table + ridl.AnswersTable); err != nil {
		t.Fatal(err)
	}
	return db
}

func count(t *testing.T, db *sql.DB, table string) (n int) {
	t.Helper()
	if err := db.QueryRow("SELECT count(*) FROM " + table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// insert makes a transfer in the transaction of a call.
func insert(ctx context.Context, answers *ridl.PostgresAnswers) error {
	return answers.Join(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT INTO transfers VALUES ('a')")
		return err
	})
}

func TestHandlerJoinsTransaction(t *testing.T) {
	for _, beginsOnJoin := range []bool{false, true} {
		db := openDatabase(t)
		answers := &ridl.PostgresAnswers{DB: db, BeginsOnJoin: beginsOnJoin}
		s := &service{order: func(ctx context.Context, run int) (string, error) {
			if err := insert(ctx, answers); err != nil {
				return "", err
			}
			switch run {
			case 1:
				return "", errors.New("lost")
			case 2:
				return "", orders.ErrSoldOut
			}
			return "1", nil
		}}
		handler := serve(s, answers)
		// An error undoes the transfer, and a declared one is kept.
		expect(t, send(handler, "k"), 500)
		expect(t, send(handler, "k"), 409)
		expect(t, send(handler, "k"), 409)
		if n := count(t, db, "transfers"); n != 0 || s.runs != 2 {
			t.Error(n, s.runs)
		}
		expect(t, send(handler, "other"), 200)
		expect(t, send(handler, "other"), 200)
		if n := count(t, db, "transfers"); n != 1 || s.runs != 3 {
			t.Error(n, s.runs)
		}
		// Without a key, the transaction is one of its own, which is committed before the handler fails.
		expect(t, sendTo(handler, "/orders/1/notes", "", `{"text":"a"}`), 500)
		if n, kept := count(t, db, "transfers"), count(t, db, "idempotent_answers"); n != 2 || kept != 2 {
			t.Error(n, kept)
		}
		if open := db.Stats().InUse; open != 0 {
			t.Error("connections are in use:", open)
		}
	}
}

func TestOldAnswersAreRemoved(t *testing.T) {
	db := openDatabase(t)
	const old = "INSERT INTO idempotent_answers SELECT n::text, '', now() - interval '1 second' FROM generate_series(1, 5) n"
	if _, err := db.Exec(old); err != nil {
		t.Fatal(err)
	}
	handler := serve(&service{order: ok}, &ridl.PostgresAnswers{DB: db})
	for range 3 {
		expect(t, send(handler, "k"), 200)
	}
	expect(t, send(handler, "other"), 200)
	// The first answer and the fourth each removed two.
	if n := count(t, db, "idempotent_answers"); n != 3 {
		t.Error(n)
	}
}

func TestOneOfTwoCallsJoins(t *testing.T) {
	db := openDatabase(t)
	answers := &ridl.PostgresAnswers{DB: db, BeginsOnJoin: true}
	begun, both := make(chan struct{}), make(chan struct{})
	s := &service{order: func(ctx context.Context, run int) (string, error) {
		if run == 1 {
			close(begun)
		} else {
			close(both)
		}
		<-both
		return "1", insert(ctx, answers)
	}}
	handler := serve(s, answers)
	codes := make(chan int, 2)
	go func() { codes <- send(handler, "k").Code }()
	<-begun
	go func() { codes <- send(handler, "k").Code }()
	one, other := <-codes, <-codes
	isKnown := func(code int) bool { return code == 200 || code == 409 }
	if !isKnown(one) || !isKnown(other) || one == 409 && other == 409 {
		t.Error(one, other)
	}
	expect(t, send(handler, "k"), 200)
	if n := count(t, db, "transfers"); n != 1 {
		t.Error(n)
	}
}

func TestDeadlineEndsTheTransaction(t *testing.T) {
	db := openDatabase(t)
	answers := &ridl.PostgresAnswers{DB: db}
	ended := make(chan error, 1)
	s := &service{order: func(ctx context.Context, run int) (string, error) {
		if run > 1 {
			return "2", nil
		}
		_ = insert(ctx, answers)
		<-ctx.Done()
		// The handler does not notice, and makes a change after the deadline.
		err := insert(context.Background(), answers)
		late := answers.Join(ctx, func(tx *sql.Tx) error {
			_, err := tx.Exec("INSERT INTO transfers VALUES ('late')")
			return err
		})
		ended <- late
		return "1", err
	}}
	handler := handlerOf(s, ridl.ServerOptions{
		Idempotency: ridl.Idempotency{Store: answers}, Timeout: 300 * time.Millisecond,
	})
	expect(t, send(handler, "k"), 504)
	if err := <-ended; err == nil {
		t.Error("the transaction is still open")
	}
	deadline := time.Now().Add(30 * time.Second)
	code := 0
	for code != 200 && time.Now().Before(deadline) {
		code = send(handler, "k").Code
	}
	// Only the change outside of the transaction remains.
	if n := count(t, db, "transfers"); code != 200 || n != 1 {
		t.Error(code, n)
	}
}

func TestDeadlineOfTheClientLeavesTheKeyInUse(t *testing.T) {
	db := openDatabase(t)
	for name, store := range map[string]ridl.AnswerStore{
		"memory": &ridl.MemoryAnswers{}, "database": &ridl.PostgresAnswers{DB: db},
	} {
		gate, began := make(chan bool), make(chan bool)
		s := &service{order: func(_ context.Context, run int) (string, error) {
			if run == 1 {
				close(began)
				<-gate // The handler does not watch its context, and must not run twice.
			}
			return "1", nil
		}}
		handler := serve(s, store)
		for hasBegun := false; !hasBegun; {
			// A busy machine may need longer until the handler begins.
			code := sendHurried(handler, "k").Code
			select {
			case <-began:
				hasBegun = true
			default:
				if code != 504 {
					t.Fatal(name, code)
				}
			}
		}
		for range 50 {
			expect(t, send(handler, "k"), 409)
		}
		close(gate)
		code := 409
		for deadline := time.Now().Add(30 * time.Second); code == 409 && time.Now().Before(deadline); {
			code = send(handler, "k").Code
		}
		if code != 200 || s.runs != 1 {
			t.Error(name, code, s.runs)
		}
	}
	expectIdle(t, db)
}

func TestLostConnectionRunsAgain(t *testing.T) {
	db := openDatabase(t)
	answers := &ridl.PostgresAnswers{DB: db}
	s := &service{order: func(ctx context.Context, run int) (string, error) {
		err := insert(ctx, answers)
		if run == 1 {
			const kill = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
				WHERE pid <> pg_backend_pid() AND state = 'idle in transaction'`
			_, err = db.Exec(kill)
		}
		return "1", err
	}}
	handler := serve(s, answers)
	expect(t, send(handler, "k"), 500)
	expect(t, send(handler, "k"), 200)
	expect(t, send(handler, "k"), 200)
	if n := count(t, db, "transfers"); n != 1 || s.runs != 2 {
		t.Error(n, s.runs)
	}
}

// joins is a server whose handler joins the transaction in a goroutine, and returns once it has a row.
func joins(store *ridl.PostgresAnswers, late chan error, finish func(move chan error) (string, error)) http.Handler {
	return serve(&service{order: func(ctx context.Context, _ int) (string, error) {
		inserted, move := make(chan bool), make(chan error, 1)
		go func() {
			move <- store.Join(ctx, func(tx *sql.Tx) error {
				if _, err := tx.ExecContext(ctx, "INSERT INTO transfers VALUES ('a')"); err != nil {
					return err
				}
				close(inserted)
				time.Sleep(20 * time.Millisecond)
				_, err := tx.ExecContext(ctx, "INSERT INTO transfers VALUES ('a')")
				return err
			})
			late <- store.Join(ctx, func(*sql.Tx) error { return nil })
		}()
		<-inserted
		return finish(move)
	}}, store)
}

func TestRunningJoinsAreSettled(t *testing.T) {
	db := openDatabase(t)
	for name, beginsOnJoin := range map[string]bool{"early": false, "late": true} {
		store := &ridl.PostgresAnswers{DB: db, BeginsOnJoin: beginsOnJoin}
		late := make(chan error, 1)
		// Another check has failed, while the money was being moved.
		failed := joins(store, late, func(chan error) (string, error) { return "", orders.ErrSoldOut })
		expect(t, send(failed, name+" failed"), 409)
		if err := <-late; err == nil {
			t.Error("it has joined a call that has ended")
		}
		// The handler has not waited.
		raced := joins(store, late, func(chan error) (string, error) { return "unknown", nil })
		expect(t, send(raced, name+" raced"), 500)
		<-late
		if n := count(t, db, "transfers"); n != 0 {
			t.Error(name, n)
		}
	}
	if open := db.Stats().InUse; open != 0 {
		t.Error(open)
	}
}

func TestJoinThatBeginsAfterTheCall(t *testing.T) {
	db := openDatabase(t)
	began, joined := make(chan bool), make(chan error, 1)
	var isJoining atomic.Bool
	store := &ridl.PostgresAnswers{DB: db, BeginsOnJoin: true}
	store.Begin = func(ctx context.Context) (*sql.Tx, error) {
		if isJoining.Load() {
			close(began)
			<-ctx.Done()
			time.Sleep(50 * time.Millisecond)
		}
		return db.BeginTx(context.WithoutCancel(ctx), nil)
	}
	handler := handlerOf(&service{order: func(ctx context.Context, _ int) (string, error) {
		isJoining.Store(true)
		go func() { joined <- store.Join(ctx, func(*sql.Tx) error { return nil }) }()
		<-began
		return "1", nil
	}}, ridl.ServerOptions{
		Idempotency: ridl.Idempotency{Store: store}, Timeout: time.Second, OnError: func(context.Context, error) {},
	})
	expect(t, send(handler, "k"), 504)
	<-joined
	expectIdle(t, db)
}

// expectIdle waits until no connection of a pool is in use.
func expectIdle(t *testing.T, db *sql.DB) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); db.Stats().InUse > 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("connections are in use:", db.Stats().InUse)
		}
	}
}

// ways are what handlers do with the transaction of their call.
var ways = []func(ctx context.Context, db *sql.DB, answers *ridl.PostgresAnswers) error{
	func(context.Context, *sql.DB, *ridl.PostgresAnswers) error { return nil },
	func(context.Context, *sql.DB, *ridl.PostgresAnswers) error { panic("before it joins") },
	func(ctx context.Context, _ *sql.DB, answers *ridl.PostgresAnswers) error { return insert(ctx, answers) },
	func(ctx context.Context, _ *sql.DB, answers *ridl.PostgresAnswers) error {
		return errors.Join(insert(ctx, answers), errors.New("failed"))
	},
	func(ctx context.Context, _ *sql.DB, answers *ridl.PostgresAnswers) error {
		_ = insert(ctx, answers)
		return orders.ErrSoldOut
	},
	func(ctx context.Context, _ *sql.DB, answers *ridl.PostgresAnswers) error {
		return answers.Join(ctx, func(*sql.Tx) error { panic("in its transaction") })
	},
	func(ctx context.Context, _ *sql.DB, answers *ridl.PostgresAnswers) error {
		return answers.Join(ctx, func(tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, "SELECT pg_terminate_backend(pg_backend_pid())")
			return err
		})
	},
	func(ctx context.Context, db *sql.DB, answers *ridl.PostgresAnswers) error {
		_, err := db.ExecContext(ctx, "SELECT pg_sleep(0.01)")
		return errors.Join(err, insert(ctx, answers))
	},
	func(ctx context.Context, _ *sql.DB, answers *ridl.PostgresAnswers) error {
		go func() { _ = insert(ctx, answers) }()
		return nil
	},
	func(ctx context.Context, _ *sql.DB, answers *ridl.PostgresAnswers) error {
		_ = insert(ctx, answers)
		<-ctx.Done()
		return ctx.Err()
	},
	func(ctx context.Context, _ *sql.DB, answers *ridl.PostgresAnswers) error {
		<-ctx.Done()
		time.Sleep(20 * time.Millisecond)
		return insert(ctx, answers)
	},
}

func TestNothingIsOpenAfterRandomCalls(t *testing.T) {
	for _, beginsOnJoin := range []bool{false, true} {
		db := openDatabase(t)
		db.SetMaxOpenConns(5)
		db.SetMaxIdleConns(5)
		answers := &ridl.PostgresAnswers{DB: db, BeginsOnJoin: beginsOnJoin}
		var running atomic.Int32
		s := &service{order: func(ctx context.Context, run int) (string, error) {
			running.Add(1)
			defer running.Add(-1)
			return "1", ways[rand.New(rand.NewPCG(1, uint64(run))).IntN(len(ways))](ctx, db, answers)
		}}
		handler := handlerOf(s, ridl.ServerOptions{
			Idempotency: ridl.Idempotency{Store: answers}, Timeout: 500 * time.Millisecond, OnError: func(context.Context, error) {},
		})
		before := runtime.NumGoroutine()
		var clients sync.WaitGroup
		for client := range 8 {
			clients.Add(1)
			go func() {
				defer clients.Done()
				random := rand.New(rand.NewPCG(2, uint64(client)))
				for range 25 {
					ctx, leave := context.WithCancel(context.Background())
					if random.IntN(3) == 0 {
						time.AfterFunc(time.Duration(random.IntN(30))*time.Millisecond, leave)
					}
					asSomebody := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
						handler.ServeHTTP(w, r.WithContext(ctx))
					})
					send(asSomebody, strconv.Itoa(random.IntN(200)))
					leave()
				}
			}()
		}
		clients.Wait()
		for deadline := time.Now().Add(30 * time.Second); running.Load() > 0 || runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal(running.Load(), "handlers are running, goroutines:", before, runtime.NumGoroutine())
			}
		}
		expectIdle(t, db)
		if s.runs < len(ways) {
			t.Error("few handlers have run:", s.runs)
		}
		// Each place for a transaction is free, and one connection is for other work.
		const places = 4
		var together, calls sync.WaitGroup
		together.Add(places)
		calm := serve(&service{order: func(ctx context.Context, _ int) (string, error) {
			err := insert(ctx, answers)
			together.Done()
			together.Wait()
			return "1", err
		}}, answers)
		for call := range places {
			calls.Add(1)
			go func() {
				defer calls.Done()
				if w := send(calm, "calm "+strconv.Itoa(call)); w.Code != 200 {
					t.Error(w.Code, w.Body)
					together.Done()
				}
			}()
		}
		calls.Wait()
	}
}
