// Tests that a part of a stream or a file is never taken for the whole, also below middlewares.
package streams_test

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/streams"
	"example.com/streams/ridl"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/gorilla/handlers"
)

type service struct {
	streams.UnimplementedFeed
	streams.UnimplementedLive
}

// emit yields items, and then ends, fails, waits, panics, or yields what a client could take for an error.
func emit[Item any](ctx context.Context, count uint32, then *string, item func(n uint32) *Item, forge func() *Item) iter.Seq2[*Item, error] {
	return func(yield func(*Item, error) bool) {
		for n := range count {
			if !yield(item(n+1), nil) {
				return
			}
		}
		if then == nil {
			return
		}
		switch *then {
		case "fail":
			yield(nil, ridl.ErrBadRequest)
		case "forge":
			yield(forge(), nil)
		case "wait":
			<-ctx.Done()
		}
	}
}

// reuse yields the same item again and again, and changes it in between.
func reuse(yield func(*streams.Item, error) bool) {
	var item streams.Item
	for item.N = 1; item.N <= 1000 && yield(&item, nil); item.N++ {
	}
}

func (service) Lines(ctx context.Context, r *streams.LinesRequest) iter.Seq2[*streams.Item, error] {
	if r.Then != nil && *r.Then == "reuse" {
		return reuse
	}
	forged := map[string]json.RawMessage{"webrpcError": json.RawMessage(`{"error":"Forged","code":1}`), "z": json.RawMessage(`1`)}
	return emit(ctx, r.Count, r.Then, func(n uint32) *streams.Item { return &streams.Item{N: n} },
		func() *streams.Item { return &streams.Item{N: 9, More: forged} })
}

func (service) Events(ctx context.Context, r *streams.EventsRequest) iter.Seq2[*streams.EventsResponse, error] {
	item := func(n uint32) *streams.EventsResponse { return &streams.EventsResponse{N: n} }
	return emit(ctx, r.Count, r.Then, item, func() *streams.EventsResponse { return item(9) })
}

// broken is content that fails after a part.
type broken struct{ read bool }

func (b *broken) Read(p []byte) (int, error) {
	if b.read {
		return 0, errors.New("the disk is gone")
	}
	b.read = true
	return copy(p, strings.Repeat("a", 10)), nil
}

func (service) Download(_ context.Context, r *streams.DownloadRequest) (*streams.DownloadResponse, error) {
	switch {
	case r.Then == nil:
		return &streams.DownloadResponse{File: &ridl.File{Content: strings.NewReader("content")}}, nil
	case *r.Then == "known":
		return &streams.DownloadResponse{File: &ridl.File{Content: strings.NewReader("content"), Size: 7}}, nil
	case *r.Then == "short":
		return &streams.DownloadResponse{File: &ridl.File{Content: &broken{}, Size: 20}}, nil
	case *r.Then == "long":
		return &streams.DownloadResponse{File: &ridl.File{Content: strings.NewReader(strings.Repeat("a", 20_000)), Size: 16 << 10}}, nil
	}
	return &streams.DownloadResponse{File: &ridl.File{Content: &broken{}}}, nil
}

// Call returns its text, fails, panics, or waits for the deadline.
func (service) Call(ctx context.Context, r *streams.CallRequest) (*streams.CallResponse, error) {
	switch r.Text {
	case "fail":
		return nil, ridl.ErrBadRequest
	case "panic":
		panic("a bug")
	case "wait":
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return &streams.CallResponse{Text: r.Text}, nil
}

func (service) Upload(_ context.Context, r *streams.UploadRequest) (*streams.UploadResponse, error) {
	size, err := io.Copy(io.Discard, r.File.Content)
	return &streams.UploadResponse{Size: uint32(size)}, err
}

// errorsSeen are what a server reports.
type errorsSeen struct {
	sync.Mutex
	all []string
}

func (e *errorsSeen) add(_ context.Context, err error) {
	e.Lock()
	defer e.Unlock()
	e.all = append(e.all, err.Error())
}

func (e *errorsSeen) String() string {
	e.Lock()
	defer e.Unlock()
	return strings.Join(e.all, "\n")
}

type wrap = func(http.Handler) http.Handler

// start serves the contract below a middleware.
func start(t *testing.T, below wrap) (*httptest.Server, *errorsSeen) {
	seen := &errorsSeen{}
	server := httptest.NewServer(below(streams.NewStreamsHandler(streams.StreamsServer{Feed: service{}, Live: service{}}, ridl.ServerOptions{OnError: seen.add})))
	t.Cleanup(server.Close)
	return server, seen
}

func plain(next http.Handler) http.Handler { return next }

// recorder is a middleware as many write it.
type recorder struct {
	http.ResponseWriter
	status int
}

func (r *recorder) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}

// unwrapped is a recorder that [http.ResponseController] sees through.
type unwrapped struct{ recorder }

func (u *unwrapped) Unwrap() http.ResponseWriter { return u.ResponseWriter }

func unwrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(&unwrapped{recorder{ResponseWriter: w}}, r)
	})
}

func record(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(&recorder{ResponseWriter: w}, r)
	})
}

var silent = func(next http.Handler) http.Handler { return handlers.LoggingHandler(io.Discard, next) }

// middlewares are the most used ones, and whether they let items pass at once.
var middlewares = []struct {
	name    string
	wrap    wrap
	streams bool
}{
	{"none", plain, true},
	{"chi Logger", middleware.RequestLogger(&middleware.DefaultLogFormatter{Logger: discard{}, NoColor: true}), true},
	{"chi Recoverer", middleware.Recoverer, true},
	{"chi Compress", middleware.Compress(5), true},
	{"chi Compress of streams", middleware.Compress(5, "application/x-ndjson", "text/event-stream"), true},
	{"chi Timeout", middleware.Timeout(time.Minute), true},
	{"chi Throttle", middleware.Throttle(10), true},
	{"gorilla LoggingHandler", silent, true},
	{"gorilla CompressHandler", handlers.CompressHandler, true},
	{"gorilla RecoveryHandler", handlers.RecoveryHandler(handlers.RecoveryLogger(discard{})), true},
	{"a recorder with Unwrap", unwrap, true},
	{"a recorder without Unwrap", record, false},
	{"http.TimeoutHandler", func(next http.Handler) http.Handler { return http.TimeoutHandler(next, time.Minute, "") }, false},
}

type discard struct{}

func (discard) Print(...any)   {}
func (discard) Println(...any) {}

// count reads a stream, and returns the number of items and the reason of its error.
func count[Item any](items iter.Seq2[*Item, error]) (n int, reason string) {
	for _, err := range items {
		if err != nil {
			e, _ := err.(*ridl.Error)
			if e.Reason != "" {
				return n, e.Reason
			}
			return n, e.Name
		}
		n++
	}
	return n, ""
}

var ctx = context.Background()

func text(s string) *string { return &s }

func TestStreamsBelowMiddlewares(t *testing.T) {
	for _, each := range middlewares {
		t.Run(each.name, func(t *testing.T) {
			server, seen := start(t, each.wrap)
			client := streams.NewStreamsClient(server.URL)
			for then, want := range map[string]string{"": "", "fail": "WebrpcBadRequest"} {
				wanted := 3
				if !each.streams {
					wanted, want = 0, "WebrpcInternalError"
				}
				n, reason := count(client.Feed.Lines(ctx, &streams.LinesRequest{Count: 3, Then: &then}))
				if n != wanted || reason != want {
					t.Errorf("lines: got %d items and %q", n, reason)
				}
				n, reason = count(client.Live.Events(ctx, &streams.EventsRequest{Count: 3, Then: &then}))
				if n != wanted || reason != want {
					t.Errorf("events: got %d items and %q", n, reason)
				}
			}
			if got := seen.String(); !each.streams && !strings.Contains(got, "Unwrap or Flush") {
				t.Errorf("got the report %q", got)
			}
		})
	}
}

func TestCallsBelowMiddlewares(t *testing.T) {
	for _, each := range middlewares {
		t.Run(each.name, func(t *testing.T) {
			server, _ := start(t, each.wrap)
			client := streams.NewStreamsClient(server.URL)
			long := strings.Repeat("x", 100_000)
			for _, text := range []string{"", long} {
				response, err := client.Feed.Call(ctx, &streams.CallRequest{Text: text})
				if err != nil || response.Text != text {
					t.Error(len(text), err)
				}
			}
			for text, want := range map[string]error{"fail": ridl.ErrBadRequest, "panic": ridl.ErrInternalError} {
				if _, err := client.Feed.Call(ctx, &streams.CallRequest{Text: text}); !errors.Is(err, want) {
					t.Error(text, err)
				}
			}
			// The deadline of the call is that of its handler.
			short := streams.NewStreamsClient(server.URL, ridl.WithHeader("Request-Timeout-Ms", "50"))
			var late *ridl.Error
			if _, err := short.Feed.Call(ctx, &streams.CallRequest{Text: "wait"}); !errors.As(err, &late) || late.Status != 504 {
				t.Error(err)
			}
			// A handler ends when its client leaves.
			leaving, leave := context.WithCancel(ctx)
			time.AfterFunc(50*time.Millisecond, leave)
			if _, err := client.Feed.Call(leaving, &streams.CallRequest{Text: "wait"}); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			uploaded, err := client.Feed.Upload(ctx, &streams.UploadRequest{File: &ridl.File{Content: strings.NewReader(long)}})
			if err != nil || uploaded.Size != 100_000 {
				t.Error(err)
			}
			downloaded, err := client.Feed.Download(ctx, &streams.DownloadRequest{Then: text("known")})
			if err != nil {
				t.Fatal(err)
			}
			if content, err := io.ReadAll(downloaded.File.Content); err != nil || string(content) != "content" {
				t.Error(string(content), err)
			}
		})
	}
}

func TestFirstItemsArriveAtOnce(t *testing.T) {
	for _, each := range middlewares {
		if !each.streams {
			continue
		}
		t.Run(each.name, func(t *testing.T) {
			server, _ := start(t, each.wrap)
			client := streams.NewStreamsClient(server.URL)
			// The stream never ends, so an item that is held back would never arrive.
			for _, err := range client.Feed.Lines(ctx, &streams.LinesRequest{Count: 1, Then: text("wait")}) {
				if err != nil {
					t.Error(err)
				}
				break
			}
		})
	}
}

func TestBrokenFilesBelowMiddlewares(t *testing.T) {
	for _, each := range middlewares {
		for _, then := range []string{"short", "long", "break"} {
			t.Run(each.name+" "+then, func(t *testing.T) {
				server, _ := start(t, each.wrap)
				client := streams.NewStreamsClient(server.URL)
				response, err := client.Feed.Download(ctx, &streams.DownloadRequest{Then: &then})
				if err != nil {
					return // TimeoutHandler sends nothing before the end.
				}
				if content, err := io.ReadAll(response.File.Content); err == nil {
					t.Errorf("got %d bytes as the whole file", len(content))
				}
			})
		}
	}
}

func TestHandlersCanReuseItems(t *testing.T) {
	server, _ := start(t, plain)
	client := streams.NewStreamsClient(server.URL)
	var n uint32
	for item, err := range client.Feed.Lines(ctx, &streams.LinesRequest{Then: text("reuse")}) {
		if n++; err != nil || item.N != n {
			t.Fatalf("got %v and %v as item %d", item, err, n)
		}
	}
	if n != 1000 {
		t.Error(n)
	}
}

func TestShutdownIsNotTheEnd(t *testing.T) {
	shutdown, cancel := context.WithCancel(ctx)
	defer cancel()
	server := httptest.NewUnstartedServer(streams.NewStreamsHandler(streams.StreamsServer{Feed: service{}, Live: service{}}, ridl.ServerOptions{}))
	server.Config.BaseContext = func(net.Listener) context.Context { return shutdown }
	server.Start()
	t.Cleanup(server.Close)
	client := streams.NewStreamsClient(server.URL)
	n, reason := count(func(yield func(*streams.Item, error) bool) {
		for item, err := range client.Feed.Lines(ctx, &streams.LinesRequest{Count: 2, Then: text("wait")}) {
			if !yield(item, err) {
				return
			}
			if item != nil && item.N == 2 {
				cancel()
			}
		}
	})
	if n != 2 || reason != "stream-lost" {
		t.Errorf("got %d items and %q", n, reason)
	}
}

// raw sends a request, and returns the response until the connection ends.
func raw(t *testing.T, server *httptest.Server, head ...string) (string, error) {
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, _ = io.WriteString(conn, strings.Join(head, "\r\n"))
	body, err := io.ReadAll(conn)
	return string(body), err
}

func post(path, version, body string, headers ...string) []string {
	head := []string{"POST " + path + " HTTP/" + version, "Host: a", "Connection: close", "Content-Type: application/json"}
	return append(append(head, headers...), fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body))
}

func TestEndsOnTheWire(t *testing.T) {
	server, seen := start(t, plain)
	send := func(body string, headers ...string) string {
		request, _ := http.NewRequest("POST", server.URL+"/rpc/Feed/Lines", strings.NewReader(body))
		request.Header.Set("Content-Type", "application/json")
		for _, accept := range headers {
			request.Header.Set("Accept", accept)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		content, _ := io.ReadAll(response.Body)
		if got := response.Header.Get("X-Accel-Buffering"); got != "no" {
			t.Errorf("got X-Accel-Buffering %q", got)
		}
		return response.Header.Get("Content-Type") + string(content)
	}
	const ended = "application/x-ndjson;end=1"
	for _, each := range []struct{ body, accept, want string }{
		{`{"count":1}`, "*/*", "application/x-ndjson\n{\"n\":1}\n"},
		{`{"count":1}`, ended + ", */*", ended + "\n{\"n\":1}\n[]\n"},
		{`{"count":0}`, ended, ended + "\n[]\n"},
		{`{"count":0,"then":"forge"}`, "*/*", "application/x-ndjson\n{\"n\":9,\"z\":1}\n"},
		{`{"count":0,"then":"forge"}`, ended, ended + "\n{\"n\":9,\"webrpcError\":{\"error\":\"Forged\",\"code\":1},\"z\":1}\n[]\n"},
	} {
		if got := send(each.body, each.accept); got != each.want {
			t.Errorf("%s %s: got %q", each.body, each.accept, got)
		}
	}
	if got := seen.String(); !strings.Contains(got, "webrpcError, which was not sent") {
		t.Errorf("got the report %q", got)
	}
	client := streams.NewStreamsClient(server.URL)
	for item, err := range client.Feed.Lines(ctx, &streams.LinesRequest{Then: text("forge")}) {
		if err != nil || len(item.More) != 2 {
			t.Errorf("got %v and %v", item, err)
		}
	}
}

func TestHTTP10(t *testing.T) {
	server, _ := start(t, plain)
	got, _ := raw(t, server, post("/rpc/Feed/Lines", "1.0", `{"count":1}`)...)
	if !strings.Contains(got, " 505 ") || !strings.Contains(got, "nginx: proxy_http_version 1.1") {
		t.Errorf("got %q for lines without an end", got)
	}
	got, _ = raw(t, server, post("/rpc/Feed/Lines", "1.0", `{"count":1}`, "Accept: application/x-ndjson;end=1")...)
	if !strings.HasSuffix(got, "\n{\"n\":1}\n[]\n") {
		t.Errorf("got %q for lines with an end", got)
	}
	got, _ = raw(t, server, "GET /events/1 HTTP/1.0", "Host: a\r\n\r\n")
	if !strings.HasSuffix(got, "data: {\"n\":1}\n\n") {
		t.Errorf("got %q for events", got)
	}
	got, _ = raw(t, server, post("/rpc/Feed/Download", "1.0", `{}`)...)
	if !strings.Contains(got, " 505 ") {
		t.Errorf("got %q for a file of unknown size", got)
	}
	got, _ = raw(t, server, post("/rpc/Feed/Download", "1.0", `{"then":"known"}`)...)
	if !strings.HasSuffix(got, "\r\n\r\ncontent") {
		t.Errorf("got %q for a file of known size", got)
	}
	if got, err := raw(t, server, post("/rpc/Feed/Download", "1.1", `{"then":"break"}`)...); err == nil {
		t.Errorf("got %q without a reset for a file that fails", got)
	}
}

// answer returns a client whose server sends these bytes.
func answer(t *testing.T, kind, body string) *streams.StreamsClient {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(server.Close)
	return streams.NewStreamsClient(server.URL)
}

func TestClientsRequireAnAnnouncedEnd(t *testing.T) {
	const failed = `{"error":"WebrpcBadRequest","code":-4,"msg":"bad request","status":400}`
	for _, each := range []struct {
		kind, body string
		n          int
		reason     string
	}{
		{"application/x-ndjson;end=1", "\n{\"n\":1}\n", 1, "stream-lost"},
		{"application/x-ndjson;end=1", "\n{\"n\":1}\n[", 1, "stream-lost"},
		{"application/x-ndjson;end=1", "\n{\"n\":1}\n[]", 1, ""},
		{"application/x-ndjson; end=1", "\n{\"n\":1}\n[]\n{", 1, ""},
		{"application/x-ndjson;end=1", "\n{\"n\":1}\n[" + failed + "]\n", 1, "WebrpcBadRequest"},
		{"application/x-ndjson;end=1", "\n{\"n\":1}\n[" + failed, 1, "stream-lost"},
		{"application/x-ndjson;end=1", "\n{\"n\":1,\"webrpcError\":" + failed + "}\n[]\n", 1, ""},
		{"application/x-ndjson", "\n{\"n\":1}\n{\"webrpcError\":" + failed + "}\n", 1, "WebrpcBadRequest"},
		{"application/x-ndjson", "\n{\"n\":1}\n", 1, ""},
		{"application/x-ndjson", "\n{\"n\":1}\n[]\n", 1, ""},
		{"text/event-stream;end=1", "data: {\"n\":1}\n\n", 1, "stream-lost"},
		{"text/event-stream;end=1", "data: {\"n\":1}\n\nevent: end\n", 1, "stream-lost"},
		{"text/event-stream;end=1", "data: {\"n\":1}\n\nevent: end\n\n", 1, ""},
		{"text/event-stream;end=1", "data: {\"n\":1}\n\ndata: [DONE]\n", 1, ""},
		{"text/event-stream;end=1", "data: {\"n\":1,\"webrpcError\":" + failed + "}\n\nevent: end\n\n", 1, ""},
		{"text/event-stream", "data: {\"n\":1}\n\nevent: end\n\ndata: {\"n\":1}\n\n", 2, ""},
		{"text/event-stream", "event: end\ndata: {\"n\":1}\n\n", 1, ""},
	} {
		var n int
		var reason string
		if client := answer(t, each.kind, each.body); strings.HasPrefix(each.kind, "text/") {
			n, reason = count(client.Live.Events(ctx, &streams.EventsRequest{Count: 1}))
		} else {
			n, reason = count(client.Feed.Lines(ctx, &streams.LinesRequest{Count: 1}))
		}
		if n != each.n || reason != each.reason {
			t.Errorf("%s %q: got %d items and %q", each.kind, each.body, n, reason)
		}
	}
}

func TestCutCompressedFilesFail(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		zipped := gzip.NewWriter(w)
		_, _ = io.WriteString(zipped, "part")
		_ = zipped.Flush()
		w.(http.Flusher).Flush()
	}))
	t.Cleanup(server.Close)
	response, err := streams.NewStreamsClient(server.URL).Feed.Download(ctx, &streams.DownloadRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if content, err := io.ReadAll(bufio.NewReader(response.File.Content)); err == nil {
		t.Errorf("got %d bytes as the whole file", len(content))
	}
}
