// Compares a Go client and a Go server with those of webrpc's interoperability suite.
package test_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"strings"
	"testing"

	"example.com/test"
	"example.com/test/ridl"
)

// exchange is what the client and the server of the suite send.
type exchange struct {
	Method, Request, Response string
	Status                    int
}

var exchanges []exchange

func TestMain(m *testing.M) {
	text, err := os.ReadFile(os.Getenv("SUITE"))
	if err == nil {
		err = json.Unmarshal(text, &exchanges)
	}
	if err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// valueOf reads JSON. Go's clients send null for no arguments and for an absent field.
func valueOf(t *testing.T, text string) any {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if value = withoutNulls(value); value == nil {
		return map[string]any{}
	}
	return value
}

func withoutNulls(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for key, item := range value {
			if item == nil {
				delete(value, key)
			} else {
				value[key] = withoutNulls(item)
			}
		}
	case []any:
		for index, item := range value {
			value[index] = withoutNulls(item)
		}
	}
	return value
}

func isSame(t *testing.T, one, other string) bool {
	t.Helper()
	return reflect.DeepEqual(valueOf(t, one), valueOf(t, other))
}

func read[T any](text string) *T {
	value := new(T)
	if err := json.Unmarshal([]byte(text), value); err != nil {
		panic(err)
	}
	return value
}

// call calls a method by name. A response without fields is nil.
func call(api test.TestAPI, method, request string) (any, error) {
	ctx := context.Background()
	switch method {
	case "GetEmpty":
		return nil, api.GetEmpty(ctx)
	case "GetError":
		return nil, api.GetError(ctx)
	case "GetOne":
		return api.GetOne(ctx)
	case "SendOne":
		return nil, api.SendOne(ctx, read[test.SendOneRequest](request))
	case "GetMulti":
		return api.GetMulti(ctx)
	case "SendMulti":
		return nil, api.SendMulti(ctx, read[test.SendMultiRequest](request))
	case "GetComplex":
		return api.GetComplex(ctx)
	case "SendComplex":
		return nil, api.SendComplex(ctx, read[test.SendComplexRequest](request))
	case "GetEnumList":
		return api.GetEnumList(ctx)
	case "GetEnumMap":
		return api.GetEnumMap(ctx)
	case "GetSchemaError":
		return nil, api.GetSchemaError(ctx, read[test.GetSchemaErrorRequest](request))
	}
	panic(method)
}

// envelope is the body of an error.
type envelope struct {
	Error, Msg, Cause string
	Code, Status      int
}

func TestClient(t *testing.T) {
	for _, each := range exchanges {
		t.Run(each.Method+each.Request, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				if r.Method != http.MethodPost || r.URL.Path != "/rpc/TestApi/"+each.Method {
					t.Errorf("called %s %s", r.Method, r.URL.Path)
				}
				if !isSame(t, string(body), each.Request) {
					t.Errorf("sent %s, not %s", body, each.Request)
				}
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(each.Status)
				_, _ = io.WriteString(w, each.Response)
			}))
			defer server.Close()
			response, err := call(test.NewTestClient(server.URL).TestAPI, each.Method, each.Request)
			if each.Status != http.StatusOK {
				expectError(t, err, each)
				return
			}
			text, printErr := json.Marshal(response)
			if err != nil || printErr != nil || !isSame(t, string(text), each.Response) {
				t.Errorf("received %s %v %v, not %s", text, err, printErr, each.Response)
			}
		})
	}
}

func expectError(t *testing.T, err error, each exchange) {
	t.Helper()
	want := *read[envelope](each.Response)
	var got *ridl.Error
	if !errors.As(err, &got) {
		t.Fatalf("received %v, not %s", err, each.Response)
	}
	if found := (envelope{got.Name, got.Message, got.Cause, got.Code, got.Status}); found != want {
		t.Errorf("received %+v, not %+v", found, want)
	}
}

// api returns what the server of the suite returns.
type api struct{ t *testing.T }

func find(method, request string) exchange {
	for _, each := range exchanges {
		if each.Method == method && (request == "" || each.Request == request) {
			return each
		}
	}
	return exchange{Response: "{}"}
}

func answer[T any](method string) (*T, error) { return read[T](find(method, "").Response), nil }

// expect fails unless the suite's client sends the same.
func (a api) expect(method string, request any) error {
	text, err := json.Marshal(request)
	if err != nil {
		return err
	}
	if isSame(a.t, string(text), find(method, "").Request) {
		return nil
	}
	return test.ErrUnexpectedValue.WithCause(string(text))
}

func (a api) GetEmpty(context.Context) error { return nil }

func (a api) GetError(context.Context) error { return ridl.ErrEndpoint.WithCause("internal error") }

func (a api) GetOne(context.Context) (*test.GetOneResponse, error) {
	return answer[test.GetOneResponse]("GetOne")
}

func (a api) SendOne(_ context.Context, request *test.SendOneRequest) error {
	return a.expect("SendOne", request)
}

func (a api) GetMulti(context.Context) (*test.GetMultiResponse, error) {
	return answer[test.GetMultiResponse]("GetMulti")
}

func (a api) SendMulti(_ context.Context, request *test.SendMultiRequest) error {
	return a.expect("SendMulti", request)
}

func (a api) GetComplex(context.Context) (*test.GetComplexResponse, error) {
	return answer[test.GetComplexResponse]("GetComplex")
}

func (a api) SendComplex(_ context.Context, request *test.SendComplexRequest) error {
	return a.expect("SendComplex", request)
}

func (a api) GetEnumList(context.Context) (*test.GetEnumListResponse, error) {
	return answer[test.GetEnumListResponse]("GetEnumList")
}

func (a api) GetEnumMap(context.Context) (*test.GetEnumMapResponse, error) {
	return answer[test.GetEnumMapResponse]("GetEnumMap")
}

func (a api) GetSchemaError(_ context.Context, request *test.GetSchemaErrorRequest) error {
	text, _ := json.Marshal(request)
	each := find("GetSchemaError", string(text))
	if each.Status == http.StatusOK || each.Status == 0 {
		return nil
	}
	cause := read[envelope](each.Response).Cause
	for _, err := range []*ridl.Error{
		ridl.ErrEndpoint, test.ErrUnauthorized, test.ErrExpiredToken, test.ErrInvalidToken, test.ErrDeactivated,
		test.ErrConfirmAccount, test.ErrAccessDenied, test.ErrMissingArgument, test.ErrUnexpectedValue,
		test.ErrRateLimited, test.ErrDatabaseDown, test.ErrElasticDown, test.ErrNotImplemented, test.ErrUserNotFound,
		test.ErrUserBusy, test.ErrInvalidUsername, test.ErrFileTooBig, test.ErrFileInfected, test.ErrFileType,
	} {
		if int64(err.Code) == request.Code {
			return err.WithCause(cause)
		}
	}
	panic(string(text))
}

func TestServer(t *testing.T) {
	handler := test.NewTestHandler(test.TestServer{TestAPI: api{t}}, ridl.ServerOptions{})
	server := httptest.NewServer(handler)
	defer server.Close()
	send := func(method, request string) (int, string) {
		sent, _ := http.NewRequest(http.MethodPost, server.URL+"/rpc/TestApi/"+method, strings.NewReader(request))
		sent.Header.Set("Accept", "application/json")
		sent.Header.Set("Content-Type", "application/json")
		sent.Header.Set("Webrpc", "webrpc@v0.44.0;gen-golang@v0.35.0;Test@v0.10.0")
		response, err := http.DefaultClient.Do(sent)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = response.Body.Close() }()
		body, _ := io.ReadAll(response.Body)
		return response.StatusCode, string(body)
	}
	for _, each := range exchanges {
		status, text := send(each.Method, each.Request)
		if status != each.Status || !isSame(t, text, each.Response) {
			t.Errorf("%s %s: answered %d %s, not %d %s", each.Method, each.Request, status, text, each.Status, each.Response)
		}
	}
	status, text := send("SendOne", `{"one":{"id":2,"name":"one"}}`)
	if got := *read[envelope](text); status != http.StatusBadRequest || got.Error != "UnexpectedValue" {
		t.Errorf("answered %d %s to another value", status, text)
	}
}
