// Tests what stands between a server or a client and a peer that is slow, large, or gone.
package walls_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"example.com/walls"
	"example.com/walls/ridl"
)

type calls struct{}

func (calls) Call(_ context.Context, r *walls.CallRequest) (*walls.CallResponse, error) {
	return &walls.CallResponse{Text: r.Text}, nil
}

func (calls) Pay(_ context.Context, r *walls.PayRequest) (*walls.PayResponse, error) {
	return &walls.PayResponse{Text: r.Text}, nil
}

func (calls) Empty(context.Context) error { return nil }

func size(file *ridl.File) (uint64, error) {
	if file == nil {
		return 0, nil
	}
	count, err := io.Copy(io.Discard, file.Content)
	return uint64(count), err
}

func (calls) Upload(_ context.Context, r *walls.UploadRequest) (*walls.UploadResponse, error) {
	count, err := size(r.Picture)
	return &walls.UploadResponse{Size: count}, err
}

func (calls) Watch(_ context.Context, r *walls.WatchRequest) iter.Seq2[*walls.WatchResponse, error] {
	return func(yield func(*walls.WatchResponse, error) bool) { yield(&walls.WatchResponse{Text: r.Text}, nil) }
}

func (calls) Download(_ context.Context, r *walls.DownloadRequest) (*walls.DownloadResponse, error) {
	return &walls.DownloadResponse{File: &ridl.File{Name: r.Name, Content: strings.NewReader(r.Name)}}, nil
}

func (calls) Convert(_ context.Context, r *walls.ConvertRequest) (*walls.ConvertResponse, error) {
	return &walls.ConvertResponse{File: r.Source}, nil
}

func (calls) Put(context.Context, *walls.PutRequest) error { return nil }

func (calls) Delete(context.Context, *walls.DeleteRequest) error { return nil }

func (calls) Form(context.Context, *walls.FormRequest) error { return nil }

func (calls) Attach(_ context.Context, r *walls.AttachRequest) (*walls.AttachResponse, error) {
	count, err := size(r.Paper)
	return &walls.AttachResponse{Size: count}, err
}

func (calls) Store(_ context.Context, r *walls.StoreRequest) (*walls.StoreResponse, error) {
	count, err := size(r.Content)
	return &walls.StoreResponse{Size: count}, err
}

func (calls) Scan(_ context.Context, r *walls.ScanRequest) (*walls.ScanResponse, error) {
	count, err := size(r.Scan)
	return &walls.ScanResponse{Size: count}, err
}

func (calls) Copy(_ context.Context, r *walls.CopyRequest) (*walls.CopyResponse, error) {
	return &walls.CopyResponse{File: r.Content}, nil
}

func (calls) Sold(context.Context, *walls.SoldRequest) error { return nil }

// serve starts a server with a store for keyed calls.
func serve(t *testing.T, service walls.Calls, options ridl.ServerOptions) *httptest.Server {
	options.Idempotency.Store = &ridl.MemoryAnswers{}
	server := httptest.NewServer(walls.NewWallsHandler(walls.WallsServer{Calls: service}, options))
	t.Cleanup(server.Close)
	return server
}

// send sends the beginning of a request, and returns the connection.
func send(t *testing.T, server *httptest.Server, text string) net.Conn {
	connection, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() })
	_ = connection.SetDeadline(time.Now().Add(time.Minute))
	if _, err := io.WriteString(connection, strings.ReplaceAll(text, "\n", "\r\n")); err != nil {
		t.Fatal(err)
	}
	return connection
}

// answer reads a response, and returns whether the server then closes the connection.
func answer(t *testing.T, connection net.Conn) (status int, body string, isClosed bool) {
	reader := bufio.NewReader(connection)
	response, err := http.ReadResponse(reader, nil)
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	_, err = reader.ReadByte()
	return response.StatusCode, string(content), err == io.EOF
}

const json, form = "application/json", "multipart/form-data; boundary=b"

// request prints a request without its body.
func request(target, kind, more string) string {
	return fmt.Sprintf("%s HTTP/1.1\nHost: a\nContent-Type: %s\nIdempotency-Key: \"k\"\n%s\n", target, kind, more)
}

// stalled are requests whose bodies do not arrive whole.
func stalled() map[string]string {
	const length, part = "Content-Length: 99\n", "--b\nContent-Disposition: form-data; name=\"title\"\n\nx\n"
	file := "--b\nContent-Disposition: form-data; name=\"json\"\n\n{\"title\":\"x\"}\n" +
		"--b\nContent-Disposition: form-data; name=\"picture\"; filename=\"p\"\n\nx"
	return map[string]string{
		"call":           request("POST /rpc/Calls/Call", json, length) + `{"text":`,
		"no byte":        request("POST /rpc/Calls/Call", json, length),
		"chunks":         request("POST /rpc/Calls/Call", json, "Transfer-Encoding: chunked\n") + "3\n{\"t\n",
		"keyed":          request("POST /rpc/Calls/Pay", json, length) + `{"text":`,
		"without fields": request("POST /rpc/Calls/Empty", json, length) + "{",
		"stream":         request("POST /rpc/Calls/Watch", json, length) + `{"text":`,
		"upload":         request("POST /rpc/Calls/Upload", form, "Content-Length: 999\n") + file,
		"upload, name":   request("POST /rpc/Calls/Upload", form, length) + "--b\nContent-Dis",
		"PUT":            request("PUT /pages/1", json, length) + `{"text":`,
		"form":           request("POST /pages", "application/x-www-form-urlencoded", length) + "text=",
		"form with file": request("POST /papers", form, "Content-Length: 999\n") + part,
		"document":       request("PUT /documents/1", "text/plain", length) + "x",
		"scan":           "POST /scans HTTP/1.1\nHost: a\n" + length + "\n",
	}
}

const slow = `{"error":"WebrpcRequestFailed","code":-1,"msg":"request failed","status":408,"cause":"the body arrived too slowly"}`

func TestSlowBodies(t *testing.T) {
	server := serve(t, calls{}, ridl.ServerOptions{BodyTimeout: 100 * time.Millisecond})
	for name, text := range stalled() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			status, body, isClosed := answer(t, send(t, server, text))
			if status != 408 || body != slow || !isClosed {
				t.Error(status, body, isClosed)
			}
		})
	}
}

// A deadline covers the body.
func TestBodiesThatMissTheDeadline(t *testing.T) {
	server := serve(t, calls{}, ridl.ServerOptions{Timeout: 100 * time.Millisecond})
	patient := serve(t, calls{}, ridl.ServerOptions{})
	hurry := func(text string) string {
		return strings.Replace(text, "\nHost: a\n", "\nHost: a\nRequest-Timeout-Ms: 100\n", 1)
	}
	for name, text := range stalled() {
		for to, sent := range map[*httptest.Server]string{server: text, patient: hurry(text)} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				status, body, isClosed := answer(t, send(t, to, sent))
				if status != 504 || !strings.Contains(body, `"no response within 100 ms"`) || !isClosed {
					t.Error(status, body, isClosed)
				}
			})
		}
	}
}

// copies tells when the deadline of a call has passed, and can read the body before the response begins.
type copies struct {
	calls
	passed  chan bool
	isEager bool
}

func (c copies) Copy(ctx context.Context, r *walls.CopyRequest) (*walls.CopyResponse, error) {
	context.AfterFunc(ctx, func() { close(c.passed) })
	file := r.Content
	if c.isEager {
		reader, writer := io.Pipe()
		go func() { _ = writer.CloseWithError(second(io.Copy(writer, r.Content.Content))) }()
		file = &ridl.File{Content: reader}
		time.Sleep(20 * time.Millisecond) // By then, it probably waits for the body.
	}
	return &walls.CopyResponse{File: file}, nil
}

// The deadline does not cover a response that has begun, nor the body that becomes its content.
func TestBodiesThatBecomeResponses(t *testing.T) {
	for _, first := range []int{0, 1, 20_000} {
		for _, isEager := range []bool{false, true} {
			t.Run(fmt.Sprint(first, isEager), func(t *testing.T) {
				t.Parallel()
				service := copies{calls{}, make(chan bool), isEager}
				server := serve(t, service, ridl.ServerOptions{Timeout: 500 * time.Millisecond})
				length := fmt.Sprintf("Content-Length: %d\nConnection: close\n", first+1)
				connection := send(t, server, request("PUT /copies", "text/plain", length)+strings.Repeat("x", first))
				<-service.passed
				if _, err := io.WriteString(connection, "y"); err != nil {
					t.Fatal(err)
				}
				status, body, _ := answer(t, connection)
				if status != 200 || len(body) != first+1 || !strings.HasSuffix(body, "y") {
					t.Error(status, len(body))
				}
			})
		}
	}
}

// late are handlers that may not run.
type late struct {
	calls
	t *testing.T
}

func (l late) Call(context.Context, *walls.CallRequest) (*walls.CallResponse, error) {
	l.t.Error("the handler runs")
	return nil, nil
}

func (l late) Pay(context.Context, *walls.PayRequest) (*walls.PayResponse, error) {
	l.t.Error("the handler runs")
	return nil, nil
}

func (l late) Watch(context.Context, *walls.WatchRequest) iter.Seq2[*walls.WatchResponse, error] {
	l.t.Error("the handler runs")
	return nil
}

// slowly waits for the end of a context before it reads.
type slowly struct {
	io.Reader
	ctx context.Context
}

func (s slowly) Read(p []byte) (int, error) {
	<-s.ctx.Done()
	return s.Reader.Read(p)
}

// Not every server can limit the time of a body.
func TestHandlersDoNotStartAfterTheDeadline(t *testing.T) {
	handler := walls.NewWallsHandler(walls.WallsServer{Calls: late{calls{}, t}}, ridl.ServerOptions{
		Idempotency: ridl.Idempotency{Store: &ridl.MemoryAnswers{}},
	})
	for _, method := range []string{"Call", "Pay", "Watch"} {
		limited, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		defer cancel()
		body := slowly{strings.NewReader(`{"text":"x"}`), limited}
		r := httptest.NewRequestWithContext(limited, "POST", "/rpc/Calls/"+method, body)
		r.Header.Set("Content-Type", json)
		r.Header.Set("Idempotency-Key", `"k"`)
		w := httptest.NewRecorder()
		if handler.ServeHTTP(w, r); w.Code != 504 || !strings.Contains(w.Body.String(), `"the deadline has passed"`) {
			t.Error(method, w.Code, w.Body)
		}
	}
}

// A request without a method has no deadline to miss.
func TestClientsThatLeaveUnknownMethods(t *testing.T) {
	left, leave := context.WithCancel(context.Background())
	leave()
	var failure error
	handler := walls.NewWallsHandler(walls.WallsServer{Calls: calls{}}, ridl.ServerOptions{
		OnError:     func(_ context.Context, err error) { failure = err },
		Idempotency: ridl.Idempotency{Store: &ridl.MemoryAnswers{}},
	})
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequestWithContext(left, "POST", "/rpc/Calls/None", nil))
	if w.Code == 504 || failure != nil {
		t.Error(w.Code, failure)
	}
}

// What has arrived does not extend a pause.
func TestPausesInLargeBodies(t *testing.T) {
	server := serve(t, calls{}, ridl.ServerOptions{BodyTimeout: time.Second})
	text := request("POST /rpc/Calls/Call", json, "Content-Length: 900000\n") + `{"text":"` + strings.Repeat("a", 800_000)
	if status, body, isClosed := answer(t, send(t, server, text)); status != 408 || body != slow || !isClosed {
		t.Error(status, body, isClosed)
	}
}

func TestSlowWebhooks(t *testing.T) {
	receiver := httptest.NewServer(walls.NewEventsReceiver(calls{}, ridl.ServerOptions{BodyTimeout: 100 * time.Millisecond}))
	t.Cleanup(receiver.Close)
	status, body, isClosed := answer(t, send(t, receiver, request("POST /", json, "Content-Length: 99\n")+"{"))
	if status != 408 || body != slow || !isClosed {
		t.Error(status, body, isClosed)
	}
}

// Bodies that no method reads are refused for another reason, but the connection does not wait for them either.
func TestBodiesThatAreNotRead(t *testing.T) {
	server := serve(t, calls{}, ridl.ServerOptions{BodyTimeout: 100 * time.Millisecond})
	for target, status := range map[string]int{"POST /a": 404, "PUT /rpc/Calls/Call": 405, "DELETE /pages/1": 200} {
		got, _, isClosed := answer(t, send(t, server, request(target, json, "Content-Length: 99\n")))
		if got != status || !isClosed {
			t.Error(target, got, isClosed)
		}
	}
}

// A client that closes its half of the connection can still read.
func TestClientsThatSendNoMore(t *testing.T) {
	server := serve(t, calls{}, ridl.ServerOptions{})
	for name, text := range stalled() {
		connection := send(t, server, text)
		_ = connection.(*net.TCPConn).CloseWrite()
		if status, body, _ := answer(t, connection); status < 400 {
			t.Error(name, status, body)
		}
	}
}

func TestSlowBodiesOfHTTP2(t *testing.T) {
	options := ridl.ServerOptions{BodyTimeout: 100 * time.Millisecond, Idempotency: ridl.Idempotency{Store: &ridl.MemoryAnswers{}}}
	server := httptest.NewUnstartedServer(walls.NewWallsHandler(walls.WallsServer{Calls: calls{}}, options))
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	for path, kind := range map[string]string{"/rpc/Calls/Call": json, "/rpc/Calls/Upload": form, "/scans": "text/plain"} {
		body, writer := io.Pipe()
		go func() { _, _ = io.WriteString(writer, "{") }()
		response, err := server.Client().Post(server.URL+path, kind, body)
		if err != nil {
			t.Fatal(err)
		}
		if content, _ := io.ReadAll(response.Body); response.ProtoMajor != 2 || string(content) != slow {
			t.Error(path, response.Proto, string(content))
		}
		_ = writer.Close()
	}
}

func TestStalledBodiesHoldNoGoroutines(t *testing.T) {
	server := serve(t, calls{}, ridl.ServerOptions{BodyTimeout: 100 * time.Millisecond})
	before := runtime.NumGoroutine()
	for range 5 {
		for _, text := range stalled() {
			send(t, server, text)
		}
		send(t, server, request("POST /a", json, "Content-Length: 99\n"))
	}
	expectGoroutines(t, before)
}

// expectGoroutines waits until no more goroutines are running than before.
func expectGoroutines(t *testing.T, before int) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); runtime.NumGoroutine() > before; {
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<20)
			t.Fatalf("%d goroutines instead of %d\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
		}
		time.Sleep(10 * time.Millisecond)
	}
}
