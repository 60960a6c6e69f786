// Tests credentials in queries and cookies, and compares the server with one in TypeScript.
package keys_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"log"
	"math/rand"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/keys"
	"example.com/keys/ridl"
)

// service returns the credentials that were verified, as serve-keys.ts does.
type service struct{}

type seenKey struct{}

func seen(ctx context.Context) []string {
	all, _ := ctx.Value(seenKey{}).([]string)
	return append([]string{}, all...)
}

func verify(ctx context.Context, value string) (context.Context, error) {
	if value == "wrong" {
		return nil, ridl.ErrRejected
	}
	return context.WithValue(ctx, seenKey{}, append(seen(ctx), value)), nil
}

func (service) GetStation(ctx context.Context, request *keys.GetStationRequest) (*keys.GetStationResponse, error) {
	return &keys.GetStationResponse{ID: request.ID, Notify: request.Notify, Tags: request.Tags, Seen: seen(ctx)}, nil
}

func (service) List(ctx context.Context, request *keys.ListRequest) (*keys.ListResponse, error) {
	return &keys.ListResponse{Name: request.Name, Seen: seen(ctx)}, nil
}

func (service) Add(ctx context.Context, request *keys.AddRequest) (*keys.AddResponse, error) {
	return &keys.AddResponse{Name: request.Name, Seen: seen(ctx)}, nil
}

func (service) Ping(ctx context.Context, _ *keys.PingRequest) (*keys.PingResponse, error) {
	return &keys.PingResponse{Seen: seen(ctx)}, nil
}

func (service) Me(ctx context.Context) (*keys.MeResponse, error) {
	return &keys.MeResponse{Seen: seen(ctx)}, nil
}

func (service) All(ctx context.Context) (*keys.AllResponse, error) {
	return &keys.AllResponse{Seen: seen(ctx)}, nil
}

func (service) Note(ctx context.Context, request *keys.NoteRequest) (*keys.NoteResponse, error) {
	return &keys.NoteResponse{Text: request.Text, Seen: seen(ctx)}, nil
}

func (service) Watch(ctx context.Context, request *keys.WatchRequest) iter.Seq2[*keys.WatchResponse, error] {
	return func(yield func(*keys.WatchResponse, error) bool) {
		for range request.Count {
			if !yield(&keys.WatchResponse{Seen: seen(ctx)}, nil) {
				return
			}
		}
	}
}

func (service) Join(ctx context.Context, _ *keys.JoinRequest) (*keys.JoinResponse, error) {
	return &keys.JoinResponse{Seen: seen(ctx)}, nil
}

func (service) Look(ctx context.Context, _ *keys.LookRequest) (*keys.LookResponse, error) {
	return &keys.LookResponse{Seen: seen(ctx)}, nil
}

func (service) Open(ctx context.Context) (*keys.OpenResponse, error) {
	return &keys.OpenResponse{Seen: seen(ctx)}, nil
}

func handlerOf(weather keys.Weather) http.Handler {
	return keys.NewKeysHandler(keys.KeysServer{
		Weather:     weather,
		Credentials: keys.Credentials{APIKey: verify, Token: verify, Team: verify, Login: verify, Session: verify, Jar: verify},
	}, ridl.ServerOptions{
		ReadsByGET: true,
		Methods:    map[string]ridl.ServerOptions{"Weather/List": {CacheControl: "max-age=60"}},
	})
}

type rawRequest struct {
	verb, target, body string
	header             []string // Lines.
}

// answer returns the parts of a response in which servers have to agree.
func (r rawRequest) answer(t *testing.T, address string) string {
	connection, err := net.Dial("tcp", strings.TrimPrefix(address, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	lines := append([]string{r.verb + " " + r.target + " HTTP/1.1", "Host: a", "Connection: close", fmt.Sprint("Content-Length: ", len(r.body))}, r.header...)
	fmt.Fprintf(connection, "%s\r\n\r\n%s", strings.Join(lines, "\r\n"), r.body)
	response, err := http.ReadResponse(bufio.NewReader(connection), &http.Request{Method: r.verb})
	if err != nil {
		t.Fatalf("%q: %s", r, err)
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatalf("%q: %s", r, err)
	}
	var value any
	if json.Unmarshal(body, &value) == nil {
		body, _ = json.Marshal(value)
	}
	var header strings.Builder
	for _, name := range []string{"Content-Type", "Allow", "Vary", "Cache-Control", "WWW-Authenticate"} {
		for _, value := range response.Header.Values(name) {
			fmt.Fprintf(&header, "%s: %s\n", name, value)
		}
	}
	return fmt.Sprintf("%d\n%s%s", response.StatusCode, header.String(), body)
}

const isJSON, isForm = "Content-Type: application/json", "Content-Type: application/x-www-form-urlencoded"

func rawRequests() (all []rawRequest) {
	for _, query := range []string{
		"", "?", "?api_key=k", "?api_key=k&notify=true", "?notify=true&api_key=k", "?&&api_key=k&&", "?%61pi%5Fkey=%6B", "?api%5fkey=k&api_key=k", "?api_key=k&api_key=k",
		"?api_key=k&api_key=", "?api_key=k&api_key=k&api_key=k", "?api_key", "?api_key=", "?api_key=+", "?api_key=%20k%20", "?api_key=a+b%26c%3D%C3%A9=", "?api_key=%ff", "?api_key=%ff&api_key=k",
		"?api_key=%zz", "?api_key=%", "?API_KEY=k", "?api_key[]=k", "?api_key=k;notify=true", "?api_key=wrong", "?api_key=k&Token=t&notify=x", "?token=t&api_key=k", "?%ff=a&api_key=k",
		"?api_key=k&tag=a&tag=b", "?tag=api_key&api_key=k", "?api_key=k?notify=true", "?api_key=k&unknown=1", "?tag=%ff&api_key=k", "?api_key=%22k%22", "?api_key=k,k", "?notify=1&api_key=secret",
		"?" + strings.Repeat("a&", 1000) + "api_key=k", "?" + strings.Repeat("a&", 1001) + "api_key=k", "?" + strings.Repeat("api_key=k&", 1001),
	} {
		all = append(all,
			rawRequest{"GET", "/stations/1" + query, "", nil}, rawRequest{"HEAD", "/stations/1" + query, "", nil}, rawRequest{"GET", "/nowhere" + query, "", nil},
			rawRequest{"PUT", "/stations/1" + query, "", nil}, rawRequest{"POST", "/rpc/Weather/Open" + query, "", nil}, rawRequest{"POST", "/rpc/Weather/Watch" + query, `{"count":2}`, []string{isJSON}},
			rawRequest{"POST", "/stations" + query, `{"name":"n"}`, []string{isJSON}}, rawRequest{"POST", "/stations" + query, "", []string{"Sec-Fetch-Site: cross-site"}},
			rawRequest{"POST", "/stations" + query, "", []string{"Sec-Fetch-Site: cross-site", "X-Team: t", "Cookie: sid=s"}},
		)
	}
	for _, query := range []string{"?api_key=k&Token=t", "?Token=t&api_key=k&request={}", "?request=%7B%22name%22:%22n%22%7D&api_key=k&Token=t", "?api_key=k&request={}", "?Token=wrong&api_key=wrong", "?request=%ff&api_key=k&Token=t", "?request={}&api_key=k&request={}&Token=t", "?request&api_key=k&Token=t", "?request=%5B%5D;&api_key=k&Token=t"} {
		all = append(all, rawRequest{"GET", "/rpc/Weather/List" + query, "", nil}, rawRequest{"POST", "/rpc/Weather/List" + query, `{"name":"n"}`, []string{isJSON}})
	}
	for _, cookie := range [][]string{
		nil, {"sid=s"}, {"a=b; sid=s"}, {"a=b;sid=s;c=d"}, {`sid="s"`}, {`sid="s t"`}, {"sid=a=b=="}, {"sid=s%3Aa"}, {"sid="}, {"sid"}, {"SID=s"}, {"sid=s; sid=s"}, {"sid=s; sid"}, {"sid=s; sid="},
		{"xsid=s; sid.x=1"}, {"; ;sid = s ;"}, {"sid=s,sid=t"}, {"a=b", "sid=s"}, {"sid=s", "sid=t"}, {"sid=wrong"}, {"", "sid=s"}, {"a=\"sid=x; sid=s\""}, {"sid=\ts\t"}, {"sid==s"}, {"=s; sid=t"},
	} {
		var lines []string
		for _, each := range cookie {
			lines = append(lines, "Cookie: "+each)
		}
		with := func(more ...string) []string { return append(slices.Clone(lines), more...) }
		all = append(all, rawRequest{"GET", "/me", "", lines}, rawRequest{"GET", "/jar", "", lines}, rawRequest{"POST", "/notes", "text=a", with(isForm)})
		for _, site := range []string{"cross-site", "same-site", "same-origin", "none"} {
			for _, origin := range []string{"Accept: */*", "Origin: https://other.example", "Origin: null"} {
				all = append(all,
					rawRequest{"POST", "/stations/1/ping", "", with("Sec-Fetch-Site: "+site, origin)},
					rawRequest{"POST", "/stations/1/ping", "", with("Sec-Fetch-Site: "+site, origin, isJSON)},
					rawRequest{"POST", "/notes", "text=a", with("Sec-Fetch-Site: "+site, origin, isForm)},
					rawRequest{"POST", "/stations/1/look", "", with("Sec-Fetch-Site: "+site, origin)},
					rawRequest{"POST", "/teams/1/join", "", with("Sec-Fetch-Site: "+site, origin)},
					rawRequest{"POST", "/teams/1/join?api_key=k", "", with("Sec-Fetch-Site: "+site, origin)},
				)
			}
		}
	}
	return all
}

// randomRequests returns requests with several credentials, most of which are wrong in some way.
func randomRequests(seed int64) (all []rawRequest) {
	random := rand.New(rand.NewSource(seed))
	pick := func(from ...string) string { return from[random.Intn(len(from))] }
	for range 1000 {
		var query, header []string
		for range random.Intn(4) {
			query = append(query, pick("api_key", "Token", "api%5Fkey", "token", "tag", "notify", "")+pick("=k", "=", "", "=wrong", "=%6b", "=+", "=%ff", "=true", "==", "=%"))
		}
		for range random.Intn(4) {
			line := pick(
				"X-Team: t", "X-Team:", "X-Team: wrong", "Cookie: sid=s", "Cookie: sid=", "Cookie: a=b; sid=s;sid=s", "Cookie: sid=wrong", "Cookie: a=b",
				"Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site", "Origin: https://other.example", isJSON,
			)
			// Servers in TypeScript ignore what browsers never repeat.
			name, _, _ := strings.Cut(line, ":")
			isSame := func(other string) bool { return strings.HasPrefix(other, name) }
			if name == "Cookie" || name == "X-Team" || !slices.ContainsFunc(header, isSame) {
				header = append(header, line)
			}
		}
		if login := pick("", "", "Authorization: Bearer b", "Authorization: bearer  wrong ", "Authorization: Bearer", "Authorization: Basic b"); login != "" {
			header = append(header, login)
		}
		verb, target, _ := strings.Cut(pick("POST /teams/1/join", "POST /teams/1/join", "POST /stations/1/look", "POST /stations/1/look", "GET /stations/1", "POST /stations", "POST /stations/1/ping", "GET /me", "GET /jar", "GET /rpc/Weather/List", "POST /rpc/Weather/Open"), " ")
		all = append(all, rawRequest{verb, target + "?" + strings.Join(query, "&"), "", header})
	}
	return all
}

func TestServersAgree(t *testing.T) {
	server := httptest.NewServer(handlerOf(service{}))
	defer server.Close()
	seed := time.Now().UnixNano()
	all := append(rawRequests(), randomRequests(seed)...)
	statuses := map[string]int{}
	for _, each := range all {
		want, got := each.answer(t, os.Getenv("KEYS")), each.answer(t, server.URL)
		statuses[want[:3]]++
		if got != want {
			t.Errorf("%.300q\nGo: %.600s\nTypeScript: %.600s", each, got, want)
		} else if got >= "4" && strings.Contains(got, "secret") {
			t.Errorf("%q repeats the key: %s", each, got)
		}
	}
	t.Log("requests:", len(all), "statuses:", statuses, "seed:", seed)
}

// curious reports what handlers see of a request.
type curious struct {
	service
	see func(*http.Request)
}

func (c curious) GetStation(ctx context.Context, request *keys.GetStationRequest) (*keys.GetStationResponse, error) {
	c.see(ridl.RequestOf(ctx).HTTP)
	return nil, errors.New("it fails")
}

func TestNothingElseSeesKeys(t *testing.T) {
	var logged bytes.Buffer
	log.SetOutput(&logged)
	defer log.SetOutput(os.Stderr)
	var found string
	handler := handlerOf(curious{see: func(r *http.Request) {
		_ = r.ParseForm()
		found = fmt.Sprintln(r.URL, r.RequestURI, r.Form, r.URL.Query())
	}})
	for _, target := range []string{"/stations/1?notify=true&api_key=secret", "/stations/1?api_key=secret"} {
		request := httptest.NewRequest("GET", target, nil)
		_ = request.ParseForm()
		handler.ServeHTTP(httptest.NewRecorder(), request)
		want := "/stations/1 /stations/1 map[] map[]\n"
		if strings.Contains(target, "notify") {
			want = "/stations/1?notify=true /stations/1?notify=true map[notify:[true]] map[notify:[true]]\n"
		}
		if found != want {
			t.Error(found)
		}
		if request.RequestURI != target || request.URL.String() != target || request.Form.Get("api_key") != "secret" {
			t.Error("the request of other handlers has changed")
		}
	}
	if !strings.Contains(logged.String(), "it fails") || strings.Contains(logged.String(), "secret") {
		t.Error(logged.String())
	}
}

// recorder answers requests and remembers them.
type recorder struct {
	urls    []string
	headers []http.Header
	answer  func(*http.Request) (*http.Response, error)
}

func (r *recorder) RoundTrip(request *http.Request) (*http.Response, error) {
	r.urls = append(r.urls, request.URL.String())
	r.headers = append(r.headers, request.Header)
	return r.answer(request)
}

func respond(status int, body string, header ...string) *http.Response {
	response := &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}
	for i := 0; i < len(header); i += 2 {
		response.Header.Set(header[i], header[i+1])
	}
	return response
}

func TestClientSendsKeys(t *testing.T) {
	handler := handlerOf(service{})
	sent := &recorder{answer: func(request *http.Request) (*http.Response, error) {
		w := httptest.NewRecorder()
		received := request.Clone(request.Context())
		received.RequestURI = request.URL.RequestURI()
		handler.ServeHTTP(w, received)
		return w.Result(), nil
	}}
	client := keys.NewKeysClient("http://a", ridl.WithHTTPClient(&http.Client{Transport: sent}),
		keys.WithAPIKey(" a&b é\n"), keys.WithToken("t"), keys.WithSession("s=1"), keys.WithTeam(""))
	ctx := context.Background()
	flag, name := true, "n"
	station, err := client.Weather.GetStation(ctx, &keys.GetStationRequest{ID: "1", Notify: &flag, Tags: []string{"x&api_key=y"}})
	if err != nil || !slices.Equal(station.Seen, []string{"a&b é"}) || !slices.Equal(station.Tags, []string{"x&api_key=y"}) {
		t.Error(station, err)
	}
	list, err := client.Weather.List(ctx, &keys.ListRequest{Name: &name})
	if err != nil || !slices.Equal(list.Seen, []string{"a&b é", "t"}) {
		t.Error(list, err)
	}
	if _, err := client.Weather.Add(ctx, &keys.AddRequest{Name: &name}); err != nil {
		t.Error(err)
	}
	for item, err := range client.Weather.Watch(ctx, &keys.WatchRequest{Count: 1}) {
		if err != nil || !slices.Equal(item.Seen, []string{"a&b é"}) {
			t.Error(item, err)
		}
	}
	me, err := client.Weather.Me(ctx)
	if err != nil || !slices.Equal(me.Seen, []string{"s=1"}) {
		t.Error(me, err)
	}
	key := "api_key=a%26b%20%C3%A9"
	want := []string{
		"http://a/stations/1?notify=true&tag=x%26api_key%3Dy&" + key, "http://a/rpc/Weather/List?" + key + "&Token=t", "http://a/stations?" + key,
		"http://a/rpc/Weather/Watch?" + key, "http://a/me",
	}
	if !slices.Equal(sent.urls, want) {
		t.Errorf("%q", sent.urls)
	}
	for i, header := range sent.headers {
		if cookie := header.Get("Cookie"); (cookie == "sid=s=1") != (i == 4) || strings.Contains(fmt.Sprint(header), "a&b") {
			t.Error(header)
		}
	}
	none := keys.NewKeysClient("http://a", ridl.WithHTTPClient(&http.Client{Transport: sent}), keys.WithAPIKey(""))
	if _, err := none.Weather.GetStation(ctx, &keys.GetStationRequest{ID: "1"}); !errors.Is(err, keys.ErrUnauthorized) {
		t.Error(err)
	}
	if last := sent.urls[len(sent.urls)-1]; last != "http://a/stations/1" {
		t.Error(last)
	}
}

func TestErrorsDoNotContainKeys(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, each := range []struct {
		address string
		ctx     context.Context
	}{{"http://127.0.0.1:1", context.Background()}, {"http://a b", context.Background()}, {"ftp://a", context.Background()}, {"http://127.0.0.1:1", ctx}, {"http://a\x7f", context.Background()}} {
		client := keys.NewKeysClient(each.address, keys.WithAPIKey("secret"), keys.WithSession("secret\n\x00"))
		_, err := client.Weather.GetStation(each.ctx, &keys.GetStationRequest{ID: "1"})
		if text := fmt.Sprintf("%v %+v %#v", err, err, err); err == nil || strings.Contains(text, "secret") {
			t.Error(text)
		}
		var failure *url.Error
		if errors.As(err, &failure) && strings.Contains(fmt.Sprintf("%#v", failure), "secret") {
			t.Errorf("%#v", failure)
		}
		if _, err := client.Weather.Me(each.ctx); err == nil || strings.Contains(err.Error(), "secret") {
			t.Error(err)
		}
	}
}

func TestRetriesHaveOneKey(t *testing.T) {
	sent := &recorder{}
	sent.answer = func(*http.Request) (*http.Response, error) {
		if len(sent.urls) < 3 {
			return respond(503, "", "Retry-After", "0"), nil
		}
		return respond(200, `{"id":"1","seen":[]}`), nil
	}
	count := 0
	client := keys.NewKeysClient("http://a", ridl.WithHTTPClient(&http.Client{Transport: sent}), ridl.WithRetry(ridl.Retry{Attempts: 3}),
		keys.WithAPIKeyFrom(func(context.Context) (string, error) { count++; return fmt.Sprint("k", count), nil }))
	if _, err := client.Weather.GetStation(context.Background(), &keys.GetStationRequest{ID: "1"}); err != nil {
		t.Error(err)
	}
	if want := []string{"http://a/stations/1?api_key=k1", "http://a/stations/1?api_key=k2", "http://a/stations/1?api_key=k3"}; !slices.Equal(sent.urls, want) {
		t.Error(sent.urls)
	}
}

func TestRedirectsDoNotContainKeys(t *testing.T) {
	sent := &recorder{answer: func(request *http.Request) (*http.Response, error) {
		if request.URL.Host == "a" {
			return respond(302, "", "Location", "http://b/stations/1"), nil
		}
		return respond(200, `{"id":"1","seen":[]}`), nil
	}}
	ctx, request := context.Background(), &keys.GetStationRequest{ID: "1"}
	still := keys.NewKeysClient("http://a", ridl.WithHTTPClient(&http.Client{Transport: sent}), keys.WithAPIKey("secret"))
	if _, err := still.Weather.GetStation(ctx, request); err == nil || len(sent.urls) != 1 {
		t.Error(err, sent.urls)
	}
	follow := func(next *http.Request, _ []*http.Request) error {
		if strings.Contains(fmt.Sprint(next.URL, next.Header), "secret") {
			t.Error(next.URL, next.Header)
		}
		return nil
	}
	moving := keys.NewKeysClient("http://a", ridl.WithHTTPClient(&http.Client{Transport: sent, CheckRedirect: follow}), keys.WithAPIKey("secret"))
	if _, err := moving.Weather.GetStation(ctx, request); err != nil {
		t.Error(err)
	}
	if last := sent.urls[2]; len(sent.urls) != 3 || last != "http://b/stations/1" || strings.Contains(fmt.Sprint(sent.headers[2]), "secret") {
		t.Error(sent.urls, sent.headers[2])
	}
}
