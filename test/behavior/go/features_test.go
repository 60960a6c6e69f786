// Tests what the conformance cases do not: files, streams, retries, webhooks, and values that only Go has.
package features_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"log"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/features"
	"example.com/features/ridl"
)

var at = time.Date(2024, 2, 29, 12, 0, 0, 123456789, time.UTC)

type files struct{}

func (files) Upload(_ context.Context, request *features.UploadRequest) (*features.UploadResponse, error) {
	response := &features.UploadResponse{}
	for _, file := range append([]*ridl.File{request.Picture}, request.More...) {
		content, err := io.ReadAll(file.Content)
		if err != nil {
			return nil, err
		}
		response.Names = append(response.Names, file.Name+" "+file.Type)
		response.Size += uint64(len(content))
	}
	return response, nil
}

func (files) Download(_ context.Context, request *features.DownloadRequest) (*features.DownloadResponse, error) {
	content := strings.NewReader("content")
	return &features.DownloadResponse{File: &ridl.File{Name: request.Name, Type: "text/plain", Content: content}}, nil
}

type items struct {
	features.Items
	left   chan struct{}
	silent bool
}

func (items) Get(ctx context.Context, request *features.GetRequest) (*features.GetResponse, error) {
	if network := ridl.RequestOf(ctx).Parameters["network"]; network != "main net" {
		return nil, fmt.Errorf("the network is %s", network)
	}
	if request.ID == 0 {
		return nil, fmt.Errorf("item 0: %w", features.ErrNotFound.WithCause("no such item"))
	}
	return &features.GetResponse{Item: features.Item{ID: request.ID, At: at}}, nil
}

func (items) Notes(_ context.Context, request *features.NotesRequest) (*features.NotesResponse, error) {
	return &features.NotesResponse{Request: *request}, nil
}

func (items) Add(context.Context, *features.AddRequest) error { return nil }

func (items) SetPassword(context.Context, *features.SetPasswordRequest) error { return nil }

func (s items) Watch(ctx context.Context, request *features.WatchRequest) iter.Seq2[*features.WatchResponse, error] {
	return func(yield func(*features.WatchResponse, error) bool) {
		defer close(s.left)
		for id := request.From; ; id++ {
			if s.silent {
				<-ctx.Done()
				return
			}
			if !yield(&features.WatchResponse{Item: features.Item{ID: id, At: at}}, nil) {
				return
			}
		}
	}
}

// serve starts a server, and returns a client of it.
func serve(t *testing.T, service items, options ...ridl.Option) *features.FeaturesClient {
	handler := features.NewFeaturesHandler(features.FeaturesServer{Files: files{}, Items: service}, ridl.ServerOptions{
		OnError:     func(_ context.Context, err error) { t.Error(err) },
		KeepAlive:   10 * time.Millisecond,
		Idempotency: ridl.Idempotency{Store: &ridl.MemoryAnswers{}},
	})
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return features.NewFeaturesClient(server.URL, append(options, ridl.WithParameter("network", "main net"))...)
}

func TestFiles(t *testing.T) {
	client := serve(t, items{})
	uploaded, err := client.Files.Upload(context.Background(), &features.UploadRequest{
		Title:   "cat",
		Picture: &ridl.File{Name: `a "cat".png`, Type: "image/png", Content: strings.NewReader("12345")},
		More:    []*ridl.File{{Content: strings.NewReader("6")}, {Name: "é", Content: strings.NewReader("")}},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"names":["a \"cat\".png image/png","more application/octet-stream","é application/octet-stream"],"size":6}`
	if got, _ := json.Marshal(uploaded); string(got) != want {
		t.Errorf("%s instead of %s", got, want)
	}
	downloaded, err := client.Files.Download(context.Background(), &features.DownloadRequest{Name: "é \".txt"})
	if err != nil {
		t.Fatal(err)
	}
	defer downloaded.File.Close()
	content, err := io.ReadAll(downloaded.File.Content)
	if err != nil || string(content) != "content" || downloaded.File.Name != "é \".txt" {
		t.Errorf("%q %q %v", content, downloaded.File.Name, err)
	}
	_, err = client.Files.Upload(context.Background(), &features.UploadRequest{Title: "none"})
	if !strings.Contains(err.Error(), "picture: expected a file, got nothing") {
		t.Error(err)
	}
}

func TestErrors(t *testing.T) {
	client := serve(t, items{})
	_, err := client.Items.Get(context.Background(), &features.GetRequest{})
	var e *ridl.Error
	if !errors.Is(err, features.ErrNotFound) || !errors.As(err, &e) || e.Cause != "no such item" || e.Status != 404 {
		t.Error(err)
	}
	found, err := client.Items.Get(context.Background(), &features.GetRequest{ID: 1<<64 - 1})
	if err != nil || found.Item.ID != 1<<64-1 || !found.Item.At.Equal(at) {
		t.Errorf("%v %v", found, err)
	}
	aborted, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err = client.Items.Get(aborted, &features.GetRequest{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestPathOfRenamedFields(t *testing.T) {
	client := serve(t, items{})
	request := features.NotesRequest{ItemID: 1 << 60, NoteIDs: []string{"a/b", "é"}}
	read, err := client.Items.Notes(context.Background(), &request)
	if err != nil || !reflect.DeepEqual(read.Request, request) {
		t.Error(read, err)
	}
}

func TestStream(t *testing.T) {
	service := items{left: make(chan struct{})}
	client := serve(t, service)
	for item, err := range client.Items.Watch(context.Background(), &features.WatchRequest{From: 5}) {
		if err != nil || item.Item.ID < 5 {
			t.Fatal(item, err)
		}
		if item.Item.ID == 8 {
			break
		}
	}
	<-service.left
}

func TestSilentStream(t *testing.T) {
	service := items{left: make(chan struct{}), silent: true}
	client := serve(t, service, ridl.WithSilence(300*time.Millisecond))
	ctx, cancel := context.WithCancel(context.Background())
	// Keep-alives prevent the end of a stream that is only silent.
	time.AfterFunc(time.Second, cancel)
	for _, err := range client.Items.Watch(ctx, &features.WatchRequest{}) {
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
	<-service.left
}

// respond starts a server that gives these responses one after another.
func respond(t *testing.T, responses ...func(http.ResponseWriter)) (address string, count *atomic.Int32) {
	count = new(atomic.Int32)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		responses[int(count.Add(1)-1)%len(responses)](w)
	}))
	t.Cleanup(server.Close)
	return server.URL, count
}

func TestLostStream(t *testing.T) {
	for _, body := range []string{"\n{\"item\":{\"id\":1,", "\n{\"item\":{\"id\":1,\"at\":\"2024-01-01T00:00:00Z\"}}\n{"} {
		address, _ := respond(t, func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "application/x-ndjson")
			_, _ = io.WriteString(w, body)
		})
		client := features.NewFeaturesClient(address, ridl.WithParameter("network", "x"))
		var last error
		for _, err := range client.Items.Watch(context.Background(), &features.WatchRequest{}) {
			last = err
		}
		if !errors.Is(last, ridl.ErrStreamLost) {
			t.Error(last)
		}
	}
}

func TestRetry(t *testing.T) {
	unavailable := func(w http.ResponseWriter) {
		w.Header().Set("Retry-After", "0")
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	found := func(w http.ResponseWriter) {
		_, _ = io.WriteString(w, `{"item":{"id":1,"at":"2024-01-01T00:00:00Z"}}`)
	}
	address, count := respond(t, unavailable, unavailable, found)
	options := []ridl.Option{ridl.WithParameter("network", "x"), ridl.WithRetry(ridl.Retry{Attempts: 3, Delay: time.Hour})}
	client := features.NewFeaturesClient(address, options...)
	if _, err := client.Items.Get(context.Background(), &features.GetRequest{}); err != nil || count.Load() != 3 {
		t.Error(count.Load(), err)
	}
	// A method that changes something is not repeated.
	err := client.Items.Add(context.Background(), &features.AddRequest{Item: features.Item{At: at}})
	if err == nil || count.Load() != 4 {
		t.Error(count.Load(), err)
	}
}

// The delay doubles until it is the longest, which it stays. After 36 doublings, 200 ms would overflow.
func TestDelaysOfManyAttempts(t *testing.T) {
	again := func(w http.ResponseWriter) {
		w.Header().Set("Retry-After", "0")
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	fail := func(w http.ResponseWriter) { w.WriteHeader(http.StatusServiceUnavailable) }
	retry := ridl.WithRetry(ridl.Retry{Attempts: 200, MaxDelay: time.Hour})
	for _, last := range []int{37, 38, 60, 64, 65, 100} {
		address, count := respond(t, append(slices.Repeat([]func(http.ResponseWriter){again}, last-1), fail, fail)...)
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
		defer cancel()
		// The deadline comes before the next attempt, so the call ends at once.
		_, err := features.NewFeaturesClient(address, ridl.WithParameter("network", "x"), retry).Items.Get(ctx, &features.GetRequest{})
		if err == nil || int(count.Load()) != last {
			t.Error(last, count.Load(), err)
		}
	}
}

type failing struct{ items }

func (failing) Get(context.Context, *features.GetRequest) (*features.GetResponse, error) {
	return nil, errors.New("it fails\nridl: a forged line\rridl: another")
}

// Neither the text of an error nor a path can begin a line of the log.
func TestLinesOfTheLog(t *testing.T) {
	var logged bytes.Buffer
	log.SetOutput(&logged)
	defer log.SetOutput(os.Stderr)
	handler := features.NewFeaturesHandler(features.FeaturesServer{Files: files{}, Items: failing{}}, ridl.ServerOptions{
		Idempotency: ridl.Idempotency{Store: &ridl.MemoryAnswers{}},
	})
	request := httptest.NewRequest("POST", "/x%0Aridl:%20y/rpc/Items/Get", strings.NewReader(`{"id":1}`))
	request.Header.Set("Content-Type", "application/json")
	response := httptest.NewRecorder()
	handler.ServeHTTP(response, request)
	lines := strings.Split(logged.String(), "\n")
	if response.Code != 500 || len(lines) != 4 || !strings.HasPrefix(lines[1], "\tridl: a forged") || !strings.HasPrefix(lines[2], "\tridl: another") {
		t.Errorf("%d %q", response.Code, logged.String())
	}
}

func TestStillRunning(t *testing.T) {
	running := func(w http.ResponseWriter) {
		w.Header().Set("Retry-After", "0")
		w.WriteHeader(http.StatusConflict)
		_, _ = io.WriteString(w, `{"error":"WebrpcRequestFailed","code":-1,"msg":"request failed","status":409}`)
	}
	printed := func(w http.ResponseWriter) {
		w.Header().Set("Idempotency-State", "running")
		w.WriteHeader(http.StatusConflict)
		_, _ = io.WriteString(w, `{"detail":"of a framework"}`)
	}
	// A proxy has replaced the body, but not its coding.
	coded := func(w http.ResponseWriter) {
		w.Header().Set("Content-Encoding", "gzip")
		printed(w)
	}
	lost := func(w http.ResponseWriter) { w.WriteHeader(http.StatusServiceUnavailable) }
	done := func(w http.ResponseWriter) { _, _ = io.WriteString(w, "{}") }
	network := ridl.WithParameter("network", "x")
	wait := ridl.WithRetry(ridl.Retry{Attempts: 2, Delay: time.Nanosecond})
	address, count := respond(t, lost, running, printed, coded, running, done)
	client := features.NewFeaturesClient(address, network, wait)
	if err := client.Items.Order(context.Background(), &features.OrderRequest{ID: 1}); err != nil || count.Load() != 6 {
		t.Error(count.Load(), err)
	}
	// Until the deadline, it is not the last word.
	address, count = respond(t, running)
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	slow := ridl.WithRetry(ridl.Retry{Attempts: 2, Delay: time.Hour, MaxDelay: time.Hour})
	err := features.NewFeaturesClient(address, network, slow).Items.Order(ctx, &features.OrderRequest{ID: 1})
	var failure *ridl.Error
	if !errors.As(err, &failure) || failure.Reason != "timeout" || count.Load() != 1 {
		t.Error(count.Load(), err)
	}
	// Without the option, and for methods without keys, no call is repeated.
	address, _ = respond(t, running, running)
	if err := features.NewFeaturesClient(address, network).Items.Order(context.Background(), &features.OrderRequest{ID: 1}); !errors.As(err, &failure) || failure.Status != 409 {
		t.Error(err)
	}
	if _, err := features.NewFeaturesClient(address, network, wait).Items.Get(context.Background(), &features.GetRequest{}); !errors.As(err, &failure) || failure.Status != 409 {
		t.Error(err)
	}
}

func TestIdempotencyKeys(t *testing.T) {
	var keys []string
	fail := func(w http.ResponseWriter) { w.WriteHeader(http.StatusServiceUnavailable) }
	end := func(w http.ResponseWriter) { _, _ = io.WriteString(w, "{}") }
	steps := []func(http.ResponseWriter){fail, end, end, end, end}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		keys = append(keys, r.Header.Get("Idempotency-Key"))
		steps[len(keys)-1](w)
	}))
	defer server.Close()
	retry := ridl.WithRetry(ridl.Retry{Attempts: 3, Delay: time.Millisecond})
	client := features.NewFeaturesClient(server.URL, ridl.WithParameter("network", "x"), retry)
	own := ridl.WithIdempotencyKey(context.Background(), `row "7"\`)
	for _, ctx := range []context.Context{context.Background(), context.Background(), own} {
		if err := client.Items.Order(ctx, &features.OrderRequest{ID: 1}); err != nil {
			t.Fatal(err)
		}
	}
	if err := client.Items.Add(own, &features.AddRequest{Item: features.Item{At: at}}); err != nil {
		t.Fatal(err)
	}
	if keys[0] != keys[1] || keys[1] == keys[2] || len(keys[0]) != 34 || keys[3] != `"row \"7\"\\"` || keys[4] != "" {
		t.Error(keys)
	}
	for _, key := range []string{"", "a\nb", "é", strings.Repeat("a", 256)} {
		ctx := ridl.WithIdempotencyKey(context.Background(), key)
		if err := client.Items.Order(ctx, &features.OrderRequest{}); err == nil || len(keys) != 5 {
			t.Error(err)
		}
	}
}

// twice makes calls again that have succeeded, as an interceptor does that has lost a response.
func twice(next ridl.ClientFunc) ridl.ClientFunc {
	return func(ctx context.Context, call *ridl.ClientCall) error {
		if err := next(ctx, call); err != nil {
			return err
		}
		// Neither the call nor the context need be those of the client.
		own := *call
		return next(context.Background(), &own)
	}
}

func TestInterceptorsRepeatCallsWithTheSameIDs(t *testing.T) {
	var keys, ids []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		keys = append(keys, r.Header.Get("Idempotency-Key"))
		ids = append(ids, r.Header.Get("Webhook-Id"))
		_, _ = io.WriteString(w, "{}")
	}))
	defer server.Close()
	client := features.NewFeaturesClient(server.URL, ridl.WithParameter("network", "x"), ridl.WithInterceptors(twice))
	own := ridl.WithIdempotencyKey(context.Background(), "own")
	for _, ctx := range []context.Context{context.Background(), context.Background(), own} {
		if err := client.Items.Order(ctx, &features.OrderRequest{ID: 1}); err != nil {
			t.Fatal(err)
		}
	}
	isRandom := len(keys[0]) == 34 && keys[0] == keys[1] && len(keys[2]) == 34 && keys[2] == keys[3] && keys[0] != keys[2]
	if !isRandom || keys[4] != `"own"` || keys[5] != `"own"` {
		t.Error(keys)
	}
	keys, ids = nil, nil
	secret := ridl.WithSigningSecrets(strings.Repeat("MTIz", 8))
	sender := features.NewEventsSender(server.URL, secret, ridl.WithInterceptors(twice))
	own = ridl.WithWebhookID(context.Background(), "own")
	for _, ctx := range []context.Context{context.Background(), context.Background(), own} {
		if err := sender.Gone(ctx, &features.GoneRequest{}); err != nil {
			t.Fatal(err)
		}
	}
	if ids[0] == "" || ids[0] != ids[1] || ids[2] != ids[3] || ids[0] == ids[2] || ids[4] != "own" || ids[5] != "own" {
		t.Error(ids)
	}
}

func TestInterceptorsThatRepeatCallsMixNoResponses(t *testing.T) {
	respondWith := func(body string) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) { _, _ = io.WriteString(w, body) }
	}
	address, _ := respond(t, respondWith(`{"item":{"id":1,"at":"2024-02-29T12:00:00Z","note":"of the first"}}`),
		respondWith(`{"item":{"id":2,"at":"2024-02-29T12:00:00Z"}}`))
	client := features.NewFeaturesClient(address, ridl.WithParameter("network", "x"), ridl.WithInterceptors(twice))
	found, err := client.Items.Get(context.Background(), &features.GetRequest{ID: 2})
	if err != nil || found.Item.ID != 2 || found.Item.Note != nil {
		t.Error(found, err)
	}
}

type events struct{ sold, gone atomic.Int32 }

func (e *events) Sold(context.Context, *features.SoldRequest) error { e.sold.Add(1); return nil }

func (e *events) Gone(context.Context, *features.GoneRequest) error { e.gone.Add(1); return nil }

func TestWebhooks(t *testing.T) {
	secret, other := "whsec_"+strings.Repeat("MTIz", 8), strings.Repeat("NDU2", 8)
	received := &events{}
	server := httptest.NewServer(features.NewEventsReceiver(received, ridl.ServerOptions{Secrets: []string{secret}}))
	defer server.Close()
	sender := features.NewEventsSender(server.URL+"/any", ridl.WithSigningSecrets(other, secret))
	if err := sender.Sold(context.Background(), &features.SoldRequest{Item: features.Item{At: at}}); err != nil {
		t.Error(err)
	}
	if err := sender.Gone(context.Background(), &features.GoneRequest{}); err != nil {
		t.Error(err)
	}
	for _, options := range [][]ridl.Option{nil, {ridl.WithSigningSecrets(other)}} {
		err := features.NewEventsSender(server.URL, options...).Gone(context.Background(), &features.GoneRequest{})
		var e *ridl.Error
		if !errors.As(err, &e) || e.Status != 401 || !strings.HasPrefix(e.Cause, "the signature ") {
			t.Error(err)
		}
	}
	if received.sold.Load() != 1 || received.gone.Load() != 1 {
		t.Error(received.sold.Load(), received.gone.Load())
	}
}

func TestWebhookIDs(t *testing.T) {
	secret := strings.Repeat("MTIz", 8)
	var ids []string
	receiver := features.NewEventsReceiver(&events{}, ridl.ServerOptions{Secrets: []string{secret}})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ids = append(ids, r.Header.Get("Webhook-Id"))
		receiver.ServeHTTP(w, r)
	}))
	defer server.Close()
	plain, signed := context.Background(), ridl.WithSigningSecrets(secret)
	sender := features.NewEventsSender(server.URL, signed)
	for _, ctx := range []context.Context{ridl.WithWebhookID(plain, "evt_1"), ridl.WithWebhookID(plain, "evt_1"), plain} {
		if err := sender.Gone(ctx, &features.GoneRequest{}); err != nil {
			t.Error(err)
		}
	}
	if len(ids) != 3 || ids[0] != "evt_1" || ids[1] != "evt_1" || !strings.HasPrefix(ids[2], "msg_") {
		t.Error(ids)
	}
	for _, ctx := range []context.Context{
		ridl.WithWebhookID(plain, ""), ridl.WithWebhookID(plain, "a b"), ridl.WithWebhookID(plain, "a\nb"),
		ridl.WithCallHeader(plain, "webhook-id", "evt_1"),
	} {
		if err := sender.Gone(ctx, &features.GoneRequest{}); err == nil || len(ids) != 3 {
			t.Error(ids, err)
		}
	}
	stale := features.NewEventsSender(server.URL, signed, ridl.WithHeader("Webhook-Timestamp", "1"))
	if err := stale.Gone(plain, &features.GoneRequest{}); err == nil || len(ids) != 3 {
		t.Error(ids, err)
	}
}

func TestNoWebhookSecrets(t *testing.T) {
	for name, create := range map[string]func(){
		"receiver": func() { features.NewEventsReceiver(&events{}, ridl.ServerOptions{Secrets: []string{}}) },
		"sender":   func() { ridl.WithSigningSecrets() },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("it works without a secret")
				}
			}()
			create()
		})
	}
}

func TestPatternOfUser(t *testing.T) {
	client := serve(t, items{})
	request := &features.SetPasswordRequest{Password: "12345678"}
	var invalid *ridl.ValueError
	if err := client.Items.SetPassword(context.Background(), request); !errors.As(err, &invalid) {
		t.Error("a pattern without a matcher is not skipped:", err)
	}
	ridl.SetMatcher("^(?=.*[0-9]).{8,}$", func(text string) bool {
		return len(text) >= 8 && strings.ContainsAny(text, "0123456789")
	})
	if err := client.Items.SetPassword(context.Background(), request); err != nil {
		t.Error(err)
	}
}

func TestJSON(t *testing.T) {
	null := &ridl.Nullable[string]{}
	for _, item := range []features.Item{{At: at}, {At: at, Note: null}, {At: at, Note: &ridl.Nullable[string]{Value: "", Valid: true}}} {
		data, err := json.Marshal(item)
		if err != nil {
			t.Fatal(err)
		}
		var read features.Item
		if err := json.Unmarshal(data, &read); err != nil {
			t.Fatal(err)
		}
		if again, _ := json.Marshal(read); !bytes.Equal(again, data) {
			t.Errorf("%s instead of %s", again, data)
		}
	}
	// The last value of a repeated property counts.
	repeated := features.SoldRequest{}
	text := `{"item":{"id":"x","note":"a","at":"2024-01-01T00:00:00Z"},"item":{"id":1,"id":2,"at":"2024-01-01T00:00:00Z"}}`
	if err := json.Unmarshal([]byte(text), &repeated); err != nil || repeated.Item.ID != 2 || repeated.Item.Note != nil {
		t.Error(repeated, err)
	}
	for text, want := range map[string]string{
		`{"id":1}`:                              "at: expected a timestamp, got nothing",
		`{"id":-1,"at":"2024-01-01T00:00:00Z"}`: "id: expected an unsigned integer, got -1",
		`{"ID":1,"at":"2024-01-01T00:00:00Z"}`:  "id: expected an unsigned integer, got nothing",
		`{"id":1,"at":"2023-02-29T00:00:00Z"}`:  `at: expected a timestamp, got "2023-02-29T00:00:00Z"`,
	} {
		if err := json.Unmarshal([]byte(text), new(features.Item)); err == nil || err.Error() != want {
			t.Errorf("%v instead of %s", err, want)
		}
	}
}

func TestNullablesReadWhatTheyWrite(t *testing.T) {
	var item ridl.Nullable[uint64]
	for text, want := range map[string]ridl.Nullable[uint64]{"null": {}, "7": {Value: 7, Valid: true}} {
		item = ridl.Nullable[uint64]{Value: 9, Valid: true}
		if err := json.Unmarshal([]byte(text), &item); err != nil || item != want {
			t.Error(text, item, err)
		}
		if again, _ := json.Marshal(item); string(again) != text {
			t.Error(string(again))
		}
	}
}

func TestCorruptResponsesAreNotRequestedAgain(t *testing.T) {
	for _, status := range []int{200, 400} {
		corrupt := func(w http.ResponseWriter) {
			w.Header().Set("Content-Encoding", "gzip")
			w.WriteHeader(status)
			_, _ = io.WriteString(w, "this is not gzip")
		}
		address, count := respond(t, corrupt, corrupt)
		options := []ridl.Option{ridl.WithParameter("network", "x"), ridl.WithRetry(ridl.Retry{Attempts: 2, Delay: time.Millisecond})}
		_, err := features.NewFeaturesClient(address, options...).Items.Get(context.Background(), &features.GetRequest{})
		if !errors.Is(err, ridl.ErrBadResponse) || count.Load() != 1 {
			t.Error(status, count.Load(), err)
		}
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestUnreadableSuccessesOfKeyedCallsAreRequestedAgain(t *testing.T) {
	keys := map[string]bool{}
	corrupt := func(w http.ResponseWriter) {
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = io.WriteString(w, "this is not gzip")
	}
	cut := func(w http.ResponseWriter) {
		w.Header().Set("Content-Length", "9")
		_, _ = io.WriteString(w, "{")
	}
	half := func(w http.ResponseWriter) { _, _ = io.WriteString(w, "{") }
	done := func(w http.ResponseWriter) { _, _ = io.WriteString(w, "{}") }
	for name, unreadable := range map[string]func(http.ResponseWriter){"corrupt": corrupt, "cut": cut, "half": half} {
		address, count := respond(t, unreadable, done)
		transport := func(r *http.Request) (*http.Response, error) {
			keys[r.Header.Get("Idempotency-Key")] = true
			return http.DefaultTransport.RoundTrip(r)
		}
		client := features.NewFeaturesClient(address, ridl.WithParameter("network", "x"),
			ridl.WithHTTPClient(&http.Client{Transport: roundTrip(transport)}),
			ridl.WithRetry(ridl.Retry{Attempts: 2, Delay: time.Millisecond}))
		if err := client.Items.Order(context.Background(), &features.OrderRequest{}); err != nil || count.Load() != 2 {
			t.Error(name, count.Load(), err)
		}
	}
	if len(keys) != 3 {
		t.Error(len(keys), "keys for three calls")
	}
}

func TestAnswersThatAreTooLargeAreNotRequestedAgain(t *testing.T) {
	address, count := respond(t, func(w http.ResponseWriter) { _, _ = io.WriteString(w, strings.Repeat(" ", 100)+"{}") })
	client := features.NewFeaturesClient(address, ridl.WithParameter("network", "x"), ridl.WithMaxResponse(100),
		ridl.WithRetry(ridl.Retry{Attempts: 2, Delay: time.Millisecond}))
	err := client.Items.Order(context.Background(), &features.OrderRequest{})
	if !errors.Is(err, ridl.ErrBadResponse) || count.Load() != 1 {
		t.Error(count.Load(), err)
	}
}

func TestNullInUsedValue(t *testing.T) {
	number := uint64(1)
	used := features.Tree{Parent: &number, Children: []features.Tree{{Parent: &number}}}
	if err := json.Unmarshal([]byte(`{"parent":null,"levels":{},"children":[]}`), &used); err != nil {
		t.Fatal(err)
	}
	if used.Parent != nil || len(used.Children) != 0 {
		t.Error(used)
	}
}

func TestKeys(t *testing.T) {
	text := `{"levels":{"{":"a","300":"b","1":"c","01":"d"},"children":[]}`
	var invalid *ridl.ValueError
	if err := json.Unmarshal([]byte(text), new(features.Tree)); !errors.As(err, &invalid) || len(invalid.Failures) != 3 {
		t.Error(err)
	}
}

func TestFirstUseOfRecursiveType(t *testing.T) {
	var all sync.WaitGroup
	for range 20 {
		all.Add(1)
		go func() {
			defer all.Done()
			text := `{"levels":{},"children":[{"levels":{"1":"a"},"children":[]}]}`
			var tree features.Tree
			err := json.Unmarshal([]byte(text), &tree)
			if printed, _ := json.Marshal(tree); err != nil || string(printed) != text {
				t.Error(string(printed), err)
			}
		}()
	}
	all.Wait()
}

// Browsers send JSON in a form as a file.
func TestFormOfBrowser(t *testing.T) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for _, field := range []string{"json", "picture"} {
		part, err := form.CreateFormFile(field, "blob")
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(part, `{"title":"cat"}`)
	}
	_ = form.Close()
	request := httptest.NewRequest("POST", "/x/rpc/Files/Upload", &body)
	request.Header.Set("Content-Type", form.FormDataContentType())
	response := httptest.NewRecorder()
	handler := features.NewFeaturesHandler(features.FeaturesServer{Files: files{}, Items: items{}}, ridl.ServerOptions{
		Idempotency: ridl.Idempotency{Store: &ridl.MemoryAnswers{}},
	})
	handler.ServeHTTP(response, request)
	if want := `{"names":["blob application/octet-stream"],"size":15}`; response.Body.String() != want {
		t.Errorf("%s instead of %s", response.Body, want)
	}
}

// The end of a body right after a boundary is not the end of the form.
func TestFormThatEndsEarly(t *testing.T) {
	handler := features.NewFeaturesHandler(features.FeaturesServer{Files: files{}, Items: items{}}, ridl.ServerOptions{
		Idempotency: ridl.Idempotency{Store: &ridl.MemoryAnswers{}},
	})
	whole := "--b\r\nContent-Disposition: form-data; name=\"json\"\r\n\r\n{\"title\":\"cat\"}\r\n" +
		"--b\r\nContent-Disposition: form-data; name=\"picture\"; filename=\"p\"\r\n\r\nx\r\n--b--"
	for end := 1; end <= len(whole); end++ {
		request := httptest.NewRequest("POST", "/x/rpc/Files/Upload", strings.NewReader(whole[:end]))
		request.Header.Set("Content-Type", "multipart/form-data; boundary=b")
		response := httptest.NewRecorder()
		handler.ServeHTTP(response, request)
		if isWhole := end == len(whole); isWhole != (response.Code == 200) {
			t.Errorf("%d for %q", response.Code, whole[:end])
		}
	}
}

// A message has one part with JSON and one for each file, whose name can be extended (RFC 8187).
func TestFormWithSeveralParts(t *testing.T) {
	handler := features.NewFeaturesHandler(features.FeaturesServer{Files: files{}, Items: items{}}, ridl.ServerOptions{
		Idempotency: ridl.Idempotency{Store: &ridl.MemoryAnswers{}},
	})
	json := "--b\r\nContent-Disposition: form-data; name=\"json\"\r\n\r\n{\"title\":\"cat\"}\r\n"
	picture := "--b\r\nContent-Disposition: form-data; name=\"picture\"; filename*=utf-8''%C3%A9\r\n\r\nx\r\n"
	for body, want := range map[string]string{
		json + picture:           "é application/octet-stream",
		json + json + picture:    "part json: expected one, got several",
		json + picture + picture: "part picture: expected one, got several",
	} {
		request := httptest.NewRequest("POST", "/x/rpc/Files/Upload", strings.NewReader(body+"--b--"))
		request.Header.Set("Content-Type", "multipart/form-data; boundary=b")
		response := httptest.NewRecorder()
		handler.ServeHTTP(response, request)
		if !strings.Contains(response.Body.String(), want) {
			t.Errorf("%s instead of %s", response.Body, want)
		}
	}
}

// slowFiles returns a file after the client has left.
type slowFiles struct {
	files
	closed chan struct{}
}

func (f slowFiles) Read([]byte) (int, error) { return 0, io.EOF }

func (f slowFiles) Close() error { close(f.closed); return nil }

func (f slowFiles) Download(ctx context.Context, _ *features.DownloadRequest) (*features.DownloadResponse, error) {
	<-ctx.Done()
	return &features.DownloadResponse{File: &ridl.File{Content: f}}, nil
}

func TestFileNobodyWaitsFor(t *testing.T) {
	service := slowFiles{closed: make(chan struct{})}
	handler := features.NewFeaturesHandler(features.FeaturesServer{Files: service, Items: items{}}, ridl.ServerOptions{
		Idempotency: ridl.Idempotency{Store: &ridl.MemoryAnswers{}},
	})
	ctx, leave := context.WithCancel(context.Background())
	leave()
	request := httptest.NewRequest("POST", "/x/rpc/Files/Download", strings.NewReader(`{"name":"a"}`)).WithContext(ctx)
	request.Header.Set("Content-Type", "application/json")
	handler.ServeHTTP(httptest.NewRecorder(), request)
	<-service.closed
}
