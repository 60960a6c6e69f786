// Tests how streams of server-sent events are read.
package rest_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"example.com/rest"
	"example.com/rest/ridl"
)

// streamCase is a case of runtime/cases/event-cases.jsonl or line-cases.jsonl.
type streamCase struct {
	Name    string
	IsEnded *bool
	IsBytes bool
	Body    string
	Items   []json.RawMessage
	End     json.RawMessage
}

func streamCases(t *testing.T, variable string) (all []streamCase) {
	file, err := os.Open(os.Getenv(variable))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var each streamCase
		if err := json.Unmarshal(lines.Bytes(), &each); err != nil {
			t.Fatal(err)
		}
		if each.IsBytes {
			var bytes []byte
			for _, char := range each.Body {
				bytes = append(bytes, byte(char))
			}
			each.Body = string(bytes)
		}
		all = append(all, each)
	}
	return all
}

// types returns the types of responses with which a case is tried: both if it does not say whether the end is announced.
func (c *streamCase) types(plain string) []string {
	switch ended := plain + ";end=1"; {
	case c.IsEnded == nil:
		return []string{plain, ended}
	case *c.IsEnded:
		return []string{ended}
	}
	return []string{plain}
}

// check compares what a stream yielded with what a case expects.
func (c *streamCase) check(t *testing.T, items []any, err error) {
	t.Helper()
	if len(items) != len(c.Items) {
		t.Errorf("%s: got %d items and %v", c.Name, len(items), err)
		return
	}
	for i, item := range items {
		text, _ := json.Marshal(item)
		if !isSameJSON(text, c.Items[i]) {
			t.Errorf("%s: got %s", c.Name, text)
		}
	}
	e, _ := err.(*ridl.Error)
	var reason string
	var named struct {
		Name, Message string
		Status        int
	}
	switch {
	case string(c.End) == "null":
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
	case e == nil:
		t.Errorf("%s: no error but %v", c.Name, err)
	case json.Unmarshal(c.End, &reason) == nil:
		if e.Reason != reason {
			t.Errorf("%s: %q is not %q: %v", c.Name, e.Reason, reason, err)
		}
	default:
		_ = json.Unmarshal(c.End, &named)
		isSame := named.Message == "" || named.Message == e.Message
		if e.Name != named.Name || e.Status != named.Status || !isSame {
			t.Errorf("%s: got %s %d %s", c.Name, e.Name, e.Status, e.Message)
		}
	}
}

// streamClient returns a client whose server sends these bytes.
func streamClient(kind string, body io.Reader, options ...ridl.Option) *rest.RestClient {
	respond := func(*http.Request) *http.Response {
		header := http.Header{"Content-Type": {kind}}
		return &http.Response{StatusCode: 200, Body: io.NopCloser(body), Header: header, ContentLength: -1}
	}
	options = append(options, ridl.WithHTTPClient(&http.Client{Transport: transport(respond)}))
	return rest.NewRestClient("http://host/", options...)
}

// eventClient returns a client whose server sends these events.
func eventClient(body io.Reader, options ...ridl.Option) rest.Parts {
	return streamClient(eventType, body, options...).Parts
}

const eventType = "Text/Event-Stream; charset=utf-8"

// collect returns the items of a stream, and the error that ends it.
func collect[Item any](items iter.Seq2[*Item, error]) (all []*Item, end error) {
	for item, err := range items {
		if err != nil {
			return all, err
		}
		all = append(all, item)
	}
	return all, nil
}

func TestEventCases(t *testing.T) {
	for _, each := range streamCases(t, "EVENT_CASES") {
		if each.IsEnded == nil {
			each.IsEnded = pointer(false)
		}
		for _, kind := range each.types(eventType) {
			for _, body := range []io.Reader{strings.NewReader(each.Body), iotest.OneByteReader(strings.NewReader(each.Body))} {
				var items []any
				all, err := collect(streamClient(kind, body).Parts.Tick(ctx, &rest.TickRequest{ID: "a"}))
				for _, item := range all {
					items = append(items, item.Tick)
				}
				each.check(t, items, err)
			}
		}
	}
}

func TestLineCases(t *testing.T) {
	for _, each := range streamCases(t, "LINE_CASES") {
		for _, kind := range each.types("Application/X-NDJSON") {
			for _, body := range []io.Reader{strings.NewReader(each.Body), iotest.OneByteReader(strings.NewReader(each.Body))} {
				var items []any
				all, err := collect(streamClient(kind, body).Feed.Lines(ctx))
				for _, item := range all {
					members := map[string]any{}
					for name, member := range item.More {
						members[name] = member
					}
					if item.N != nil {
						members["n"] = item.N
					}
					items = append(items, members)
				}
				each.check(t, items, err)
			}
		}
	}
}

func TestStreamsOfEvents(t *testing.T) {
	items, err := collect(parts().Watch(ctx, &rest.WatchRequest{ID: "a/b", Count: 2}))
	equal(t, err, nil)
	equal(t, len(items), 2)
	equal(t, items[1].N, uint32(2))
	equal(t, items[1].Large.String(), "1180591620717411303424")
	equal(t, string(items[0].More), `["a/b"]`)
	for _, count := range []uint32{0, 2} {
		items, err := collect(parts().Watch(ctx, &rest.WatchRequest{ID: "a", Count: count, Fail: pointer(true)}))
		equal(t, uint32(len(items)), count)
		equal(t, rest.ErrLimitReached.DataOf(err), &rest.Limit{Left: 1, RetryIn: pointer[uint32](7)})
		equal(t, err.(*ridl.Error).Status, 429)
	}
	ticks, err := collect(parts().Tick(ctx, &rest.TickRequest{ID: "a", Count: pointer[uint32](3)}))
	equal(t, err, nil)
	equal(t, string(ticks[2].Tick), `["a",3]`)
	beats, err := collect(parts().Beat(ctx, &rest.BeatRequest{Count: 3}))
	equal(t, err, nil)
	equal(t, len(beats), 3)
}

func TestStreamsAskForEvents(t *testing.T) {
	request, _ := sent(t, func(client rest.Parts) error {
		// Without the end, a lost stream would look complete.
		own := ridl.WithCallHeader(ctx, "accept", "application/json")
		_, err := collect(client.Tick(own, &rest.TickRequest{ID: "a"}))
		return err
	}, ridl.WithHeader("Accept", "application/json"))
	equal(t, request.Header.Get("Accept"), "text/event-stream, text/event-stream;end=1")
}

func TestCallsAskForJSONAndFilesForAnyType(t *testing.T) {
	form := func(client rest.Parts) error {
		_, err := client.Form(ctx, &rest.FormRequest{ID: "a"})
		return err
	}
	request, _ := sent(t, form)
	equal(t, request.Header.Get("Accept"), asksForJSON)
	request, _ = sent(t, form, ridl.WithHeader("accept", "text/x"))
	equal(t, request.Header.Get("Accept"), "text/x")
	request, _ = sent(t, func(client rest.Parts) error {
		_, err := client.Fetch(ctx, &rest.FetchRequest{ID: "a"})
		return err
	})
	equal(t, len(request.Header.Values("Accept")), 0)
}

func TestResponsesThatAreNoEvents(t *testing.T) {
	for _, kind := range []string{"application/json", "application/x-ndjson", "text/html"} {
		client := mock(200, `"a"`, http.Header{"Content-Type": {kind}})
		_, err := collect(client.Tick(ctx, &rest.TickRequest{ID: "a"}))
		expectBadResponse(t, err, 200)
	}
}

// endless is a body that never ends.
type endless string

func (e endless) Read(p []byte) (int, error) { return copy(p, e), nil }

func TestEventsThatAreTooLarge(t *testing.T) {
	for _, piece := range []string{"data: aaaa\n", "a", "data: a\r", ":aaaa"} {
		client := eventClient(endless(piece), ridl.WithMaxResponse(1<<16))
		_, err := collect(client.Tick(ctx, &rest.TickRequest{ID: "a"}))
		expectBadResponse(t, err, 200)
	}
}

func TestSilentEvents(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: 1\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}))
	defer server.Close()
	client := rest.NewRestClient(server.URL, ridl.WithSilence(100*time.Millisecond)).Parts
	items, err := collect(client.Tick(ctx, &rest.TickRequest{ID: "a"}))
	equal(t, len(items), 1)
	if e := (*ridl.Error)(nil); !errors.As(err, &e) || e.Reason != "stream-lost" {
		t.Error(err)
	}
}
