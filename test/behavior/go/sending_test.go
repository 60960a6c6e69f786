// Tests how long clients can take to receive responses, over HTTP/1.1 and HTTP/2.
package walls_test

import (
	"context"
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

func handlerOf(service walls.Calls, sendTimeout time.Duration) http.Handler {
	return walls.NewWallsHandler(walls.WallsServer{Calls: service}, ridl.ServerOptions{
		SendTimeout: sendTimeout,
		Idempotency: ridl.Idempotency{Store: &ridl.MemoryAnswers{}},
		OnError:     func(context.Context, error) {},
	})
}

// listen starts a server of HTTP/1.1 or HTTP/2, whose responses can have a limit. It returns a client that can receive
// little without reading.
func listen(t *testing.T, major int, handler http.Handler, whole time.Duration) (string, *http.Client) {
	server := httptest.NewUnstartedServer(handler)
	server.Config.WriteTimeout = whole
	if server.EnableHTTP2 = major == 2; server.EnableHTTP2 {
		server.StartTLS()
		transport := server.Client().Transport.(*http.Transport)
		transport.HTTP2 = &http.HTTP2Config{MaxReceiveBufferPerConnection: 64 << 10, MaxReceiveBufferPerStream: 64 << 10}
	} else {
		server.Start()
	}
	t.Cleanup(server.Close)
	return server.URL, server.Client()
}

func post(t *testing.T, client *http.Client, url, body string) *http.Response {
	response, err := client.Post(url, json, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = response.Body.Close() })
	return response
}

func forBoth(t *testing.T, run func(t *testing.T, major int)) {
	for major, name := range []string{1: "HTTP/1.1", 2: "HTTP/2"} {
		if name != "" {
			t.Run(name, func(t *testing.T) { run(t, major) })
		}
	}
}

// slow sources take longer than a client may take.
type slowSources struct{ patient }

func (slowSources) Download(ctx context.Context, r *walls.DownloadRequest) (*walls.DownloadResponse, error) {
	start := strings.NewReader(strings.Repeat("x", 40_000))
	return &walls.DownloadResponse{File: &ridl.File{Content: io.MultiReader(start, &slowFile{ctx, 2})}}, nil
}

func TestSlowSourcesAreNotSlowClients(t *testing.T) {
	forBoth(t, func(t *testing.T, major int) {
		url, client := listen(t, major, handlerOf(slowSources{}, 100*time.Millisecond), 0)
		for path, want := range map[string]int{"Download": 40_002, "Watch": len("\n{\"text\":\"x\"}\n") * 2} {
			response := post(t, client, url+"/rpc/Calls/"+path, `{"name":"x","text":"x"}`)
			content, err := io.ReadAll(response.Body)
			if response.ProtoMajor != major || err != nil || path == "Download" && len(content) != want || strings.Contains(string(content), "rror") {
				t.Error(response.Proto, path, len(content), err)
			}
		}
	})
}

// large returns responses that fill what a client can receive without reading.
type large struct{ downloads }

func (large) Call(_ context.Context, r *walls.CallRequest) (*walls.CallResponse, error) {
	size := 60_000
	if r.Text == "large" {
		size = 16 << 20
	}
	return &walls.CallResponse{Text: strings.Repeat("x", size)}, nil
}

func (large) Watch(context.Context, *walls.WatchRequest) iter.Seq2[*walls.WatchResponse, error] {
	return func(yield func(*walls.WatchResponse, error) bool) {
		for yield(&walls.WatchResponse{Text: strings.Repeat("x", 10_000)}, nil) {
		}
	}
}

func TestClientsThatReadNothingHoldNoGoroutines(t *testing.T) {
	forBoth(t, func(t *testing.T, major int) {
		var running atomic.Int32
		handler := handlerOf(large{}, 200*time.Millisecond)
		url, client := listen(t, major, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			running.Add(1)
			defer running.Add(-1)
			handler.ServeHTTP(w, r)
		}), 0)
		for _, path := range []string{"Call", "Download", "Watch"} {
			for range 3 {
				post(t, client, url+"/rpc/Calls/"+path, `{"name":"x","text":"large"}`)
				if major == 2 {
					post(t, client, url+"/rpc/Calls/Call", `{"text":"x"}`)
				}
			}
		}
		for deadline := time.Now().Add(30 * time.Second); running.Load() > 0; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(deadline) {
				stacks := make([]byte, 1<<20)
				t.Fatalf("%d calls still run\n%s", running.Load(), stacks[:runtime.Stack(stacks, true)])
			}
		}
	})
}

func TestLimitsOfWholeResponses(t *testing.T) {
	forBoth(t, func(t *testing.T, major int) {
		url, client := listen(t, major, handlerOf(downloads{}, 0), 300*time.Millisecond)
		response := post(t, client, url+"/rpc/Calls/Download", `{"name":"x"}`)
		if _, err := io.Copy(io.Discard, response.Body); err == nil {
			t.Error("an endless file ended")
		}
		url, client = listen(t, major, handlerOf(patient{}, 0), 300*time.Millisecond)
		response = post(t, client, url+"/rpc/Calls/Watch", `{"text":"x"}`)
		if content, err := io.ReadAll(response.Body); err != nil || strings.Count(string(content), "text") != 2 {
			t.Error("a stream does not exceed the limit:", string(content), err)
		}
	})
}

func TestLimitsDoNotOutliveTheirResponse(t *testing.T) {
	forBoth(t, func(t *testing.T, major int) {
		url, client := listen(t, major, handlerOf(calls{}, 100*time.Millisecond), 0)
		for range 2 {
			response := post(t, client, url+"/rpc/Calls/Call", `{"text":"x"}`)
			if content, err := io.ReadAll(response.Body); err != nil || string(content) != `{"text":"x"}` {
				t.Error(string(content), err)
			}
			time.Sleep(200 * time.Millisecond)
		}
	})
}

// Servers in TypeScript ignore them as well.
func TestSeveralTimeoutsAreNone(t *testing.T) {
	server := serve(t, patient{}, ridl.ServerOptions{})
	request, _ := http.NewRequest("DELETE", server.URL+"/pages/1", nil)
	request.Header["Request-Timeout-Ms"] = []string{"50", "50"}
	response, err := http.DefaultClient.Do(request)
	if err != nil || response.StatusCode >= 300 {
		t.Error(response, err)
	}
}
