// Compares a Go server with a TypeScript server of the same contract.
package rest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"math/big"
	"math/rand"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/rest"
	"example.com/rest/ridl"
)

// service returns what it receives, as serve-rest.ts does.
type service struct{}

// printed returns a message in JSON.
func printed(message any) (json.RawMessage, error) { return json.Marshal(message) }

func (service) Form(_ context.Context, request *rest.FormRequest) (*rest.FormResponse, error) {
	received, err := printed(request)
	return &rest.FormResponse{Received: received}, err
}

func (service) Brackets(_ context.Context, request *rest.BracketsRequest) (*rest.BracketsResponse, error) {
	received, err := printed(request)
	return &rest.BracketsResponse{Received: received}, err
}

func (service) Pay(_ context.Context, request *rest.PayRequest) (*rest.PayResponse, error) {
	received, err := printed(request)
	return &rest.PayResponse{Received: received}, err
}

func (service) Put(_ context.Context, request *rest.PutRequest) (*rest.PutResponse, error) {
	return &rest.PutResponse{
		Page: rest.Page{ID: fmt.Sprint(request.ID), Text: request.Text}, Location: fmt.Sprintf("/pages/%d?%s", request.ID, request.Revision),
		Counts: request.Counts, Flag: request.Flag, Words: request.Words,
	}, nil
}

func (service) Read(_ context.Context, request *rest.ReadRequest) (*rest.ReadResponse, error) {
	return &rest.ReadResponse{Page: rest.Page{ID: fmt.Sprint(request.ID)}, Words: request.Words}, nil
}

func (service) Delete(_ context.Context, request *rest.DeleteRequest) (*rest.DeleteResponse, error) {
	return &rest.DeleteResponse{Left: uint64(request.ID)}, nil
}

func (service) Create(_ context.Context, request *rest.CreateRequest) (*rest.CreateResponse, error) {
	switch request.Name {
	case "limit":
		return nil, rest.ErrLimitReached.WithData(&rest.Limit{Left: 1, RetryIn: pointer[uint32](7)})
	case "":
		return &rest.CreateResponse{}, nil
	case "later":
		return &rest.CreateResponse{Ticket: &rest.Ticket{Position: 1}}, nil
	case "both":
		return &rest.CreateResponse{Report: &rest.Report{}, Ticket: &rest.Ticket{Position: 1}}, nil
	}
	return &rest.CreateResponse{Report: &rest.Report{Name: request.Name}}, nil
}

func (service) Replace(_ context.Context, request *rest.ReplaceRequest) (*rest.ReplaceResponse, error) {
	status := map[string]uint16{"new": 201, "wrong": 202}[request.Name]
	return &rest.ReplaceResponse{Status: max(200, status), Report: rest.Report{Name: request.Name}}, nil
}

func (service) Refine(context.Context) error { return nil }

// The server never calls methods that only clients have.
func (service) Check(context.Context, *rest.CheckRequest) (*rest.CheckResponse, error) {
	panic("called")
}

func (service) ReadAgain(context.Context, *rest.ReadAgainRequest) (*rest.ReadAgainResponse, error) {
	panic("called")
}

func (service) Refresh(context.Context, *rest.RefreshRequest) error { return nil }

func (service) Change(_ context.Context, request *rest.ChangeRequest) (*rest.ChangeResponse, error) {
	received, err := printed(request)
	return &rest.ChangeResponse{Received: received}, err
}

// described returns the names, types and contents of files.
func described(files ...*ridl.File) []string {
	all := []string{}
	for _, file := range files {
		text, _ := io.ReadAll(file.Content)
		all = append(all, fmt.Sprintf("%s %s %s", file.Name, file.Type, text))
	}
	return all
}

func (service) Attach(_ context.Context, request *rest.AttachRequest) (*rest.AttachResponse, error) {
	return &rest.AttachResponse{
		Title: request.Title, Tags: request.Tags, Address: request.Address, Counts: request.Counts,
		Files: described(append([]*ridl.File{request.Paper}, request.Photos...)...),
	}, nil
}

func (service) Logos(_ context.Context, request *rest.LogosRequest) (*rest.LogosResponse, error) {
	return &rest.LogosResponse{Labels: request.Labels, Files: described(request.Images...)}, nil
}

// content returns the content of a file, or the error that interrupts it.
func content(file *ridl.File) (string, error) {
	text, err := io.ReadAll(file.Content)
	return string(text), err
}

func (service) Store(_ context.Context, request *rest.StoreRequest) (*rest.StoreResponse, error) {
	text, err := content(request.Content)
	return &rest.StoreResponse{Note: request.Note, Revision: request.Revision, Type: request.Content.Type, Text: text}, err
}

func (service) Scan(_ context.Context, request *rest.ScanRequest) (*rest.ScanResponse, error) {
	if request.Scan == nil {
		return &rest.ScanResponse{}, nil
	}
	text, err := content(request.Scan)
	return &rest.ScanResponse{Type: request.Scan.Type, Text: text}, err
}

func (service) Fetch(_ context.Context, request *rest.FetchRequest) (*rest.FetchResponse, error) {
	return &rest.FetchResponse{File: &ridl.File{Name: request.ID + ".txt", Type: "text/plain", Content: strings.NewReader("content of " + request.ID)}}, nil
}

func (service) Print(_ context.Context, request *rest.PrintRequest) (*rest.PrintResponse, error) {
	text := ""
	if request.Text != nil {
		text = *request.Text
	}
	return &rest.PrintResponse{Sheet: &ridl.File{Type: "text/csv", Content: strings.NewReader(request.ID + ": " + text)}}, nil
}

func (service) Copy(_ context.Context, request *rest.CopyRequest) (*rest.CopyResponse, error) {
	return &rest.CopyResponse{File: request.Source}, nil
}

func (service) Watch(_ context.Context, request *rest.WatchRequest) iter.Seq2[*rest.WatchResponse, error] {
	return func(yield func(*rest.WatchResponse, error) bool) {
		more, _ := printed([]string{request.ID})
		large := new(big.Int).Lsh(big.NewInt(1), 70)
		for n := range request.Count {
			if !yield(&rest.WatchResponse{ID: request.ID, N: n + 1, Large: large, More: more}, nil) {
				return
			}
		}
		if request.Fail != nil && *request.Fail {
			yield(nil, rest.ErrLimitReached.WithData(&rest.Limit{Left: 1, RetryIn: pointer[uint32](7)}))
		}
	}
}

func (service) Tick(_ context.Context, request *rest.TickRequest) iter.Seq2[*rest.TickResponse, error] {
	return func(yield func(*rest.TickResponse, error) bool) {
		count := uint32(1)
		if request.Count != nil {
			count = *request.Count
		}
		for n := range count {
			tick, err := printed([]any{request.ID, n + 1})
			if !yield(&rest.TickResponse{Tick: tick}, err) {
				return
			}
		}
	}
}

func (service) Lines(context.Context) iter.Seq2[*rest.Line, error] {
	return func(func(*rest.Line, error) bool) {}
}

func (service) Beat(_ context.Context, request *rest.BeatRequest) iter.Seq2[*ridl.Empty, error] {
	return func(yield func(*ridl.Empty, error) bool) {
		for range request.Count {
			if !yield(&ridl.Empty{}, nil) {
				return
			}
		}
	}
}

func (service) Nest(context.Context, *rest.NestRequest) error { return nil }

var address string

// All tests call the server in TypeScript, and then the server in Go.
func TestMain(m *testing.M) {
	address = os.Getenv("REST")
	code := m.Run()
	quiet := ridl.ServerOptions{OnError: func(context.Context, error) {}}
	server := httptest.NewServer(rest.NewRestHandler(rest.RestServer{Parts: service{}, Feed: service{}}, quiet))
	address = server.URL
	code += m.Run()
	os.Exit(code)
}

type rawRequest struct {
	verb, target, body string
	header             map[string]string
}

const isForm = "application/x-www-form-urlencoded"

func forms() (all []rawRequest) {
	for _, body := range []string{
		"", "&&", "note", "note=", "note=a+b%20%2B&unknown=1&id=x", "note=a&note=b", "note=%ff", "%ff=a", "note=100%&flag=true", "n%6fte=%c3%a4",
		"tags=a&tags=b", "tags[]=a&tags[]=b", "tags[0]=a&tags[1]=b", "tags[1]=b&tags[0]=a", "tags[1]=a", "tags[0]=a&tags[0]=b", "tags=a&tags[]=b",
		"tags[]=a&tags[0]=b", "tags[]=a&tags[][]=b", "tags[a]=b", "tags[00]=a", "tags[0][0]=a", "tags=%ff&tags=a", "tags", "tags[]",
		"address[street]=a&address[floors]=1&address[floors]=2", "address[floors]=1", "address=a", "address[street]=a&address=b",
		"address[street][a]=b", "address[color]=red&address[street]=", "address[color]=pink&address[street]=", "address[]=a",
		"parcels[0][street]=a&parcels[1][street]=b&parcels[1][floors][]=3", "parcels[0]=a", "parcels[][street]=a", "parcels=a", "parcels[0][floors]=x",
		"parcels[1][street]=a", "counts[a]=1&counts[b]=2", "counts[a]=x", "counts[]=1", "counts[a][b]=1", "counts=1", "counts[__proto__]=1",
		"flag=True", "flag=false", "ratio=1e5", "ratio=0x1", "ratio= 1", "ratio=NaN", "ratio=-0", "ratio=01", "at=2024-02-29T12:00:00.000Z", "at=now",
		"note[=a", "note]=a", "[note]=a", "address[street=a", "address[street]x=a", "address[[street]]=a", "address]=a", "unknown[=a",
		strings.Repeat("x&", 1000) + "note=a", strings.Repeat("x&", 1001), "address" + strings.Repeat("[a]", 98) + "=1", "address" + strings.Repeat("[a]", 100) + "=1",
		"unknown" + strings.Repeat("[a]", 100) + "=1", strings.Repeat("note[a]=1&", 25), "note=\x00", "note=\xff", "=a", "[]=a", "[a]=b",
	} {
		all = append(all, rawRequest{"POST", "/forms/i", body, map[string]string{"Content-Type": isForm}})
		all = append(all, rawRequest{"PUT", "/forms/i", strings.ReplaceAll(body, "address[street]", "street"), map[string]string{"Content-Type": isForm}})
	}
	for _, body := range []string{
		"payment[kind]=card&payment[number]=1", "payment[kind]=transfer&payment[ibans]=a&payment[limit]=3", "payment[kind]=cash", "payment[kind]=cash&payment[number]=1",
		"payment=card", "payment[number]=1", "payment[kind][a]=card", "payment[kind]=card&payment[kind]=card", "payment[kind]=transfer&payment[limit]=x", "",
		"place=home", "place[street]=a", "place[street]=a&place[floors]=1", "place[floors]=1", "place[]=a", "place=a&place[street]=b", "place=", "place=a&place=b",
		"payment[kind]=%ff", "profile[name]=a&profile[x]=y&profile[z]=", "profile[x][y]=z",
		"profile[x]=1&profile[x]=2", "matrix[0]=1&matrix[0]=2&matrix[1]=3", "matrix[0][]=1&matrix[1][0]=2", "matrix=1", "matrix[0]=x",
	} {
		all = append(all, rawRequest{"POST", "/payments", body, map[string]string{"Content-Type": isForm}})
	}
	return all
}

// papers returns forms with files. In each, a part begins with its name and what follows it.
func papers() (all []rawRequest) {
	const paper = "paper\"; filename=\"p.txt|x"
	long := strings.Repeat("a", 600_000)
	for _, parts := range [][]string{
		{paper}, {"title|a\nb", paper, "tags|x", "tags|y"}, {paper, "address[street]|s", "address[floors]|1"}, {paper, "counts[__proto__]|1", "counts[a b]|2"},
		{}, {"title|a"}, {"paper|"}, {"paper|x"}, {"paper\"\r\nContent-Type: \"a/b|x"}, {"paper\"; filename=\"|"}, {"paper\"; filename=\"|x"}, {"paper\"; filename=\"p|"},
		{paper, paper}, {paper, "paper|x"}, {"paper[a]|x"}, {"paper[0]|x"}, {"paper[]|x"}, {paper, "photos|a", "photos|b"}, {"photos[1]|b", paper, "photos[0]|a"}, {paper, "photos[]|a", "photos|b"},
		{paper, "photos[0][a]|b"}, {paper, "photos[2]|a"}, {paper, "photos[|a"}, {paper, "title|a", "title|b"}, {paper, "title\"; filename=\"t|a"}, {paper, "title|\xff"}, {paper, "counts[a]|x"},
		{paper, "address|a"}, {paper, "address[street|a"}, {paper, "address" + strings.Repeat("[a]", 100) + "|a"}, {paper, "unknown|a", "id|b", "json|{}", "__proto__|c"}, {paper, "unknown" + strings.Repeat("[a]", 100) + "|a"},
		{paper, "tags|" + long, "tags|" + long}, {"paper\"; filename=\"p|" + long + long}, {paper, "unknown|" + long + long}, {paper, "counts[%22]|1"}, {paper, "title|\ufeffa"}, {"paper\"; filename=\"%22%0A|x"},
		slices.Repeat([]string{"unknown|a"}, 999), append(slices.Repeat([]string{"tags|a"}, 999), paper), append(slices.Repeat([]string{"unknown|a"}, 1000), paper),
		{paper, "title\"\r\nContent-Transfer-Encoding: \"quoted-printable|=41"},
	} {
		var body strings.Builder
		for _, part := range parts {
			head, content, _ := strings.Cut(part, "|")
			if strings.Contains(head, "\r\n") {
				head = strings.Replace(head, ": \"", ": ", 1)
			} else {
				head += "\""
			}
			body.WriteString("--b\r\nContent-Disposition: form-data; name=\"" + head + "\r\n\r\n" + content + "\r\n")
		}
		body.WriteString("--b--\r\n")
		header := map[string]string{"Content-Type": "multipart/form-data; boundary=b"}
		all = append(all, rawRequest{"POST", "/papers/i", body.String(), header})
		images := strings.NewReplacer("name=\"photos", "name=\"images", "name=\"paper", "name=\"images", "name=\"tags", "name=\"labels").Replace(body.String())
		all = append(all, rawRequest{"PUT", "/logos", images, header})
	}
	form := map[string]string{"Content-Type": "multipart/form-data; boundary=b"}
	// Bodies that end early, also between two parts.
	whole := "--b\r\nContent-Disposition: form-data; name=\"paper\"\r\n\r\nx\r\n--b\r\nContent-Disposition: form-data; name=\"tags\"\r\n\r\ny\r\n--b--"
	for end := range whole {
		all = append(all, rawRequest{"POST", "/papers/i", whole[:end], form})
	}
	return append(all, []rawRequest{
		{"PUT", "/logos", "", nil}, {"POST", "/papers/i", "", nil}, {"POST", "/papers/i", "x", nil}, {"POST", "/papers/i", "", form}, {"POST", "/papers/i", "x", form},
		{"POST", "/papers/i", "--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--", form}, {"POST", "/papers/i", "title=a", map[string]string{"Content-Type": isForm}},
		{"POST", "/papers/i", "{}", map[string]string{"Content-Type": "application/json"}}, {"POST", "/papers/i", "--b--", map[string]string{"Content-Type": "multipart/form-data"}},
		{"POST", "/papers/i", "--b--", map[string]string{"Content-Type": "multipart/form-data; boundary=b", "Sec-Fetch-Site": "cross-site"}}, {"POST", "/papers/i", "", map[string]string{"Sec-Fetch-Site": "cross-site"}},
	}...)
}

// documents returns requests whose body is a file, and those whose response is one.
func documents() (all []rawRequest) {
	long := strings.Repeat("a", 2<<20)
	for _, pairs := range [][]string{
		nil, {"Content-Type", "text/csv; charset=utf-8"}, {"Content-Type", "application/json"}, {"Content-Type", "x"}, {"Content-Type", "multipart/form-data; boundary=b"},
		{"Content-Encoding", "gzip"}, {"Content-Encoding", "Identity", "Content-Type", "a/b"}, {"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "cross-site", "Content-Type", "text/plain"},
	} {
		header := map[string]string{"If-Match": "r"}
		for i := 0; i < len(pairs); i += 2 {
			header[pairs[i]] = pairs[i+1]
		}
		for _, body := range []string{"", "x", "{}", "null", "\xff\r\n", "\ufeffx", "note=a&content=b"} {
			all = append(all, rawRequest{"PUT", "/documents/i?note=n&content=c", body, header}, rawRequest{"POST", "/scans", body, header}, rawRequest{"POST", "/copies", body, header})
		}
	}
	csv := map[string]string{"Content-Type": "text/csv"}
	return append(all, []rawRequest{
		{"PUT", "/documents/i", "x", csv}, {"PUT", "/documents/i", "", nil}, {"PUT", "/documents/i?note=%ff", "x", map[string]string{"If-Match": "r"}}, {"POST", "/scans", long, csv}, {"POST", "/copies", long, csv},
		{"POST", "/scans", strings.Repeat("a", 32<<20), nil}, {"POST", "/scans", strings.Repeat("a", 32<<20+1), nil}, {"POST", "/scans", strings.Repeat("a", 33<<20), csv},
		{"GET", "/documents/7/content", "", nil}, {"HEAD", "/documents/7/content", "", nil}, {"GET", "/documents/%00/content", "", nil}, {"GET", "/documents/7/content", "", map[string]string{"If-None-Match": "*"}},
		{"POST", "/documents/7/content", "", nil}, {"POST", "/documents/7/print", `{"text":"t"}`, map[string]string{"Content-Type": "application/json"}}, {"POST", "/documents/7/print", "", nil}, {"POST", "/documents/7/print", `{"text":1}`, map[string]string{"Content-Type": "application/json"}},
		{"HEAD", "/copies", "", nil}, {"GET", "/copies", "", nil},
	}...)
}

// clocks returns requests for streams.
func clocks() []rawRequest {
	asJSON := map[string]string{"Content-Type": "application/json"}
	watch := func(body string) rawRequest { return rawRequest{"POST", "/clocks/i", body, asJSON} }
	return []rawRequest{
		watch(`{"count":0}`), watch(`{"count":2}`), watch(`{"count":2,"fail":true}`), watch(`{"count":0,"fail":true}`), watch(`{"count":-1}`), watch(`{}`), watch(``), watch(`{"count":2`),
		{"POST", "/clocks/i", `{"count":1}`, nil}, {"POST", "/clocks/%00%0a%c3%a9", `{"count":1}`, asJSON}, {"GET", "/clocks/i", "", nil}, {"HEAD", "/clocks/i", "", nil},
		{"POST", "/clocks/i", `{"count":1}`, map[string]string{"Content-Type": "application/json", "Accept": "text/plain"}}, {"POST", "/clocks/i", "", map[string]string{"Sec-Fetch-Site": "cross-site"}},
		{"GET", "/ticks/i", "", nil}, {"GET", "/ticks/%0d%0adata:x?count=3", "", nil}, {"GET", "/ticks/i?count=x", "", nil}, {"GET", "/ticks/i?count=0", "", nil}, {"HEAD", "/ticks/i", "", nil}, {"HEAD", "/ticks/i?count=x", "", nil},
		{"GET", "/ticks/i", "", map[string]string{"Accept": "text/event-stream", "Last-Event-ID": "7", "Sec-Fetch-Site": "cross-site"}},
		{"GET", "/beats?count=2", "", nil}, {"GET", "/beats", "", nil}, {"DELETE", "/beats", "", nil},
	}
}

func rawRequests() []rawRequest {
	asJSON, asForm := map[string]string{"Content-Type": "application/json"}, map[string]string{"Content-Type": isForm + "; charset=utf-8"}
	with := func(base map[string]string, pairs ...string) map[string]string {
		all := map[string]string{}
		for name, value := range base {
			all[name] = value
		}
		for i := 0; i < len(pairs); i += 2 {
			all[pairs[i]] = pairs[i+1]
		}
		return all
	}
	put := func(query, body string, pairs ...string) rawRequest {
		return rawRequest{"PUT", "/pages/7" + query, body, with(with(asJSON, "If-Match", "r", "X-Counts", "1"), pairs...)}
	}
	read := func(target string, pairs ...string) rawRequest {
		return rawRequest{"GET", target, "", with(nil, pairs...)}
	}
	return append(append(append(append(forms(), papers()...), documents()...), clocks()...), []rawRequest{
		{"POST", "/forms/i", "note=a", nil}, {"POST", "/forms/i", "", nil}, {"POST", "/forms/i", "note=a", asForm}, {"POST", "/forms/i", "{}", asJSON},
		{"POST", "/forms/i", "", with(nil, "Sec-Fetch-Site", "cross-site")}, {"POST", "/forms/i", "a=b", with(asForm, "Sec-Fetch-Site", "same-site")},
		{"PUT", "/forms/i", "street=b", with(asForm, "Sec-Fetch-Site", "cross-site")}, {"POST", "/forms/i", "a=b", with(asForm, "Sec-Fetch-Site", "same-origin")},
		{"POST", "/forms/%2F%20", "", nil}, {"POST", "/forms/%ff", "", nil}, {"POST", "/forms/a%2", "", nil},
		put("", `{"text":"t"}`), put("?tags=a,b&word=c&word=d%2C", `{"text":"t"}`), put("?tags=a&tags=b,c", `{"text":"t"}`), put("?tags=", `{"text":"t"}`),
		put("?word=", `{"text":"t"}`), put("?tags=%ff", `{"text":"t"}`), put("?tags=%2c", `{"text":"t"}`), put("", `{"text":"t","id":8,"tags":["x"],"words":["y"],"revision":"z","flag":true,"more":1}`),
		put("", `{"text":1}`), put("", `{"text":null}`), put("", ``), put("", `[]`), put("", `{"text":"t"`), put("", "{\"text\":\"\xff\"}"), put("", "\ufeff{\"text\":\"t\"}"),
		put("", `{"text":"t"} x`), put("", `{"text":"a","text":"b"}`), put("", `{"text":"t"}`, "X-Counts", ""), put("", `{"text":"t"}`, "X-Counts", "1 , 2,3"), put("", `{"text":"t"}`, "X-Counts", "1,,2"),
		put("", `{"text":"t"}`, "X-Counts", "x"), put("", `{"text":"t"}`, "X-Counts", "-1"), put("", `{"text":"t"}`, "X-Flag", "true"), put("", `{"text":"t"}`, "X-Flag", "TRUE"), put("", `{"text":"t"}`, "X-Flag", ""),
		put("", `{"text":"t"}`, "If-Match", ""), put("", `{"text":"t"}`, "If-Match", "a b"), put("?word=%22%0a%0d", `{"text":"t"}`), put("?word=a,b", `{"text":"t"}`), put("?word=%00", `{"text":"t"}`),
		put("", `{"text":`+strings.Repeat("[", 200)+strings.Repeat("]", 200)+`}`), put("?"+strings.Repeat("a&", 1001), `{"text":"t"}`),
		{"PUT", "/pages/7", `{"text":"t"}`, asJSON}, {"PUT", "/pages/7", `{"text":"t"}`, with(nil, "If-Match", "r")}, {"PUT", "/pages/x", `{"text":"t"}`, with(asJSON, "If-Match", "r")},
		{"PUT", "/pages/7", "text=t", map[string]string{"Content-Type": "text/plain", "If-Match": "r"}},
		read("/pages/7"), read("/pages/7?words=a&words=b"), read("/pages/7", "X-Word", "a"), {"HEAD", "/pages/7", "", nil}, {"HEAD", "/pages/x", "", nil}, read("/pages/8?words=%0a"), read("/pages/1?words=%c3%a9"),
		read("/pages/7", "Content-Type", "text/plain"), {"DELETE", "/pages/7", "", nil}, {"DELETE", "/pages/7", "x", nil}, {"DELETE", "/pages/7", "{}", asJSON}, {"DELETE", "/pages/7", "", with(nil, "Content-Type", "text/plain")},
		{"PATCH", "/pages/7", "", nil}, {"POST", "/pages/7", "", nil}, {"OPTIONS", "/pages/..", "", nil}, {"DELETE", "/pages/%2e%2E", "", nil}, {"DELETE", "/pages/", "", nil}, {"DELETE", "/pages/all", "", nil}, {"GET", "/pages/all", "", nil},
		{"PATCH", "/pages/all", "", nil},
		{"POST", "/reports", `{"name":"a"}`, asJSON}, {"POST", "/reports", `{"name":"later"}`, asJSON}, {"POST", "/reports", `{"name":""}`, asJSON}, {"POST", "/reports", `{"name":"limit"}`, asJSON},
		{"POST", "/reports", `{"name":"both"}`, asJSON}, {"POST", "/reports", "", with(nil, "Sec-Fetch-Site", "cross-site")}, {"POST", "/reports", `{"name":"a"}`, with(asJSON, "Sec-Fetch-Site", "cross-site")},
		{"PUT", "/reports/new", "", nil}, {"PUT", "/reports/old", "", nil}, {"PUT", "/reports/wrong", "", nil}, {"PUT", "/reports/a", "garbage", nil}, {"PUT", "/reports/a", "garbage", asJSON},
		{"POST", "/reports/a/refresh", "", nil}, {"POST", "/reports/a/refresh", "", with(nil, "Sec-Fetch-Site", "cross-site")}, {"POST", "/reports/a/refresh", "x", with(nil, "Content-Type", "text/plain")},
		{"PATCH", "/reports/a", `{"name":"b"}`, asJSON}, {"PATCH", "/reports/a", "", nil}, {"PATCH", "/reports/a", "null", asJSON}, {"PATCH", "/reports/a", "[]", asJSON}, {"PATCH", "/reports/a", `"b"`, asJSON}, {"PATCH", "/reports/a", `{"name":"b"},"name":"c"`, asJSON},
		{"PATCH", "/reports/a", `{"name":` + strings.Repeat("[", 98) + strings.Repeat("]", 98) + `}`, asJSON}, {"PATCH", "/reports/a", strings.Repeat("[", 100) + strings.Repeat("]", 100), asJSON}, {"PATCH", "/reports/a", strings.Repeat("[", 101) + strings.Repeat("]", 101), asJSON},
		{"PATCH", "/reports/a", `{"name":"` + strings.Repeat("a", 1<<20) + `"}`, asJSON}, {"POST", "/nests", "items[0][items][0][note]=a", asForm}, {"POST", "/nests", "items[0]=", asForm},
	}...)
}

// randomForms returns forms and queries that are mostly invalid.
func randomForms(seed int64) (all []rawRequest) {
	random := rand.New(rand.NewSource(seed))
	pick := func(from string) string {
		all := strings.Split(from, " ")
		return all[random.Intn(len(all))]
	}
	form, put := map[string]string{"Content-Type": isForm}, map[string]string{"Content-Type": "application/json", "If-Match": "r"}
	for range 500 {
		var body strings.Builder
		for range random.Intn(5) + 1 {
			body.WriteString(pick("note tags flag ratio address parcels counts street floors payment place profile matrix items"))
			for range random.Intn(4) {
				body.WriteString(pick("[] [0] [1] [street] [floors] [kind] [number] [ibans] [limit] [name] [a] [items] [ ] %5B0%5D"))
			}
			body.WriteString(pick("= = = ==") + pick("a 1 true card transfer red %ff + 1.5 1e3 %31 null  ") + pick("& & && ;"))
		}
		target := pick("/forms/i /payments /nests")
		all = append(all, rawRequest{"POST", target, body.String(), form})
		query := pick("tags word x") + pick("= =, =a,b =%ff =a+b ") + "&" + pick("tags word") + pick("=1 = =%2C =% =%4")
		all = append(all, rawRequest{"PUT", "/pages/" + pick("1 x 007 1.0 1e2 %31 -1") + "?" + query, `{"text":"a"}`, put})
	}
	return all
}

// answer returns the parts of a response in which servers have to agree.
func (r rawRequest) answer(t *testing.T, server string) string {
	request, err := http.NewRequest(r.verb, server+r.target, strings.NewReader(r.body))
	if err != nil {
		// The package rejects the target.
		return err.Error()[:0]
	}
	for name, value := range r.header {
		request.Header.Set(name, value)
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(r, err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(r, err)
	}
	var value any
	if json.Unmarshal(body, &value) == nil {
		body, _ = json.Marshal(value)
	}
	var header strings.Builder
	for _, name := range []string{"Content-Type", "X-Content-Type-Options", "Allow", "Location", "X-Counts", "X-Flag", "X-Words", "X-Left", "X-Retry-In", "Vary", "Cache-Control"} {
		for _, value := range response.Header.Values(name) {
			fmt.Fprintf(&header, "%s: %s\n", name, value)
		}
	}
	// Languages describe what is wrong with JSON in different words.
	before, _, isSyntax := strings.Cut(string(body), "is not JSON")
	if isSyntax {
		body = []byte(before)
	}
	return fmt.Sprintf("%d\n%s%s", response.StatusCode, header.String(), body)
}

func TestServersAgree(t *testing.T) {
	if address == os.Getenv("REST") {
		t.Skip("both servers are called")
	}
	seed := time.Now().UnixNano()
	all := append(rawRequests(), randomForms(seed)...)
	for _, each := range all {
		want, got := each.answer(t, os.Getenv("REST")), each.answer(t, address)
		if got != want {
			each.body = each.body[:min(len(each.body), 200)]
			t.Errorf("%.300q\nGo: %.600s\nTypeScript: %.600s", each, got, want)
		}
	}
	t.Log("requests:", len(all), "seed:", seed)
}

// A form of the largest size takes no longer than another body.
func TestLargeForms(t *testing.T) {
	for _, body := range []string{
		strings.Repeat("&", 1<<20-1),
		"note=" + strings.Repeat("%", 1<<20-10),
		strings.Repeat("tags[0]=a&", 999),
		"address" + strings.Repeat("[a]", 300_000) + "=b",
		strings.Repeat("counts"+strings.Repeat("[a]", 90)+"=1&", 999),
	} {
		start := used()
		raw := rawRequest{"POST", "/forms/i", body, map[string]string{"Content-Type": isForm}}
		raw.answer(t, address)
		if took := used() - start; took > time.Second {
			t.Errorf("%.20s took %s", body, took)
		}
	}
}

// A handler before the server can set headers, which the server must not replace or misread.
func TestHeadersSetBefore(t *testing.T) {
	server := rest.NewRestHandler(rest.RestServer{Parts: service{}, Feed: service{}}, ridl.ServerOptions{CacheControl: "public"})
	answer := func(known string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		w.Header().Set("Vary", "Origin")
		w.Header().Set("ETag", `"a"`)
		r := httptest.NewRequest("GET", "/pages/7", nil)
		r.Header.Set("If-None-Match", known)
		server.ServeHTTP(w, r)
		return w
	}
	for known, want := range map[string]int{`"a"`: 304, `W/"a"`: 304, `"b", "a"`: 304, "*": 304, `"b"a"`: 200, `"b"`: 200} {
		if w := answer(known); w.Code != want || w.Header().Get("Vary") != "Origin, X-Word" {
			t.Errorf("%s: got %d and Vary %q", known, w.Code, w.Header().Values("Vary"))
		}
	}
}
