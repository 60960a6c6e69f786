// Tests how clients read pages.
package pages_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"example.com/pages"
	"example.com/pages/ridl"
)

var ctx = context.Background()

// serve returns a client of a server that gives one page after the other, and the requests that it got.
func serve(t *testing.T, given ...string) (pages.ShopPages, *[]string) {
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		page := given[len(asked)]
		if r.Method == http.MethodGet {
			body = []byte(r.URL.RawQuery)
			w.Header().Set("Link", page)
			page = "[]"
		}
		asked = append(asked, string(body))
		_, _ = io.WriteString(w, page)
	}))
	t.Cleanup(server.Close)
	return pages.NewShopClient(server.URL).ShopPages, &asked
}

func expect(t *testing.T, asked *[]string, want ...string) {
	t.Helper()
	if !slices.Equal(*asked, want) {
		t.Errorf("got the requests %q", *asked)
	}
}

// count returns the number of pages, and the error that ended them.
func count[S any](all func(func(*S, error) bool)) (n int, err error) {
	for _, failure := range all {
		if err = failure; err == nil {
			n++
		}
	}
	return n, err
}

func of[T any](value T) *T { return &value }

func TestTokens(t *testing.T) {
	client, asked := serve(t, `{"notes":["a"],"nextCursor":"2"}`, `{"notes":["b"],"nextCursor":""}`)
	request := &pages.ListNotesRequest{Owner: "me"}
	var notes []string
	found := client.ListNotes(ctx, request)
	expect(t, asked)
	for page, err := range found {
		if err != nil {
			t.Fatal(err)
		}
		notes = append(notes, page.Notes...)
	}
	if !slices.Equal(notes, []string{"a", "b"}) || request.Cursor != nil {
		t.Errorf("got %q, and the request %v", notes, request)
	}
	expect(t, asked, `{"owner":"me"}`, `{"owner":"me","cursor":"2"}`)
}

func TestLeavingTheLoopEndsTheCalls(t *testing.T) {
	client, asked := serve(t, `{"notes":["a"],"nextCursor":"2"}`)
	for range client.ListNotes(ctx, &pages.ListNotesRequest{Owner: "me", Cursor: of("1")}) {
		break
	}
	expect(t, asked, `{"owner":"me","cursor":"1"}`)
}

func TestErrorsEndTheCalls(t *testing.T) {
	client, asked := serve(t, `{"notes":["a"],"nextCursor":"2"}`, `{}{`)
	if n, err := count(client.ListNotes(ctx, &pages.ListNotesRequest{})); n != 1 || !errors.Is(err, ridl.ErrBadResponse) {
		t.Errorf("got %d pages and %v", n, err)
	}
	expect(t, asked, `{"owner":""}`, `{"owner":"","cursor":"2"}`)
}

func TestNumbers(t *testing.T) {
	client, asked := serve(t, `{"orders":[{"id":1}],"page":{"page":1,"pageSize":7,"more":true}}`,
		`{"orders":[],"page":{"page":2,"more":true}}`, `{"orders":[],"page":{"more":false}}`)
	if n, err := count(client.ListOrders(ctx, &pages.ListOrdersRequest{Owner: of("me")})); n != 3 || err != nil {
		t.Errorf("got %d pages and %v", n, err)
	}
	expect(t, asked, `{"owner":"me"}`, `{"owner":"me","page":{"page":2,"pageSize":7,"more":true}}`,
		`{"owner":"me","page":{"page":3,"pageSize":7,"more":true}}`)
	client, asked = serve(t, `{"orders":[],"page":{"more":true}}`, `{"orders":[],"page":{}}`)
	first := &pages.Page{Page: of(uint32(0)), PageSize: of(uint32(3))}
	if n, err := count(client.ListOrders(ctx, &pages.ListOrdersRequest{Page: first})); n != 2 || err != nil {
		t.Errorf("got %d pages and %v", n, err)
	}
	expect(t, asked, `{"page":{"page":0,"pageSize":3}}`, `{"page":{"page":1,"pageSize":3,"more":true}}`)
	client, _ = serve(t, `{"orders":[],"page":{"page":4294967295,"more":true}}`)
	if n, err := count(client.ListOrders(ctx, nil)); n != 1 || err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("got %d pages and %v", n, err)
	}
}

func TestTokensInStructs(t *testing.T) {
	client, asked := serve(t, `{"orders":[],"next":"b"}`, `{"orders":[]}`)
	request := &pages.ListPartsRequest{Part: pages.Part{Size: 2}}
	if n, err := count(client.ListParts(ctx, request)); n != 2 || err != nil || request.Part.After != nil {
		t.Errorf("got %d pages and %v, and the request %v", n, err, request)
	}
	expect(t, asked, `{"part":{"size":2}}`, `{"part":{"size":2,"after":"b"}}`)
	client, asked = serve(t, `{"orders":[],"nextPageToken":"b"}`, `{"orders":[]}`)
	held := &pages.HeldRequest{Part: &pages.OpenPart{Size: of(uint32(2))}}
	if n, err := count(client.ListHeld(ctx, held)); n != 2 || err != nil || held.Part.After != nil {
		t.Errorf("got %d pages and %v, and the request %v", n, err, held.Part)
	}
	expect(t, asked, `{"first-part":{"size":2}}`, `{"first-part":{"size":2,"page-token":"b"}}`)
	client, asked = serve(t, `{"orders":[],"nextPageToken":"b"}`, `{"orders":[],"nextPageToken":null}`)
	if n, err := count(client.ListHeld(ctx, nil)); n != 2 || err != nil {
		t.Errorf("got %d pages and %v", n, err)
	}
	expect(t, asked, `{}`, `{"first-part":{"page-token":"b"}}`)
	client, asked = serve(t, `{"all-orders":[],"next-cursor":"b"}`, `{"all-orders":[]}`)
	if n, err := count(client.ListAll(ctx, &pages.OrdersRequest{})); n != 2 || err != nil {
		t.Errorf("got %d pages and %v", n, err)
	}
	expect(t, asked, `{}`, `{"cursor":"b"}`)
}

func TestLinks(t *testing.T) {
	client, asked := serve(t, `<http://host/numbered?page=1>; rel="prev", </numbered?page=7&a=b>; rel="last next"`,
		`<http://host/numbered?page=1>; rel="prev"`)
	if n, err := count(client.ListNumbered(ctx, &pages.ListNumberedRequest{PerPage: of(uint32(9))})); n != 2 || err != nil {
		t.Errorf("got %d pages and %v", n, err)
	}
	expect(t, asked, "per_page=9", "page=7&per_page=9")
	client, asked = serve(t, "</linked?after=a%20b+c#d>;rel=NEXT", "")
	if n, err := count(client.ListLinked(ctx, nil)); n != 2 || err != nil {
		t.Errorf("got %d pages and %v", n, err)
	}
	expect(t, asked, "", "after=a%20b%20c")
	for _, query := range []string{"", "?page=", "?page=x", "?page=-1", "?page=1e1", "?page=9999999999"} {
		client, _ := serve(t, "</numbered"+query+">; rel=next")
		_, err := count(client.ListNumbered(ctx, nil))
		var e *ridl.Error
		if !errors.As(err, &e) || e.Reason != "bad-response" || e.Status != 200 {
			t.Errorf("%s: got %v", query, err)
		}
	}
}

func TestPagesInCircles(t *testing.T) {
	page := func(cursor string) string { return `{"notes":[],"nextCursor":"` + cursor + `"}` }
	client, asked := serve(t, page("a"), page("b"), page("a"))
	n, err := count(client.ListNotes(ctx, nil))
	if n != 3 || len(*asked) != 3 || err == nil || !strings.Contains(err.Error(), "already read") {
		t.Errorf("got %d pages and %v", n, err)
	}
}

// fake is a service without a server.
type fake struct {
	pages.Shop
	asked []string
}

func (f *fake) ListNotes(_ context.Context, request *pages.ListNotesRequest) (*pages.ListNotesResponse, error) {
	text, err := json.Marshal(request)
	if f.asked = append(f.asked, string(text)); len(f.asked) == 2 {
		return &pages.ListNotesResponse{}, err
	}
	return &pages.ListNotesResponse{NextCursor: of("x")}, err
}

func TestOtherImplementations(t *testing.T) {
	service := &fake{}
	n, err := count(pages.NewShopPages(service).ListNotes(ctx, nil))
	if n != 2 || err != nil {
		t.Errorf("got %d pages and %v", n, err)
	}
	expect(t, &service.asked, `{"owner":""}`, `{"owner":"","cursor":"x"}`)
}
