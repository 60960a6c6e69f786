// Tests what the calls of a server and a client hold, and when they let it go.
package walls_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.com/walls"
	"example.com/walls/ridl"
)

var ctx = context.Background()

// patient handlers take longer than a body may take to arrive, and fail if their context ends.
type patient struct{ calls }

func outlast(ctx context.Context) error {
	select {
	case <-time.After(500 * time.Millisecond):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (patient) Delete(ctx context.Context, _ *walls.DeleteRequest) error { return outlast(ctx) }

func (patient) Scan(ctx context.Context, r *walls.ScanRequest) (*walls.ScanResponse, error) {
	_, err := r.Scan.Content.Read(make([]byte, 1))
	return &walls.ScanResponse{Size: 1}, errors.Join(err, outlast(ctx))
}

func (patient) Watch(ctx context.Context, r *walls.WatchRequest) iter.Seq2[*walls.WatchResponse, error] {
	return func(yield func(*walls.WatchResponse, error) bool) {
		if yield(&walls.WatchResponse{Text: r.Text}, nil) {
			yield(&walls.WatchResponse{Text: r.Text}, outlast(ctx))
		}
	}
}

// slowFile is content that takes longer than a body, and ends with its context.
type slowFile struct {
	ctx  context.Context
	left int
}

func (f *slowFile) Read(p []byte) (int, error) {
	if f.left--; f.left < 0 {
		return 0, io.EOF
	}
	return copy(p, "x"), outlast(f.ctx)
}

func (patient) Download(ctx context.Context, _ *walls.DownloadRequest) (*walls.DownloadResponse, error) {
	return &walls.DownloadResponse{File: &ridl.File{Content: io.MultiReader(strings.NewReader(strings.Repeat("x", 20_000)), &slowFile{ctx, 1})}}, nil
}

// Middlewares that check signatures or decompress read the body before the server does.
func TestBodiesThatMiddlewaresReplace(t *testing.T) {
	handler := walls.NewWallsHandler(walls.WallsServer{Calls: patient{}}, ridl.ServerOptions{
		BodyTimeout: 100 * time.Millisecond, Idempotency: ridl.Idempotency{Store: &ridl.MemoryAnswers{}},
	})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		content, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(io.MultiReader(bytes.NewReader(content), strings.NewReader("")))
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	for target, body := range map[string]string{
		"POST /rpc/Calls/Watch": `{"text":"x"}`, "POST /rpc/Calls/Download": `{"name":"x"}`, "DELETE /pages/1": "{}", "POST /scans": "xx",
	} {
		t.Run(target, func(t *testing.T) {
			t.Parallel()
			verb, path, _ := strings.Cut(target, " ")
			request, _ := http.NewRequest(verb, server.URL+path, strings.NewReader(body))
			request.Header.Set("Content-Type", "application/json")
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			content, err := io.ReadAll(response.Body)
			if err != nil || response.StatusCode != 200 || bytes.Contains(content, []byte("rror")) {
				t.Error(response.StatusCode, string(content), err)
			}
		})
	}
}

func TestDeadlinesOfMiddlewares(t *testing.T) {
	handler := walls.NewWallsHandler(walls.WallsServer{Calls: patient{}}, ridl.ServerOptions{
		Idempotency: ridl.Idempotency{Store: &ridl.MemoryAnswers{}},
	})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		limited, cancel := context.WithTimeout(r.Context(), 50*time.Millisecond)
		defer cancel()
		handler.ServeHTTP(w, r.WithContext(limited))
	}))
	t.Cleanup(server.Close)
	var failure *ridl.Error
	err := walls.NewWallsClient(server.URL).Calls.Delete(ctx, &walls.DeleteRequest{ID: "1"})
	if !errors.As(err, &failure) || failure.Status != 504 || !errors.Is(err, ridl.ErrRequestFailed) {
		t.Error(err)
	}
}

// endless is content without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

type downloads struct{ calls }

func (downloads) Download(context.Context, *walls.DownloadRequest) (*walls.DownloadResponse, error) {
	return &walls.DownloadResponse{File: &ridl.File{Content: endless{}}}, nil
}

func (downloads) Call(context.Context, *walls.CallRequest) (*walls.CallResponse, error) {
	return &walls.CallResponse{Text: strings.Repeat("x", 16<<20)}, nil
}

func TestResponsesNobodyReadsHoldNoGoroutines(t *testing.T) {
	server := serve(t, downloads{}, ridl.ServerOptions{SendTimeout: 100 * time.Millisecond, OnError: func(context.Context, error) {}})
	before := runtime.NumGoroutine()
	for range 5 {
		send(t, server, request("POST /rpc/Calls/Download", json, "Content-Length: 12\n")+`{"name":"x"}`)
		send(t, server, request("POST /rpc/Calls/Call", json, "Content-Length: 12\n")+`{"text":"x"}`)
	}
	time.Sleep(50 * time.Millisecond)
	expectGoroutines(t, before)
}

func TestBodiesInMemoryAreLimited(t *testing.T) {
	server := serve(t, calls{}, ridl.ServerOptions{MaxConcurrent: 2, MaxBody: 1000, MaxUpload: 1 << 20})
	_, head, _ := strings.Cut(stalled()["upload"], "\n\n")
	body := strings.ReplaceAll(head, "\n", "\r\n") + strings.Repeat("x", 900_000)
	const end = "\r\n--b--\r\n"
	const all = 20
	statuses, finish := make(chan int, all), make(chan bool)
	for range all {
		connection := send(t, server, request("POST /rpc/Calls/Upload", form, "Connection: close\nTransfer-Encoding: chunked\n"))
		go func() {
			writer := httpChunks{connection}
			_, _ = io.WriteString(writer, body)
			go func() {
				<-finish
				_, _ = io.WriteString(writer, end)
				_, _ = io.WriteString(connection, "0\r\n\r\n")
			}()
			status, _, _ := answer(t, connection)
			statuses <- status
		}()
	}
	var busy, fine int
	for count := range all {
		switch <-statuses {
		case 503:
			busy++
		case 200:
			fine++
		}
		if count == all-3 {
			close(finish)
		}
	}
	if busy < all-2 || busy+fine != all {
		t.Error(busy, fine)
	}
	// Nothing is held any more.
	client := walls.NewWallsClient(server.URL)
	for range 3 {
		picture := &ridl.File{Content: bytes.NewReader(make([]byte, 900_000))}
		if _, err := client.Calls.Upload(ctx, &walls.UploadRequest{Picture: picture}); err != nil {
			t.Error(err)
		}
	}
}

// The client sends no more after it has exceeded the limit.
func TestBodiesThatAreTooLargeAndStall(t *testing.T) {
	server := serve(t, calls{}, ridl.ServerOptions{MaxBody: 10})
	connection := send(t, server, request("POST /rpc/Calls/Call", json, "Content-Length: 99\n")+`{"text":"12345"`)
	if status, body, isClosed := answer(t, connection); status != 413 || !strings.Contains(body, "body larger than 10 bytes") || !isClosed {
		t.Error(status, body, isClosed)
	}
}

// To read the body would permit the client to send it.
func TestBodiesThatAreAnnouncedAsTooLarge(t *testing.T) {
	server := serve(t, calls{}, ridl.ServerOptions{MaxBody: 10})
	connection := send(t, server, request("POST /rpc/Calls/Call", json, "Content-Length: 99\nExpect: 100-continue\n"))
	if status, body, isClosed := answer(t, connection); status != 413 || !strings.Contains(body, "body larger than 10 bytes") || !isClosed {
		t.Error(status, body, isClosed)
	}
}

// httpChunks writes chunks of a body.
type httpChunks struct{ to io.Writer }

func (c httpChunks) Write(data []byte) (int, error) {
	if _, err := io.WriteString(c.to, hexadecimal(len(data))+"\r\n"+string(data)+"\r\n"); err != nil {
		return 0, err
	}
	return len(data), nil
}

func hexadecimal(n int) string {
	if n < 16 {
		return "0123456789abcdef"[n : n+1]
	}
	return hexadecimal(n/16) + hexadecimal(n%16)
}

// broken is content whose reader panics.
type broken struct{}

func (broken) Read([]byte) (int, error) { panic("a bug of the caller") }

type empty struct{ calls }

func (empty) Download(_ context.Context, r *walls.DownloadRequest) (*walls.DownloadResponse, error) {
	return &walls.DownloadResponse{File: &ridl.File{Name: r.Name}}, nil
}

func TestFilesWithoutContent(t *testing.T) {
	var reports atomic.Int64
	server := serve(t, empty{}, ridl.ServerOptions{OnError: func(context.Context, error) { reports.Add(1) }})
	client := walls.NewWallsClient(server.URL)
	for file, want := range map[*ridl.File]string{
		nil: "picture: expected a file, got nothing", {}: "picture: expected a file with content, got nothing", {Content: broken{}}: "a bug of the caller",
	} {
		_, err := client.Calls.Upload(ctx, &walls.UploadRequest{Picture: file})
		if err == nil || !strings.Contains(errorText(err), want) {
			t.Errorf("got %v instead of %s", errorText(err), want)
		}
	}
	for _, err := range []error{
		second(client.Calls.Attach(ctx, &walls.AttachRequest{Paper: &ridl.File{}})),
		second(client.Calls.Store(ctx, &walls.StoreRequest{ID: "1", Content: &ridl.File{}})),
		second(client.Calls.Scan(ctx, &walls.ScanRequest{Scan: &ridl.File{}})),
	} {
		if err == nil || !strings.Contains(err.Error(), "expected a file with content") {
			t.Error(err)
		}
	}
	if _, err := client.Calls.Download(ctx, &walls.DownloadRequest{}); !errors.Is(err, ridl.ErrBadResponse) || reports.Load() != 1 {
		t.Error(err, reports.Load())
	}
}

// errorText returns the text of an error and of what it wraps.
func errorText(err error) string {
	text := ""
	for ; err != nil; err = errors.Unwrap(err) {
		text += err.Error() + "\n"
	}
	return text
}

func second[Response any](_ Response, err error) error { return err }

// quitters are handlers that end their goroutine, as assertions of tests do.
type quitters struct{ calls }

func (quitters) Call(context.Context, *walls.CallRequest) (*walls.CallResponse, error) {
	runtime.Goexit()
	return nil, nil
}

func (quitters) Empty(context.Context) error { runtime.Goexit(); return nil }

func (quitters) Pay(context.Context, *walls.PayRequest) (*walls.PayResponse, error) {
	runtime.Goexit()
	return nil, nil
}

func (quitters) Watch(_ context.Context, r *walls.WatchRequest) iter.Seq2[*walls.WatchResponse, error] {
	return func(yield func(*walls.WatchResponse, error) bool) {
		yield(&walls.WatchResponse{Text: r.Text}, nil)
		runtime.Goexit()
	}
}

func TestHandlersThatEndTheirGoroutine(t *testing.T) {
	server := serve(t, quitters{}, ridl.ServerOptions{OnError: func(context.Context, error) {}, MaxConcurrent: 1})
	client := walls.NewWallsClient(server.URL)
	for range 2 {
		var inStream error
		for _, inStream = range client.Calls.Watch(ctx, &walls.WatchRequest{}) {
		}
		for _, err := range []error{
			second(client.Calls.Call(ctx, &walls.CallRequest{})), client.Calls.Empty(ctx),
			second(client.Calls.Pay(ctx, &walls.PayRequest{})), inStream,
		} {
			if !errors.Is(err, ridl.ErrInternalError) {
				t.Error(err)
			}
		}
	}
}
