// Compares the errors of a Go server with those of a TypeScript server of the same contract.
package failures_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"example.com/failures"
	"example.com/failures/ridl"
)

type shop struct{}

func pointer[T any](value T) *T { return &value }

var shared = []failures.Detail{{Message: "mine", Number: "7"}, {Message: "mine", Number: "7"}}

func fail(how string) error {
	switch how {
	case "cause":
		return failures.ErrNotFound.WithCause("because")
	case "message":
		return failures.ErrNotFound.WithMessage("another")
	case "data":
		return failures.ErrSoldOut.WithData(&failures.Problem{Left: pointer[uint32](3), Scopes: []string{"a", "b"}})
	case "extra":
		more := map[string]json.RawMessage{"a": json.RawMessage("[1]"), "b": nil}
		return failures.ErrSoldOut.WithData(&failures.Problem{More: more})
	case "own":
		return failures.ErrSoldOut.WithData(&failures.Problem{Title: pointer(""), Errors: shared, Param: pointer("p")})
	case "comma":
		return failures.ErrSoldOut.WithData(&failures.Problem{Scopes: []string{"a,b"}})
	case "line":
		return failures.ErrSoldOut.WithData(&failures.Problem{Scopes: []string{"a\nb"}})
	case "teapot":
		return failures.ErrTeapot.WithData(&failures.Brewing{Pot: "blue"}).WithCause("because")
	case "reason":
		return failures.ErrRefused.WithData(&failures.Refusal{Reason: pointer("r")}).WithStatus(402)
	case "status":
		return failures.ErrRefused.WithData(&failures.Refusal{}).WithStatus(200)
	case "redirect":
		return failures.ErrRefused.WithData(&failures.Refusal{}).WithStatus(307)
	case "unmodified":
		return failures.ErrRefused.WithData(&failures.Refusal{}).WithStatus(304)
	case "plain":
		return failures.ErrSoldOut
	}
	return errors.New("secret")
}

func (shop) Fail(_ context.Context, request *failures.FailRequest) error { return fail(request.How) }

func (shop) Guarded(context.Context, *failures.GuardedRequest) error { return nil }

func (shop) Join(context.Context) error { return nil }

func (shop) Watch(_ context.Context, request *failures.WatchRequest) iter.Seq2[*failures.WatchResponse, error] {
	return func(yield func(*failures.WatchResponse, error) bool) {
		if yield(&failures.WatchResponse{N: 1}, nil) {
			yield(nil, fail(request.How))
		}
	}
}

func handler() http.Handler {
	verify := func(valid string) ridl.Verify {
		return func(ctx context.Context, value string) (context.Context, error) {
			if value != valid {
				return nil, ridl.ErrRejected
			}
			return ctx, nil
		}
	}
	server := failures.FailuresServer{Shop: shop{}, Credentials: failures.Credentials{
		Key: verify("k"), Team: verify("t"), Member: verify("m"), Login: verify("l"),
	}}
	return failures.NewFailuresHandler(server, ridl.ServerOptions{OnError: func(context.Context, error) {}})
}

// answer returns the parts of a response in which servers have to agree.
func answer(t *testing.T, verb, address, body string, header map[string]string) string {
	request, err := http.NewRequest(verb, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range header {
		request.Header.Set(name, value)
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	fmt.Fprintln(&text, response.StatusCode)
	for _, name := range []string{"Content-Type", "Allow", "X-Left", "X-Scopes", "API-Version", "WWW-Authenticate", "Retry-After"} {
		fmt.Fprintf(&text, "%s: %s\n", name, strings.Join(response.Header.Values(name), ", "))
	}
	for _, line := range strings.SplitAfter(string(content), "\n") {
		var value any
		if json.Unmarshal([]byte(line), &value) == nil {
			sorted, _ := json.Marshal(value)
			line = string(sorted)
		}
		text.WriteString(line)
	}
	return text.String()
}

func TestServersAgree(t *testing.T) {
	server := httptest.NewServer(handler())
	defer server.Close()
	asJSON := map[string]string{"Content-Type": "application/json"}
	withKey := map[string]string{"Content-Type": "application/json", "X-Key": "k"}
	compare := func(verb, target, body string, header map[string]string) {
		t.Helper()
		want := answer(t, verb, os.Getenv("FAILURES")+target, body, header)
		if got := answer(t, verb, server.URL+target, body, header); got != want {
			t.Errorf("%s %s %s\nGo: %s\nTypeScript: %s", verb, target, body, got, want)
		}
	}
	for _, how := range strings.Fields("cause message data extra own comma line teapot reason status redirect unmodified plain other") {
		compare("POST", "/fail/"+how, "", nil)
		compare("POST", "/rpc/Shop/Watch", `{"how":"`+how+`"}`, asJSON)
	}
	compare("GET", "/", "", nil)
	compare("GET", "/fail/a", "", nil)
	compare("HEAD", "/fail/a", "", nil)
	compare("PUT", "/guarded/1", `{"note":"a"}`, asJSON)
	compare("PUT", "/guarded/1", `{"note":"a"}`, withKey)
	compare("PUT", "/guarded/1", `{"note":1}`, withKey)
	compare("PUT", "/guarded/x", `{"note":1}`, withKey)
	compare("PUT", "/guarded/1", `[]`, withKey)
	compare("PUT", "/guarded/1", "a", map[string]string{"X-Key": "k", "Content-Type": "text/plain"})
	compare("PUT", "/guarded/..", `{}`, withKey)
	for _, team := range []string{"", "t", "x"} {
		for _, member := range []string{"", "m", "x"} {
			for _, login := range []string{"", "Bearer l", "bearer x", "Basic l", "Bearer"} {
				for _, site := range []string{"", "cross-site"} {
					header := map[string]string{"Sec-Fetch-Site": site}
					for name, value := range map[string]string{"X-Team": team, "X-Member": member, "Authorization": login} {
						if value != "" {
							header[name] = value
						}
					}
					compare("POST", "/joined", "", header)
				}
			}
		}
	}
	if shared[0].Message != "mine" || failures.ErrSoldOut.Data != nil {
		t.Error("a handler's values have changed")
	}
}

// A client of the Go server gets back what its handlers return.
func TestRoundTrip(t *testing.T) {
	server := httptest.NewServer(handler())
	defer server.Close()
	client := failures.NewFailuresClient(server.URL).Shop
	err := client.Fail(context.Background(), &failures.FailRequest{How: "data"})
	data := failures.ErrSoldOut.DataOf(err)
	if data == nil || *data.Left != 3 || len(data.Scopes) != 2 || data.API != "v2" || data.Errors[0].Message != "sold out" {
		t.Error(err, data)
	}
	err = client.Fail(context.Background(), &failures.FailRequest{How: "reason"})
	var failure *ridl.Error
	if refusal := failures.ErrRefused.DataOf(err); !errors.As(err, &failure) || refusal == nil || failure.Status != 402 {
		t.Error(err)
	}
	err = client.Fail(context.Background(), &failures.FailRequest{How: "other"})
	if !errors.Is(err, ridl.ErrInternalError) || strings.Contains(err.Error(), "secret") {
		t.Error(err)
	}
}

type receiver struct{}

func (receiver) Happened(_ context.Context, request *failures.HappenedRequest) error {
	return fail(request.How)
}

func TestWebhooks(t *testing.T) {
	server := httptest.NewServer(failures.NewEventsReceiver(receiver{}, ridl.ServerOptions{}))
	defer server.Close()
	err := failures.NewEventsSender(server.URL).Happened(context.Background(), &failures.HappenedRequest{How: "data"})
	if data := failures.ErrSoldOut.DataOf(err); data == nil || *data.Left != 3 {
		t.Error(err)
	}
}
