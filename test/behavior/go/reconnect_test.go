// Tests that lost streams continue after their last item.
package streams_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/streams"
	"example.com/streams/ridl"
)

// connection is what a server does with one request.
type connection struct {
	status        int // By default 200.
	header        map[string]string
	body          string
	begins, lasts time.Duration // How long it takes to respond, and then to end.
	isCut, isOpen bool
}

const ended = "[]\n"

// line is an item of Follow.
func line(n int) string { return fmt.Sprintf("{\"item\":{\"at\":{\"n\":%d}}}\n", n) }

// script is a server for one request after the other.
type script struct {
	*httptest.Server
	mutex sync.Mutex
	got   []string // The bodies of requests, or their queries.
	left  chan struct{}
}

func (s *script) requests() []string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return slices.Clone(s.got)
}

func follow(t *testing.T, connections ...connection) *script {
	s := &script{left: make(chan struct{}, 9)}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.mutex.Lock()
		at := len(s.got)
		kind := "application/x-ndjson;end=1"
		if r.Method == http.MethodGet {
			body, kind = []byte(r.URL.RawQuery), "text/event-stream;end=1"
		}
		s.got = append(s.got, string(body))
		s.mutex.Unlock()
		if at >= len(connections) {
			at = len(connections) - 1
		}
		each := connections[at]
		select {
		case <-time.After(each.begins):
		case <-r.Context().Done():
		}
		w.Header().Set("Content-Type", kind)
		for name, value := range each.header {
			w.Header().Set(name, value)
		}
		w.WriteHeader(cmp.Or(each.status, 200))
		_, _ = io.WriteString(w, each.body)
		w.(http.Flusher).Flush()
		time.Sleep(each.lasts)
		if each.isOpen {
			<-r.Context().Done()
			s.left <- struct{}{}
		}
		if each.isCut {
			panic(http.ErrAbortHandler)
		}
	}))
	s.Config.ErrorLog = nil
	t.Cleanup(s.Close)
	return s
}

// numbers reads a stream.
func (s *script) numbers(ctx context.Context, request *streams.FollowRequest, options ...ridl.Option) (all []uint32, err error) {
	for item, err := range streams.NewStreamsClient(s.URL, options...).Feed.Follow(ctx, request) {
		if err != nil {
			return all, err
		}
		all = append(all, item.Item.At.N)
		item.Item.At.N = 99 // The item belongs to the program.
	}
	return all, nil
}

func reconnect(attempts int) ridl.Option {
	return ridl.WithReconnect(ridl.Reconnect{Attempts: attempts, Delay: time.Millisecond})
}

func statusOf(err error) (status int, reason string) {
	var e *ridl.Error
	if errors.As(err, &e) {
		return e.Status, e.Reason
	}
	return 0, ""
}

func TestLostStreamsContinue(t *testing.T) {
	const lost = `[{"error":"WebrpcStreamLost","code":-10,"msg":"lost","status":400}]` + "\n"
	server := follow(t, connection{body: line(1) + line(2), isCut: true}, connection{status: 503}, connection{body: line(3) + lost},
		connection{body: line(4)}, connection{isCut: true}, connection{body: line(5) + ended})
	request := &streams.FollowRequest{Count: 5}
	got, err := server.numbers(ctx, request, reconnect(2))
	if err != nil || !slices.Equal(got, []uint32{1, 2, 3, 4, 5}) || request.After != nil {
		t.Errorf("got %v and %v, and the request %v", got, err, request.After)
	}
	want := []string{`{"count":5}`}
	for _, after := range []int{2, 2, 3, 4, 4} {
		want = append(want, fmt.Sprintf(`{"count":5,"after":%d}`, after))
	}
	if got := server.requests(); !slices.Equal(got, want) {
		t.Errorf("got the requests %q", got)
	}
}

func TestLostEventsContinue(t *testing.T) {
	server := follow(t, connection{body: "data: {\"id\":\"a b\"}\n\n", isCut: true},
		connection{body: "data: {\"id\":\"c\"}\n\nevent: end\n\n"})
	var got []string
	for item, err := range streams.NewStreamsClient(server.URL, reconnect(1)).Live.Watch(ctx, nil) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, item.ID)
	}
	if !slices.Equal(got, []string{"a b", "c"}) || !slices.Equal(server.requests(), []string{"", "after=a%20b"}) {
		t.Errorf("got %q for %q", got, server.requests())
	}
}

// A program can also change what an item points to.
func TestCursorsOfItemsThatChange(t *testing.T) {
	server := follow(t, connection{body: "data: {\"height\":\"1\"}\n\n", isCut: true}, connection{body: "event: end\n\n"})
	for item, err := range streams.NewStreamsClient(server.URL, reconnect(1)).Live.Blocks(ctx, nil) {
		if err != nil {
			t.Fatal(err)
		}
		item.Height.SetInt64(99)
	}
	if got := server.requests(); !slices.Equal(got, []string{"", "after=1"}) {
		t.Errorf("got the requests %q", got)
	}
}

func TestOtherErrorsEndStreams(t *testing.T) {
	busy := connection{status: 503}
	retry := ridl.WithRetry(ridl.Retry{Attempts: 9, Delay: time.Millisecond})
	for name, each := range map[string]struct {
		option      ridl.Option
		connections []connection
		count       int
		status      int
		reason      string
	}{
		"no option":         {retry, []connection{{body: line(1)}}, 1, 400, "stream-lost"},
		"attempts":          {reconnect(2), []connection{busy}, 3, 503, "bad-response"},
		"item":              {reconnect(2), []connection{busy, busy, {body: line(1)}, busy}, 5, 503, "bad-response"},
		"short":             {reconnect(2), []connection{{isCut: true}}, 3, 400, "stream-lost"},
		"404":               {reconnect(2), []connection{{status: 404}}, 1, 404, "bad-response"},
		"204":               {reconnect(2), []connection{{status: 204}}, 1, 0, ""},
		"not a stream":      {reconnect(2), []connection{{header: map[string]string{"Content-Type": "text/html"}}}, 1, 200, "bad-response"},
		"an item of others": {reconnect(2), []connection{{body: "{}\n"}}, 1, 200, "bad-response"},
	} {
		server := follow(t, each.connections...)
		_, err := server.numbers(ctx, &streams.FollowRequest{}, retry, each.option)
		status, reason := statusOf(err)
		if count := len(server.requests()); count != each.count || status != each.status || reason != each.reason {
			t.Errorf("%s: got %d requests and %v", name, count, err)
		}
	}
}

func TestLongConnectionsAreNoFailures(t *testing.T) {
	long := connection{lasts: 20 * time.Millisecond}
	server := follow(t, long, long, long, connection{body: ended})
	option := ridl.WithReconnect(ridl.Reconnect{Attempts: 1, Delay: time.Millisecond, MaxDelay: 5 * time.Millisecond})
	if _, err := server.numbers(ctx, &streams.FollowRequest{}, option); err != nil {
		t.Error(err)
	}
	server = follow(t, connection{begins: 20 * time.Millisecond, status: 503})
	if _, err := server.numbers(ctx, &streams.FollowRequest{}, option); err == nil || len(server.requests()) != 2 {
		t.Errorf("got %d requests and %v", len(server.requests()), err)
	}
}

func TestDelaysBetweenConnections(t *testing.T) {
	for _, each := range []struct {
		reconnect ridl.Reconnect
		first     connection
		least     time.Duration
	}{
		{ridl.Reconnect{}, connection{status: 502}, 250 * time.Millisecond},
		{ridl.Reconnect{Delay: time.Hour, MaxDelay: time.Hour}, connection{status: 404 + 25, header: map[string]string{"Retry-After": "1"}}, time.Second},
	} {
		server := follow(t, each.first, connection{body: ended})
		begun := time.Now()
		_, err := server.numbers(ctx, &streams.FollowRequest{}, ridl.WithReconnect(each.reconnect))
		if waited := time.Since(begun); err != nil || waited < each.least || waited > time.Minute {
			t.Errorf("%v: got %v after %s", each.reconnect, err, waited)
		}
	}
}

func TestContextsEndPauses(t *testing.T) {
	server := follow(t, connection{status: 503, header: map[string]string{"Retry-After": "0"}})
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		for len(server.requests()) == 0 {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	_, err := server.numbers(ctx, &streams.FollowRequest{}, ridl.WithReconnect(ridl.Reconnect{Delay: time.Hour, MaxDelay: time.Hour}))
	if _, reason := statusOf(err); reason != "aborted" || !errors.Is(err, context.Canceled) {
		t.Error("got", err)
	}
	ctx, cancel = context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	_, err = server.numbers(ctx, &streams.FollowRequest{}, ridl.WithReconnect(ridl.Reconnect{Delay: time.Hour, MaxDelay: time.Hour}))
	if _, reason := statusOf(err); reason != "timeout" {
		t.Error("got", err)
	}
}

func TestServersThatDoNotRespondAreAskedAgain(t *testing.T) {
	server := follow(t, connection{begins: time.Hour}, connection{body: ended})
	_, err := server.numbers(ctx, &streams.FollowRequest{}, reconnect(0), ridl.WithTimeout(50*time.Millisecond))
	if err != nil || len(server.requests()) < 2 {
		t.Errorf("got %d requests and %v", len(server.requests()), err)
	}
}

func TestNothingIsLeftOfStreams(t *testing.T) {
	server := follow(t, connection{body: line(1), isCut: true}, connection{body: line(2), isOpen: true})
	before := runtime.NumGoroutine()
	own := &http.Client{Transport: &http.Transport{}}
	client := streams.NewStreamsClient(server.URL, reconnect(1), ridl.WithHTTPClient(own))
	for item, err := range client.Feed.Follow(ctx, &streams.FollowRequest{}) {
		if err != nil {
			t.Fatal(err)
		}
		if item.Item.At.N == 2 {
			break
		}
	}
	// The server sees that the client has left.
	<-server.left
	own.CloseIdleConnections()
	for deadline := time.Now().Add(30 * time.Second); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<16)
			t.Fatalf("%d goroutines, before %d:\n%s", runtime.NumGoroutine(), before, strings.TrimSpace(string(stacks[:runtime.Stack(stacks, true)])))
		}
	}
}
