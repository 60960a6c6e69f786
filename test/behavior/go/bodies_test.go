// Compares what clients make of errors that are not webrpc's envelope with what TypeScript clients make of them.
package bodies_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/bodies"
	"example.com/bodies/ridl"
)

// used returns the CPU time of the process, which does not depend on what else the machine does.
func used() time.Duration {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

type wanted struct {
	Name, Message string
	Code, Status  int
	Cause         *string
	Data          any
}

type bodyCase struct {
	Method, Body string
	Status       int
	Headers      map[string]string
	Error        wanted
}

type transport func(*http.Request) *http.Response

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r), nil }

func shop(status int, body string, headers map[string]string) bodies.Shop {
	respond := func(*http.Request) *http.Response {
		header := http.Header{}
		for name, value := range headers {
			header.Set(name, value)
		}
		return &http.Response{StatusCode: status, Body: io.NopCloser(strings.NewReader(body)), Header: header, ContentLength: -1}
	}
	return bodies.NewBodiesClient("http://host", ridl.WithHTTPClient(&http.Client{Transport: transport(respond)})).Shop
}

// failure returns the error of a case.
func (c *bodyCase) failure(t *testing.T) *ridl.Error {
	client, ctx := shop(c.Status, c.Body, c.Headers), context.Background()
	methods := map[string]func() error{
		"fail":    func() error { return client.Fail(ctx, &bodies.FailRequest{How: "a"}) },
		"failOne": func() error { return client.FailOne(ctx) },
		"failAny": func() error { return client.FailAny(ctx) },
	}
	var failure *ridl.Error
	if err := methods[c.Method](); !errors.As(err, &failure) {
		t.Fatal(err)
	}
	return failure
}

func TestCases(t *testing.T) {
	text, err := os.ReadFile(os.Getenv("CASES"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []bodyCase
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	names := map[string]int{}
	for _, each := range cases {
		got, want := each.failure(t), each.Error
		names[want.Name]++
		if want.Name == "WebrpcBadResponse" {
			if got.Reason != "bad-response" || got.Status != each.Status {
				t.Error(each, got)
			}
			continue
		}
		found := wanted{Name: got.Name, Message: got.Message, Code: got.Code, Status: got.Status}
		if got.Cause != "" {
			found.Cause = &got.Cause
		}
		if got.Data != nil {
			data, err := json.Marshal(got.Data)
			if err := errors.Join(err, json.Unmarshal(data, &found.Data)); err != nil {
				t.Error(each, err)
			}
		}
		if !reflect.DeepEqual(found, want) {
			one, _ := json.Marshal(found)
			other, _ := json.Marshal(want)
			t.Errorf("%v:\n%s\n%s", each, one, other)
		}
	}
	for _, name := range []string{"NotFound", "SoldOut", "Gone", "Teapot", "Upstream", "WebrpcBadRequest", "WebrpcEndpoint"} {
		if names[name] == 0 {
			t.Error("no case has", name)
		}
	}
	t.Log("cases:", len(cases))
}

func TestData(t *testing.T) {
	body := `{"type":"sold_out","number":"1409","status":409,"errors":[],"left":2}`
	err := shop(500, body, nil).Fail(context.Background(), &bodies.FailRequest{How: "a"})
	data := bodies.ErrSoldOut.DataOf(err)
	if !errors.Is(err, bodies.ErrSoldOut) || data == nil || *data.Left != 2 {
		t.Error(err, data)
	}
}

func TestStreams(t *testing.T) {
	line := `{"webrpcError":{"error":"SoldOut","code":1409,"msg":"sold out","status":409,"data":` +
		`{"type":"sold_out","number":"1409","status":409,"errors":[]}}}` + "\n"
	for _, err := range shop(200, line, map[string]string{"Content-Type": "application/x-ndjson"}).Watch(context.Background()) {
		if data := bodies.ErrSoldOut.DataOf(err); data == nil || data.Number != "1409" {
			t.Error(err, data)
		}
	}
}

// Reading an error takes time in proportion to its length.
func TestLongErrors(t *testing.T) {
	start := used()
	header := map[string]string{"X-Scopes": strings.Repeat(" ,", 100_000)}
	deep := strings.Repeat("[", 900) + strings.Repeat("1,", 100_000) + "1" + strings.Repeat("]", 900)
	_ = shop(404, `{"type":"not_found","number":"","status":404,"errors":[],"more":`+deep+`}`, header).FailAny(context.Background())
	if took := used() - start; took > time.Second {
		t.Error("it took", took)
	}
}
