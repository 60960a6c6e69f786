// Tests that clients leave files alone after a call, so that programs can send them again.
package walls_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

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
	header := http.Header{"Content-Type": {e.kind}}
	return &http.Response{StatusCode: e.status, Header: header, Body: io.NopCloser(strings.NewReader("{}")), Request: r}, nil
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

// A panic in the goroutine that sends a request would end the program.
func TestContentThatPanics(t *testing.T) {
	server := serve(t, calls{}, ridl.ServerOptions{})
	for kind, call := range uploads(walls.NewWallsClient(server.URL), &ridl.File{Content: broken{}}) {
		if err := call(ctx); !strings.Contains(errorText(err), "a bug of the caller") {
			t.Error(kind, err)
		}
	}
}
