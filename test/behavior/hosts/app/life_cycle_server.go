// The server of life-cycle.ridl, with the handlers of life-cycle-server.ts, below the middleware that the argument names.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/go-chi/chi/v5/middleware"
	"github.com/gorilla/handlers"

	"example.com/lifecycle"
	"example.com/lifecycle/ridl"
)

// What is open in the process.
var runningHandlers, openStreams atomic.Int32

func wait(ctx context.Context, ms uint32) {
	timer := time.NewTimer(time.Duration(ms) * time.Millisecond)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

func sleep(ctx context.Context, ms uint32) error {
	runningHandlers.Add(1)
	defer runningHandlers.Add(-1)
	wait(ctx, ms)
	return nil
}

type work struct{}

func (work) Ping(context.Context) error { return nil }

func (work) Large(context.Context) (*lifecycle.LargeResponse, error) {
	return &lifecycle.LargeResponse{Text: strings.Repeat("x", 5_000_000)}, nil
}

func (work) Sleep(ctx context.Context, r *lifecycle.SleepRequest) error { return sleep(ctx, r.Ms) }

func (work) Late(_ context.Context, r *lifecycle.LateRequest) error {
	return sleep(context.Background(), r.Ms)
}

func (work) Fail(context.Context) error { return errors.New("failed") }

func (work) Queued(ctx context.Context, r *lifecycle.QueuedRequest) error { return sleep(ctx, r.Ms) }

func (work) Alone(ctx context.Context, r *lifecycle.AloneRequest) error { return sleep(ctx, r.Ms) }

// stream counts a stream until it ends.
func stream[Item any](send func(yield func(*Item) bool)) iter.Seq2[*Item, error] {
	return func(yield func(*Item, error) bool) {
		openStreams.Add(1)
		defer openStreams.Add(-1)
		send(func(item *Item) bool { return yield(item, nil) })
	}
}

func (work) Tick(ctx context.Context) iter.Seq2[*lifecycle.TickResponse, error] {
	return stream(func(yield func(*lifecycle.TickResponse) bool) {
		for n := uint32(1); ctx.Err() == nil && yield(&lifecycle.TickResponse{N: n}); n++ {
			wait(ctx, 2)
		}
	})
}

func (work) Wait(ctx context.Context) iter.Seq2[*lifecycle.WaitResponse, error] {
	return stream(func(yield func(*lifecycle.WaitResponse) bool) {
		yield(&lifecycle.WaitResponse{N: 1})
		<-ctx.Done()
	})
}

func (work) Stay(context.Context) iter.Seq2[*lifecycle.StayResponse, error] {
	return func(yield func(*lifecycle.StayResponse, error) bool) {
		yield(&lifecycle.StayResponse{N: 1}, nil)
		select {}
	}
}

func (work) WaitLong(ctx context.Context) iter.Seq2[*lifecycle.WaitLongResponse, error] {
	return stream(func(yield func(*lifecycle.WaitLongResponse) bool) {
		yield(&lifecycle.WaitLongResponse{N: 1})
		<-ctx.Done()
	})
}

func (work) Flood(context.Context) iter.Seq2[*lifecycle.FloodResponse, error] {
	return stream(func(yield func(*lifecycle.FloodResponse) bool) {
		for yield(&lifecycle.FloodResponse{Text: strings.Repeat("x", 10_000)}) {
		}
	})
}

func (work) Follow(ctx context.Context, r *lifecycle.FollowRequest) iter.Seq2[*lifecycle.FollowResponse, error] {
	return stream(func(yield func(*lifecycle.FollowResponse) bool) {
		first := uint32(1)
		if r.After != nil {
			first += *r.After
		}
		for n := first; n <= 10 && yield(&lifecycle.FollowResponse{N: n}); n++ {
			if n == 3 {
				<-ctx.Done()
				return
			}
		}
	})
}

func (work) Count(context.Context) iter.Seq2[*lifecycle.CountResponse, error] {
	return stream(func(yield func(*lifecycle.CountResponse) bool) {
		for n := uint32(1); n <= 10 && yield(&lifecycle.CountResponse{N: n}); n++ {
		}
	})
}

// content is a file of zeros, which counts as a stream until it is closed or read.
type content struct {
	left int
	end  sync.Once
}

func open(bytes int) *ridl.File {
	openStreams.Add(1)
	return &ridl.File{Content: &content{left: bytes}, Size: int64(bytes), Type: "application/octet-stream"}
}

func (c *content) Read(p []byte) (int, error) {
	if c.left == 0 {
		return 0, io.EOF
	}
	n := min(len(p), c.left)
	clear(p[:n])
	c.left -= n
	return n, nil
}

func (c *content) Close() error {
	c.end.Do(func() { openStreams.Add(-1) })
	return nil
}

func (work) Read(context.Context) (*lifecycle.ReadResponse, error) {
	return &lifecycle.ReadResponse{File: open(10_000)}, nil
}

func (work) Download(context.Context) (*lifecycle.DownloadResponse, error) {
	return &lifecycle.DownloadResponse{File: open(50_000_000)}, nil
}

func (work) Upload(_ context.Context, r *lifecycle.UploadRequest) (*lifecycle.UploadResponse, error) {
	runningHandlers.Add(1)
	defer runningHandlers.Add(-1)
	bytes, err := io.Copy(io.Discard, r.File.Content)
	return &lifecycle.UploadResponse{Bytes: uint32(bytes)}, err
}

func (work) Ignore(context.Context, *lifecycle.IgnoreRequest) error { return nil }

func (work) Guarded(context.Context, *lifecycle.GuardedRequest) error { return nil }

type probe struct{}

func (probe) Open(context.Context) (*lifecycle.OpenResponse, error) {
	return &lifecycle.OpenResponse{
		Handlers: uint32(runningHandlers.Load()), Streams: uint32(openStreams.Load()), Tasks: uint32(runtime.NumGoroutine()),
	}, nil
}

func verify(ctx context.Context, key string) (context.Context, error) {
	if key != "key" {
		return nil, ridl.ErrRejected
	}
	return ctx, nil
}

// newHandler serves the contract for a number of handlers at the same time, or any number if it is 0.
func newHandler(places int) http.Handler {
	long := ridl.ServerOptions{Timeout: time.Minute}
	quick := ridl.ServerOptions{KeepAlive: 500 * time.Millisecond}
	server := lifecycle.LifeCycleServer{Work: work{}, Probe: probe{}, Credentials: lifecycle.Credentials{Key: verify}}
	return lifecycle.NewLifeCycleHandler(server, ridl.ServerOptions{
		MaxConcurrent: places, Timeout: 2 * time.Second, MaxUpload: 8_000_000,
		// Longer than a test waits for the timer of an upload that broke off.
		BodyTimeout: time.Minute,
		SendTimeout: time.Second,
		OnError:     func(context.Context, error) {},
		Methods: map[string]ridl.ServerOptions{
			"Work/Sleep": long, "Work/Queued": long, "Work/Alone": long, "Work/Upload": long, "Work/Ignore": long,
			"Work/Guarded": long, "Work/Wait": quick,
		},
	})
}

// newMux serves most methods for three handlers each.
func newMux() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", newHandler(0))
	for _, name := range []string{"Sleep", "Queued", "Tick", "Wait", "WaitLong", "Stay", "Follow", "Flood", "Download", "Upload"} {
		mux.Handle("/rpc/Work/"+name, newHandler(3))
	}
	return mux
}

// recorder is a middleware as many write it.
type recorder struct {
	http.ResponseWriter
	status int
}

func (r *recorder) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}

type discard struct{}

func (discard) Print(...any)   {}
func (discard) Println(...any) {}

var middlewares = map[string]func(http.Handler) http.Handler{
	"none":      func(next http.Handler) http.Handler { return next },
	"Logger":    middleware.RequestLogger(&middleware.DefaultLogFormatter{Logger: discard{}, NoColor: true}),
	"Recoverer": middleware.Recoverer,
	"Compress":  middleware.Compress(5, "application/json", "application/x-ndjson", "application/octet-stream"),
	"Timeout":   middleware.Timeout(time.Minute),
	"Throttle":  middleware.Throttle(1000),
	"logging":   func(next http.Handler) http.Handler { return handlers.LoggingHandler(io.Discard, next) },
	"compress":  handlers.CompressHandler,
	"recovery":  handlers.RecoveryHandler(handlers.RecoveryLogger(discard{})),
	"timeout":   func(next http.Handler) http.Handler { return http.TimeoutHandler(next, time.Minute, "") },
	"recorder": func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			next.ServeHTTP(&recorder{ResponseWriter: w}, r)
		})
	},
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	server := &http.Server{
		Handler:     middlewares[os.Args[1]](newMux()),
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	stopped := make(chan struct{})
	go func() {
		<-stop
		grace, end := context.WithTimeout(context.Background(), time.Second)
		defer end()
		_ = server.Shutdown(grace)
		cancel()
		_ = server.Close()
		close(stopped)
	}()
	fmt.Printf("Listening on http://%s/\n", listener.Addr())
	_ = server.Serve(listener)
	<-stopped
}
