// Tests that clients leave files of requests alone after a call, and close files of responses that nobody gets.
package walls_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"example.com/walls"
	"example.com/walls/ridl"
)

// counted is endless content that counts what was read.
type counted struct{ read atomic.Int64 }

func (c *counted) Read(p []byte) (int, error) {
	c.read.Add(int64(len(p)))
	return len(p), nil
}

// early is a transport that returns a response after a part of the request, and keeps the body of the request.
type early struct {
	status int
	kind   string
	err    error
	body   io.Reader
}

func (e *early) RoundTrip(r *http.Request) (*http.Response, error) {
	_, err := io.CopyN(io.Discard, r.Body, 100_000)
	if e.body = r.Body; e.err != nil || err != nil {
		return nil, errors.Join(e.err, err)
	}
	return e.answer(r), nil
}

func (e *early) answer(r *http.Request) *http.Response {
	header := http.Header{"Content-Type": {e.kind}}
	return &http.Response{StatusCode: e.status, Header: header, Body: io.NopCloser(strings.NewReader("{}")), Request: r}
}

// uploads are calls with a file in a form, and with a file as the body.
func uploads(client *walls.WallsClient, file *ridl.File) map[string]func(context.Context) error {
	return map[string]func(context.Context) error{
		"form": func(ctx context.Context) error {
			return second(client.Calls.Upload(ctx, &walls.UploadRequest{Picture: file}))
		},
		"body": func(ctx context.Context) error {
			return second(client.Calls.Store(ctx, &walls.StoreRequest{ID: "1", Content: file}))
		},
	}
}

func clientOf(transport http.RoundTripper) *walls.WallsClient {
	return walls.NewWallsClient("http://host", ridl.WithHTTPClient(&http.Client{Transport: transport}))
}

func TestFilesAreNotReadAfterCalls(t *testing.T) {
	for _, transport := range []*early{{status: 503, kind: json}, {status: 200, kind: json}, {err: errors.New("lost")}} {
		file := &counted{}
		for kind, call := range uploads(clientOf(transport), &ridl.File{Content: file}) {
			_ = call(ctx)
			before := file.read.Load()
			_, err := io.CopyN(io.Discard, transport.body, 10<<20)
			if after := file.read.Load(); before == 0 || after != before || err == nil {
				t.Error(kind, transport.status, after-before, "bytes were read later:", err)
			}
		}
	}
}

// Servers can respond with a file while they receive one.
func TestFilesAreReadWhileResponsesAreOpen(t *testing.T) {
	for end, leave := range map[string]func(*ridl.File) error{
		"end":   func(f *ridl.File) error { return second(io.Copy(io.Discard, f.Content)) },
		"close": (*ridl.File).Close,
	} {
		file, transport := &counted{}, &early{status: 200, kind: "image/png"}
		response, err := clientOf(transport).Calls.Convert(ctx, &walls.ConvertRequest{Source: &ridl.File{Content: file}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.CopyN(io.Discard, transport.body, 1<<20); err != nil {
			t.Error(end, err)
		}
		_ = leave(response.File)
		before := file.read.Load()
		if _, err := io.CopyN(io.Discard, transport.body, 10<<20); err == nil || file.read.Load() != before {
			t.Error(end, file.read.Load()-before, "bytes were read later:", err)
		}
	}
}

// stuck is content whose Read tells that it runs, and does not return before the end of the test.
type stuck struct{ runs, end chan bool }

func (s stuck) Read([]byte) (int, error) {
	s.runs <- true
	<-s.end
	return 0, io.EOF
}

// RoundTrip fails while the content is read.
func (s stuck) RoundTrip(r *http.Request) (*http.Response, error) {
	go func() { _, _ = io.Copy(io.Discard, r.Body) }()
	<-s.runs
	return nil, errors.New("lost")
}

func TestCallsDoNotWaitForContentThatNeverArrives(t *testing.T) {
	content := stuck{make(chan bool), make(chan bool)}
	defer close(content.end)
	for kind, call := range uploads(clientOf(content), &ridl.File{Content: content}) {
		if err := call(ctx); !strings.Contains(errorText(err), "lost") {
			t.Error(kind, err)
		}
	}
}

// silent is content that never arrives.
type silent struct{ end chan bool }

func (s silent) Read([]byte) (int, error) {
	<-s.end
	return 0, io.EOF
}

func TestUploadsEndAtTheirDeadline(t *testing.T) {
	forBoth(t, func(t *testing.T, major int) {
		content := silent{make(chan bool)}
		defer close(content.end)
		url, whole := listen(t, major, handlerOf(calls{}, time.Minute), 0)
		limited := *whole
		limited.Timeout = 50 * time.Millisecond
		for name, client := range map[string]*http.Client{"call": whole, "client": &limited} {
			for kind, call := range uploads(walls.NewWallsClient(url, ridl.WithHTTPClient(client)), &ridl.File{Content: content}) {
				limit := time.Hour
				if name == "call" {
					limit = limited.Timeout
				}
				ended := make(chan error, 1)
				go func() { ended <- call(ridl.WithCallTimeout(ctx, limit)) }()
				select {
				case err := <-ended:
					if !strings.Contains(errorText(err), context.DeadlineExceeded.Error()) {
						t.Error(name, kind, err)
					}
				case <-time.After(20 * time.Second):
					t.Error(name, kind, "the call does not end")
				}
			}
		}
	})
}

// An interceptor makes the calls again.
func TestContentThatIsBeingReadIsNotSentAgain(t *testing.T) {
	content := stuck{make(chan bool), make(chan bool)}
	defer close(content.end)
	again := ridl.WithInterceptors(func(next ridl.ClientFunc) ridl.ClientFunc {
		return func(ctx context.Context, call *ridl.ClientCall) error {
			return errors.Join(next(ctx, call), next(ctx, call))
		}
	})
	client := walls.NewWallsClient("http://host", ridl.WithHTTPClient(&http.Client{Transport: content}), again)
	for kind, call := range uploads(client, &ridl.File{Content: content}) {
		if err := call(ctx); !strings.Contains(errorText(err), "lost") || !strings.Contains(errorText(err), "still being read") {
			t.Error(kind, err)
		}
	}
}

// refusing is a transport that keeps what it reads of requests. It fails before it reads the first ones.
type refusing struct {
	unread int
	bodies []string
}

func (r *refusing) RoundTrip(request *http.Request) (*http.Response, error) {
	if r.unread--; r.unread >= 0 {
		return nil, errors.New("lost")
	}
	body, err := io.ReadAll(request.Body)
	r.bodies = append(r.bodies, string(body))
	return (&early{status: 503, kind: json}).answer(request), err
}

// funcReader is content that cannot be compared.
type funcReader func([]byte) (int, error)

func (f funcReader) Read(p []byte) (int, error) { return f(p) }

// An interceptor makes the calls again.
func TestFilesAreSentAgainFromTheirBeginning(t *testing.T) {
	seeker := func() io.Reader {
		content := strings.NewReader("abc")
		_, _ = content.ReadByte()
		return content
	}
	reader := func() io.Reader { return io.MultiReader(seeker()) }
	function := func() io.Reader { return funcReader(seeker().Read) }
	pipe := func() io.Reader {
		content, pipe, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = content.Close() })
		_, _ = pipe.WriteString("bc")
		_ = pipe.Close()
		return content
	}
	same := func(content io.Reader) io.Reader { return content }
	another := func(io.Reader) io.Reader { return reader() }
	for name, test := range map[string]struct {
		content      func() io.Reader
		again        func(io.Reader) io.Reader
		unread, sent int
	}{
		"a seeker":           {seeker, same, 0, 2},
		"a reader":           {reader, same, 0, 1},
		"a function":         {function, same, 0, 1},
		"a pipe":             {pipe, same, 0, 1},
		"a reader, not read": {reader, same, 1, 1},
		"another reader":     {reader, another, 0, 2},
	} {
		for kind := range uploads(nil, nil) {
			for _, size := range []int64{0, 2} {
				file := &ridl.File{Content: test.content(), Size: size}
				transport := &refusing{unread: test.unread}
				again := ridl.WithInterceptors(func(next ridl.ClientFunc) ridl.ClientFunc {
					return func(ctx context.Context, call *ridl.ClientCall) error {
						first := next(ctx, call)
						file.Content = test.again(file.Content)
						return errors.Join(first, next(ctx, call))
					}
				})
				client := walls.NewWallsClient("http://host", ridl.WithHTTPClient(&http.Client{Transport: transport}), again)
				err := uploads(client, file)[kind](ctx)
				isRefused := strings.Contains(errorText(err), "cannot be set back")
				if len(transport.bodies) != test.sent || isRefused != (test.sent+test.unread == 1) {
					t.Error(name, kind, size, len(transport.bodies), "files were sent:", err)
				}
				for _, body := range transport.bodies {
					if body != "bc" && !strings.Contains(body, "\r\n\r\nbc\r\n--") {
						t.Errorf("%s %s %d: %q was sent", name, kind, size, body)
					}
				}
			}
		}
	}
}

// answering is a transport that answers while the content is read.
type answering struct{ stuck }

func (a answering) RoundTrip(r *http.Request) (*http.Response, error) {
	_, _ = a.stuck.RoundTrip(r)
	return (&early{status: 200, kind: "image/png"}).answer(r), nil
}

func TestResponsesWaitOnceForContentThatNeverArrives(t *testing.T) {
	content := stuck{make(chan bool), make(chan bool)}
	defer close(content.end)
	response, err := clientOf(answering{content}).Calls.Convert(ctx, &walls.ConvertRequest{Source: &ridl.File{Content: content}})
	if err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	for range 30 {
		_, _ = io.Copy(io.Discard, response.File.Content)
		_ = response.File.Close()
	}
	if taken := time.Since(begun); taken > 20*time.Second {
		t.Error("it took", taken)
	}
}

// received are handlers that count the files that they receive whole.
type received struct {
	calls
	count atomic.Int64
}

func (r *received) Store(ctx context.Context, request *walls.StoreRequest) (*walls.StoreResponse, error) {
	response, err := r.calls.Store(ctx, request)
	if err == nil {
		r.count.Add(1)
	}
	return response, err
}

func (r *received) Upload(ctx context.Context, request *walls.UploadRequest) (*walls.UploadResponse, error) {
	r.count.Add(1)
	return r.calls.Upload(ctx, request)
}

func TestFilesOfAnotherSizeAreNotSent(t *testing.T) {
	forBoth(t, func(t *testing.T, major int) {
		for _, size := range []int{1, 2, 100_000} {
			for _, change := range []int{-1, 0, 1, 50_000} {
				service := &received{}
				url, client := listen(t, major, handlerOf(service, time.Minute), 0)
				for kind := range uploads(nil, nil) {
					content := strings.Repeat("a", size+change)
					file := &ridl.File{Content: strings.NewReader(content), Size: int64(size)}
					err := uploads(walls.NewWallsClient(url, ridl.WithHTTPClient(client)), file)[kind](ctx)
					if change == 0 && err != nil || change != 0 && !strings.Contains(errorText(err), "does not have its size") {
						t.Error(kind, size, change, err)
					}
				}
				if count := service.count.Load(); (count == 2) != (change == 0) || count%2 == 1 {
					t.Error(size, change, count, "files were received")
				}
			}
		}
	})
}

// A download whose connection breaks ends with this error.
func TestBrokenFilesAreNotSent(t *testing.T) {
	for _, sent := range []int{0, 2, 3} {
		service := &received{}
		server := serve(t, service, ridl.ServerOptions{})
		for kind := range uploads(nil, nil) {
			content := io.MultiReader(strings.NewReader("abc"[:sent]), iotest.ErrReader(io.ErrUnexpectedEOF))
			err := uploads(walls.NewWallsClient(server.URL), &ridl.File{Content: content, Size: 3})[kind](ctx)
			if !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Error(kind, sent, err)
			}
		}
		if count := service.count.Load(); count != 0 {
			t.Error(sent, count, "files were received")
		}
	}
}

// A panic in the goroutine that sends a request would end the program.
func TestContentThatPanics(t *testing.T) {
	server := serve(t, calls{}, ridl.ServerOptions{})
	for kind, call := range uploads(walls.NewWallsClient(server.URL), &ridl.File{Content: broken{}}) {
		if err := call(ctx); !strings.Contains(errorText(err), "a bug of the caller") {
			t.Error(kind, err)
		}
	}
}

// bodies is a transport whose responses count how many of their bodies are open.
type bodies struct{ open atomic.Int64 }

type countedBody struct {
	io.Reader
	close func()
}

func (c countedBody) Close() error {
	c.close()
	return nil
}

func (b *bodies) RoundTrip(r *http.Request) (*http.Response, error) {
	b.open.Add(1)
	body := countedBody{strings.NewReader("{\"text\":\"a\"}\n"), sync.OnceFunc(func() { b.open.Add(-1) })}
	kind := "image/png"
	if strings.HasSuffix(r.URL.Path, "Watch") {
		kind = "application/x-ndjson"
	}
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {kind}}, Body: body, Request: r}, nil
}

// wrapped returns content that closes another when it is closed.
func wrapped(content io.Reader) io.Reader {
	return countedBody{content, func() { _ = content.(io.Closer).Close() }}
}

// download makes a call with an interceptor. A panic is an error.
func download(transport http.RoundTripper, around func(next ridl.ClientFunc) ridl.ClientFunc) (file *ridl.File, err error) {
	client := walls.NewWallsClient("http://host",
		ridl.WithHTTPClient(&http.Client{Transport: transport}), ridl.WithInterceptors(around))
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	response, err := client.Calls.Download(ctx, &walls.DownloadRequest{Name: "a"})
	if err != nil {
		return nil, err
	}
	return response.File, nil
}

func TestDownloadsThatNobodyGetsAreClosed(t *testing.T) {
	for name, test := range map[string]struct {
		open int64 // The files that are open after the call.
		text string
		act  func(call *ridl.ClientCall, response *walls.DownloadResponse, next func(*ridl.ClientCall) error) error
	}{
		"passes": {1, "", func(call *ridl.ClientCall, _ *walls.DownloadResponse, next func(*ridl.ClientCall) error) error {
			return next(call)
		}},
		"rejects": {0, "refused", func(call *ridl.ClientCall, _ *walls.DownloadResponse, next func(*ridl.ClientCall) error) error {
			return errors.Join(next(call), errors.New("refused"))
		}},
		"panics": {0, "a bug", func(call *ridl.ClientCall, _ *walls.DownloadResponse, next func(*ridl.ClientCall) error) error {
			_ = next(call)
			panic("a bug")
		}},
		"calls twice": {1, "", func(call *ridl.ClientCall, _ *walls.DownloadResponse, next func(*ridl.ClientCall) error) error {
			return errors.Join(next(call), next(call))
		}},
		"wraps the content": {1, "", func(call *ridl.ClientCall, r *walls.DownloadResponse, next func(*ridl.ClientCall) error) error {
			err := next(call)
			r.File.Content = wrapped(r.File.Content)
			return err
		}},
		"wraps the file": {1, "", func(call *ridl.ClientCall, r *walls.DownloadResponse, next func(*ridl.ClientCall) error) error {
			err := next(call)
			r.File = &ridl.File{Content: wrapped(r.File.Content)}
			return err
		}},
		"takes no file": {0, "", func(call *ridl.ClientCall, r *walls.DownloadResponse, next func(*ridl.ClientCall) error) error {
			err := next(call)
			r.File = nil
			return err
		}},
		"takes another response": {1, "", func(call *ridl.ClientCall, _ *walls.DownloadResponse, next func(*ridl.ClientCall) error) error {
			other := *call
			other.Response = new(walls.DownloadResponse)
			return errors.Join(next(call), next(&other))
		}},
		"calls later": {0, "refused", func(call *ridl.ClientCall, _ *walls.DownloadResponse, next func(*ridl.ClientCall) error) error {
			t.Cleanup(func() {
				if err := next(call); !strings.Contains(errorText(err), "interceptors have returned") {
					t.Error("a late call:", err)
				}
			})
			return errors.New("refused")
		}},
	} {
		transport := &bodies{}
		t.Cleanup(func() {
			if open := transport.open.Load(); open != 0 {
				t.Error(name, open, "files stay open")
			}
		})
		file, err := download(transport, func(next ridl.ClientFunc) ridl.ClientFunc {
			return func(ctx context.Context, call *ridl.ClientCall) error {
				response := call.Response.(*walls.DownloadResponse)
				return test.act(call, response, func(call *ridl.ClientCall) error { return next(ctx, call) })
			}
		})
		if open := transport.open.Load(); open != test.open || (err == nil) != (test.text == "") || !strings.Contains(errorText(err), test.text) {
			t.Error(name, open, "files are open:", err)
		}
		if file != nil {
			_ = file.Close()
		}
	}
}

func TestStreamsThatInterceptorsRepeatAreClosed(t *testing.T) {
	transport := &bodies{}
	twice := func(next ridl.ClientFunc) ridl.ClientFunc {
		return func(ctx context.Context, call *ridl.ClientCall) error {
			return errors.Join(next(ctx, call), next(ctx, call))
		}
	}
	client := walls.NewWallsClient("http://host", ridl.WithHTTPClient(&http.Client{Transport: transport}), ridl.WithInterceptors(twice))
	for _, err := range client.Calls.Watch(ctx, &walls.WatchRequest{}) {
		if open := transport.open.Load(); err != nil || open != 1 {
			t.Error(open, "streams are open:", err)
		}
	}
	if open := transport.open.Load(); open != 0 {
		t.Error(open, "streams stay open")
	}
}
