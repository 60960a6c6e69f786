// Tests where clients put the parts of requests, and read those of responses.
package rest_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net/http"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/rest"
	"example.com/rest/ridl"
)

var ctx = context.Background()

// used returns the CPU time of the process, which does not depend on what else the machine does.
func used() time.Duration {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func parts(options ...ridl.Option) rest.Parts {
	return rest.NewRestClient(address, options...).Parts
}

type transport func(*http.Request) *http.Response

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r), nil }

// mock returns a client of a server with only one response.
func mock(status int, body string, header http.Header) rest.Parts {
	respond := func(*http.Request) *http.Response {
		return &http.Response{StatusCode: status, Body: io.NopCloser(strings.NewReader(body)), Header: header, ContentLength: -1}
	}
	return rest.NewRestClient("http://host/", ridl.WithHTTPClient(&http.Client{Transport: transport(respond)})).Parts
}

// sent returns the request of a call to a server that fails, and its body.
func sent(t *testing.T, call func(rest.Parts) error, options ...ridl.Option) (*http.Request, string) {
	var request *http.Request
	var body []byte
	respond := func(r *http.Request) *http.Response {
		request = r
		body, _ = io.ReadAll(r.Body)
		return &http.Response{StatusCode: 500, Body: http.NoBody, Header: http.Header{}}
	}
	options = append(options, ridl.WithHTTPClient(&http.Client{Transport: transport(respond)}))
	client := rest.NewRestClient("http://host/", options...)
	if err := call(client.Parts); err == nil || request == nil {
		t.Fatal("no request was sent:", err)
	}
	return request, string(body)
}

func equal(t *testing.T, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v instead of %v", got, want)
	}
}

func success[T any](t *testing.T) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func pointer[T any](value T) *T { return &value }

func isSameJSON(one, other []byte) bool {
	var a, b any
	return json.Unmarshal(one, &a) == nil && json.Unmarshal(other, &b) == nil && reflect.DeepEqual(a, b)
}

func TestForms(t *testing.T) {
	for _, fields := range []string{
		`{"note":"ä & = + % 😀"}`,
		`{"note":""}`,
		`{"flag":false,"ratio":1e21,"tags":["a","","c,d"]}`,
		`{"address":{"street":"s","floors":[0,4294967295],"color":"blue"}}`,
		`{"parcels":[{"street":"a"},{"street":"b","floors":[1,2]}]}`,
		`{"counts":{"a b":1,"":2,"__proto__":3}}`,
	} {
		text := `{"id":"a/b",` + fields[1:]
		var request rest.FormRequest
		if err := json.Unmarshal([]byte(text), &request); err != nil {
			t.Fatal(err)
		}
		if got := success[*rest.FormResponse](t)(parts().Form(ctx, &request)).Received; !isSameJSON(got, []byte(text)) {
			t.Errorf("got %s instead of %s", got, text)
		}
	}
}

func TestFormWithTimeAndWithoutPairs(t *testing.T) {
	at := time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC)
	got := success[*rest.FormResponse](t)(parts().Form(ctx, &rest.FormRequest{ID: "a", At: &at})).Received
	var received struct{ At time.Time }
	if err := json.Unmarshal(got, &received); err != nil || !received.At.Equal(at) {
		t.Error(string(got), err)
	}
	empty := &rest.FormRequest{ID: "a", Tags: []string{}, Counts: map[string]uint32{}}
	if got := success[*rest.FormResponse](t)(parts().Form(ctx, empty)).Received; !isSameJSON(got, []byte(`{"id":"a"}`)) {
		t.Error(string(got))
	}
}

func TestListsWithBrackets(t *testing.T) {
	color := rest.ColorRed
	address := &rest.Address{Street: "s", Floors: []uint32{1, 2}, Color: &color}
	got := success[*rest.BracketsResponse](t)(parts().Brackets(ctx, &rest.BracketsRequest{ID: "a", Address: address}))
	want := `{"id":"a","address":{"street":"s","floors":[1,2],"color":"red"}}`
	if !isSameJSON(got.Received, []byte(want)) {
		t.Error(string(got.Received))
	}
	request, body := sent(t, func(client rest.Parts) error {
		_, err := client.Brackets(ctx, &rest.BracketsRequest{ID: "a", Address: address})
		return err
	})
	equal(t, body, "street=s&floors%5B%5D=1&floors%5B%5D=2&color=red")
	equal(t, request.Header.Get("Content-Type"), "application/x-www-form-urlencoded")
}

func TestFormsWithFiles(t *testing.T) {
	file := func(name, kind, text string) *ridl.File {
		return &ridl.File{Name: name, Type: kind, Content: strings.NewReader(text)}
	}
	title := "a\nb\r\nä & %22"
	response, err := parts().Attach(ctx, &rest.AttachRequest{
		ID: "i", Title: &title, Tags: []string{"", "c,d"}, Address: &rest.Address{Street: "s", Floors: []uint32{1, 2}},
		Counts: map[string]uint32{"__proto__": 1, "a \"b": 2}, Paper: file("p\"q.txt", "text/plain", "x"), Photos: []*ridl.File{file("", "", "y"), file("z", "", "")},
	})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, *response.Title, title)
	equal(t, response.Tags, []string{"", "c,d"})
	equal(t, response.Counts, map[string]uint32{"__proto__": 1, "a \"b": 2})
	equal(t, response.Files, []string{"p\"q.txt text/plain x", "photos application/octet-stream y", "z application/octet-stream "})
	logos, err := parts().Logos(ctx, &rest.LogosRequest{Labels: []string{"l"}, Images: []*ridl.File{file("i", "", "x")}})
	equal(t, []any{err, logos.Labels, logos.Files}, []any{nil, []string{"l"}, []string{"i application/octet-stream x"}})
	request, body := sent(t, func(parts rest.Parts) error {
		_, err := parts.Logos(ctx, &rest.LogosRequest{Labels: []string{"l"}, Images: []*ridl.File{file("i", "", "x")}})
		return err
	})
	_, isParts := strings.CutPrefix(request.Header.Get("Content-Type"), "multipart/form-data; boundary=")
	equal(t, []bool{isParts, strings.Contains(body, `name="labels[]"`), strings.Contains(body, `name="images[]"; filename="i"`)}, []bool{true, true, true})
	request, body = sent(t, func(parts rest.Parts) error {
		_, err := parts.Logos(ctx, &rest.LogosRequest{})
		return err
	})
	equal(t, []string{request.Header.Get("Content-Type"), body}, []string{"", ""})
	for _, name := range []string{`\`, "%22"} {
		_, err = parts().Attach(ctx, &rest.AttachRequest{ID: "i", Paper: file("", "", ""), Counts: map[string]uint32{name: 1}})
		if err == nil || !strings.Contains(err.Error(), "cannot contain the name") {
			t.Error(err)
		}
	}
}

func TestFilesAsBodies(t *testing.T) {
	note := "ä"
	file := func(kind, text string) *ridl.File {
		return &ridl.File{Name: "ignored", Type: kind, Content: strings.NewReader(text)}
	}
	stored, err := parts().Store(ctx, &rest.StoreRequest{ID: "a/b", Note: &note, Revision: "r", Content: file("text/csv", "a,b\r\n")})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, []string{*stored.Note, stored.Revision, stored.Type, stored.Text}, []string{note, "r", "text/csv", "a,b\r\n"})
	for _, scan := range []*ridl.File{nil, file("", ""), file("", "x"), {Type: "a/b", Size: 3, Content: strings.NewReader("abc")}} {
		want := []string{"", ""}
		if scan != nil {
			text := map[int64]string{0: "x", 3: "abc"}[scan.Size]
			if reader, _ := scan.Content.(*strings.Reader); reader.Len() == 0 {
				text = ""
			}
			want = []string{map[string]string{"": "application/octet-stream"}[scan.Type] + scan.Type, text}
		}
		scanned, err := parts().Scan(ctx, &rest.ScanRequest{Scan: scan})
		if err != nil {
			t.Fatal(err)
		}
		equal(t, []string{scanned.Type, scanned.Text}, want)
	}
	if _, err := parts().Store(ctx, &rest.StoreRequest{ID: "a", Revision: "r"}); err == nil || !strings.Contains(err.Error(), "a file") {
		t.Error(err)
	}
	long := strings.Repeat("ab", 3<<20)
	copied, err := parts().Copy(ctx, &rest.CopyRequest{Source: file("x/y", long)})
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(copied.File.Content)
	equal(t, []any{err, copied.File.Type, string(text) == long, copied.File.Close()}, []any{nil, "x/y", true, nil})
	_, err = parts().Scan(ctx, &rest.ScanRequest{Scan: file("", strings.Repeat("a", 33<<20))})
	if err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Error(err)
	}
}

func TestDownloadsWithAnAddress(t *testing.T) {
	fetched, err := parts().Fetch(ctx, &rest.FetchRequest{ID: "7"})
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(fetched.File.Content)
	equal(t, []any{err, fetched.File.Name, fetched.File.Type, string(text), fetched.File.Close()}, []any{nil, "7.txt", "text/plain", "content of 7", nil})
	words := "w"
	printed, err := parts().Print(ctx, &rest.PrintRequest{ID: "7", Text: &words})
	if err != nil {
		t.Fatal(err)
	}
	text, err = io.ReadAll(printed.Sheet.Content)
	equal(t, []any{err, printed.Sheet.Name, printed.Sheet.Type, string(text)}, []any{nil, "", "text/csv", "7: w"})
	failing := mock(404, `{"error":"WebrpcBadRoute","code":-2,"msg":"bad route","status":404}`, http.Header{})
	if _, err := failing.Fetch(ctx, &rest.FetchRequest{ID: "7"}); !errors.Is(err, ridl.ErrBadRoute) {
		t.Error(err)
	}
}

func TestFormsThatCannotBeWritten(t *testing.T) {
	request := &rest.FormRequest{ID: "a", Counts: map[string]uint32{"secret]": 1}}
	if _, err := parts().Form(ctx, request); err == nil || strings.Contains(err.Error(), "secret") {
		t.Error(err)
	}
	hollow := &rest.NestRequest{Items: []rest.Nest{{Items: []rest.Nest{}}}}
	if err := parts().Nest(ctx, hollow); err == nil || !strings.Contains(err.Error(), "empty items") {
		t.Error(err)
	}
}

func TestDeepForms(t *testing.T) {
	nest := rest.Nest{Note: pointer("deep")}
	for range 400 {
		nest = rest.Nest{Items: []rest.Nest{nest, {Note: pointer("")}}}
	}
	start := used()
	_, body := sent(t, func(client rest.Parts) error {
		return client.Nest(ctx, &rest.NestRequest{Items: []rest.Nest{nest}})
	})
	equal(t, strings.Count(body, "&"), 400)
	if took := used() - start; took > time.Second {
		t.Error("it took", took)
	}
}

func TestHeaders(t *testing.T) {
	client := parts(ridl.WithHeader("If-Match", "another"), ridl.WithHeader("x-flag", "false"))
	request := &rest.PutRequest{
		ID: 7, Tags: []string{"a b", "c"}, Words: []string{"d e", "f"}, Revision: `"r 1"`, Counts: []uint32{1, 2},
		Flag: pointer(true), Text: "t",
	}
	put := success[*rest.PutResponse](t)(client.Put(ctx, request))
	equal(t, put, &rest.PutResponse{
		Page: rest.Page{ID: "7", Text: "t"}, Location: `/pages/7?"r 1"`, Counts: []uint32{1, 2}, Flag: pointer(true),
		Words: []string{"d e", "f"},
	})
}

// asksForJSON is the header of calls.
const asksForJSON = "application/json, */*;q=0.1"

func TestPartsOfRequest(t *testing.T) {
	put := func(request *rest.PutRequest) func(rest.Parts) error {
		return func(client rest.Parts) error {
			_, err := client.Put(ctx, request)
			return err
		}
	}
	request, body := sent(t, put(&rest.PutRequest{
		ID: 7, Tags: []string{"a b", "c&"}, Words: []string{"d,e", "f"}, Revision: "r", Counts: []uint32{1, 2}, Text: "t",
	}))
	equal(t, request.Method, "PUT")
	equal(t, request.URL.RequestURI(), "/pages/7?tags=a%20b,c%26&word=d%2Ce&word=f&beta=true")
	equal(t, request.Header, http.Header{
		"Accept": {asksForJSON}, "Content-Type": {"application/json"}, "If-Match": {"r"}, "X-Counts": {"1,2"},
	})
	equal(t, body, `{"text":"t"}`)
	empty, _ := sent(t, put(&rest.PutRequest{ID: 7, Revision: "", Counts: []uint32{}}))
	equal(t, empty.URL.RequestURI(), "/pages/7?beta=true")
	equal(t, empty.Header, http.Header{"Accept": {asksForJSON}, "Content-Type": {"application/json"}, "If-Match": {""}})
}

func TestValuesThatAreNotAllowed(t *testing.T) {
	for _, revision := range []string{" secret", "secret ", "secret\r\nX-Key: b", "sécret", "secret\x00", "secret\x7f"} {
		_, err := parts().Put(ctx, &rest.PutRequest{ID: 1, Revision: revision})
		if err == nil || err.Error() != "Parts.Put: header If-Match contains characters that are not allowed" {
			t.Error(revision, err)
		}
	}
	_, err := parts().Put(ctx, &rest.PutRequest{ID: 1, Revision: "r", Tags: []string{"a,secret"}})
	if err == nil || !strings.Contains(err.Error(), "tags") || strings.Contains(err.Error(), "secret") {
		t.Error(err)
	}
	for _, id := range []string{"", ".", ".."} {
		if _, err := parts().Form(ctx, &rest.FormRequest{ID: id}); err == nil {
			t.Errorf("%q is in the path", id)
		}
	}
}

func TestEmptyListsInHeaders(t *testing.T) {
	put := success[*rest.PutResponse](t)(parts().Put(ctx, &rest.PutRequest{ID: 1, Revision: "r", Words: []string{}}))
	equal(t, put.Counts, []uint32{})
	equal(t, put.Words, []string(nil))
}

func TestResponseOfHeaders(t *testing.T) {
	left := success[*rest.DeleteResponse](t)(parts().Delete(ctx, &rest.DeleteRequest{ID: math.MaxUint32})).Left
	equal(t, left, uint64(math.MaxUint32))
	exact := mock(204, "", http.Header{"X-Left": {"18446744073709551615"}})
	equal(t, success[*rest.DeleteResponse](t)(exact.Delete(ctx, &rest.DeleteRequest{})).Left, uint64(math.MaxUint64))
	for _, header := range []http.Header{
		{}, {"X-Left": {"a"}}, {"X-Left": {"1.5"}}, {"X-Left": {"1,2"}}, {"X-Left": {"NaN"}}, {"X-Left": {"1", "2"}},
		{"X-Left": {`"1"`}}, {"X-Left": {`1,"left":2`}}, {"X-Left": {""}},
	} {
		_, err := mock(204, "", header).Delete(ctx, &rest.DeleteRequest{})
		expectBadResponse(t, err, 204)
	}
}

func expectBadResponse(t *testing.T, err error, status int) {
	t.Helper()
	var failure *ridl.Error
	if !errors.As(err, &failure) || failure.Reason != "bad-response" || failure.Status != status {
		t.Error(status, err)
	}
}

// Splitting a header takes time in proportion to its length.
func TestLongHeaders(t *testing.T) {
	start, spaces := used(), strings.Repeat(" ", 100_000)
	header := http.Header{
		"Location": {"/"}, "X-Counts": {"1" + strings.Repeat(", 1", 100_000)}, "X-Words": {"a" + spaces + "b," + spaces + "c"},
	}
	client := mock(200, `{"pageID":"1","text":""}`, header)
	put := success[*rest.PutResponse](t)(client.Put(ctx, &rest.PutRequest{Revision: "r"}))
	equal(t, put.Words, []string{"a" + spaces + "b", "c"})
	equal(t, len(put.Counts), 100_001)
	if took := used() - start; took > time.Second {
		t.Error("it took", took)
	}
}

func TestStatuses(t *testing.T) {
	create := func(name string) *rest.CreateResponse {
		return success[*rest.CreateResponse](t)(parts().Create(ctx, &rest.CreateRequest{Name: name}))
	}
	equal(t, create("a"), &rest.CreateResponse{Report: &rest.Report{Name: "a"}})
	equal(t, create("later"), &rest.CreateResponse{Ticket: &rest.Ticket{Position: 1}})
	equal(t, create(""), &rest.CreateResponse{})
	for name, status := range map[string]uint16{"new": 201, "old": 200} {
		replaced := success[*rest.ReplaceResponse](t)(parts().Replace(ctx, &rest.ReplaceRequest{Name: name}))
		equal(t, replaced, &rest.ReplaceResponse{Status: status, Report: rest.Report{Name: name}})
	}
	if err := parts().Refresh(ctx, &rest.RefreshRequest{Name: "a"}); err != nil {
		t.Error(err)
	}
}

func TestStatusesThatDoNotFit(t *testing.T) {
	for _, each := range []struct {
		status int
		body   string
	}{
		{203, `{"name":"a"}`},
		{200, ""},
		{200, `{"position":1}`},
		{200, `{"name":"a"},"ticket":{"position":1}`},
		{202, "1"},
	} {
		_, err := mock(each.status, each.body, http.Header{}).Create(ctx, &rest.CreateRequest{Name: "a"})
		expectBadResponse(t, err, each.status)
	}
	// The body of a response without outputs is ignored, and so is its status.
	if err := mock(299, "<p>", http.Header{}).Refresh(ctx, &rest.RefreshRequest{Name: "a"}); err != nil {
		t.Error(err)
	}
}

func TestDataOfErrorsInHeaders(t *testing.T) {
	_, err := parts().Create(ctx, &rest.CreateRequest{Name: "limit"})
	equal(t, rest.ErrLimitReached.DataOf(err), &rest.Limit{Left: 1, RetryIn: pointer[uint32](7)})
	body := `{"error":"LimitReached","code":1429,"msg":"limit reached","status":429,"data":{"left":2}}`
	for text, want := range map[string]*rest.Limit{"8": {Left: 2, RetryIn: pointer[uint32](8)}, "soon": nil} {
		_, err := mock(429, body, http.Header{"X-Retry-In": {text}}).Create(ctx, &rest.CreateRequest{Name: "a"})
		if !errors.Is(err, rest.ErrLimitReached) {
			t.Error(err)
		}
		equal(t, rest.ErrLimitReached.DataOf(err), want)
	}
}

func TestWholeBodies(t *testing.T) {
	for _, each := range []struct {
		report *rest.Report
		want   string
	}{
		{&rest.Report{Name: "b"}, `{"name":"a","report":{"name":"b"}}`},
		{nil, `{"name":"a"}`},
	} {
		request := &rest.ChangeRequest{Name: "a", Report: each.report}
		got := success[*rest.ChangeResponse](t)(parts().Change(ctx, request)).Received
		if !isSameJSON(got, []byte(each.want)) {
			t.Error(string(got))
		}
	}
	request, body := sent(t, func(client rest.Parts) error {
		_, err := client.Change(ctx, &rest.ChangeRequest{Name: "a"})
		return err
	})
	equal(t, request.Header, http.Header{"Accept": {asksForJSON}})
	equal(t, body, "")
}

func TestClientOnly(t *testing.T) {
	words := []string{"a", "b"}
	checked := success[*rest.CheckResponse](t)(parts().Check(ctx, &rest.CheckRequest{ID: 7, Words: words}))
	equal(t, checked.Words, words)
	read := success[*rest.ReadAgainResponse](t)(parts().ReadAgain(ctx, &rest.ReadAgainRequest{Number: 8}))
	equal(t, read.Page.ID, "8")
}
