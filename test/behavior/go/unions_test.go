// Tests unions, listed values, and errors with data.
package unions_test

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"example.com/unions"
	"example.com/unions/ridl"
)

const everything = `{
	"events": [{"kind": "paid", "amount": "12", "status": 200},
		{"kind": "delivered", "at": "2024-02-29T12:00:00.000Z", "carrier": "us"}],
	"open": {"kind": "lost", "where": [1, 2]},
	"query": {"city": "Bern", "radius": 1.5},
	"conditions": ["a", {"b": ["c"]}, []],
	"moments": {"a": "2024-02-29T12:00:00.000Z", "b": 9007199254740993},
	"intents": [{"id": 1, "code": "paid", "data": {"city": "Bern", "radius": 2}},
		{"id": 2, "code": "shipped", "data": {"city": "Bern"}}, {"id": 3, "code": "lost"}],
	"payee": {"iban": "CH1"},
	"maybe": null,
	"level": 2.5,
	"isSure": true
}`

type service struct{}

func (service) Echo(_ context.Context, request *unions.EchoRequest) (*unions.EchoResponse, error) {
	return &unions.EchoResponse{All: request.All}, nil
}

func (service) Tell(context.Context, *unions.TellRequest) error { return nil }

func (service) Order(_ context.Context, request *unions.OrderRequest) error {
	switch request.Count {
	case 0:
		return unions.ErrSoldOut
	case 1:
		return unions.ErrGone
	case 2:
		return &ridl.Error{Name: "SoldOut", Code: 1409, Status: 409}
	}
	return unions.ErrSoldOut.WithData(&unions.Stock{Left: request.Count}).WithCause("too many")
}

func (service) Watch(context.Context) iter.Seq2[*unions.WatchResponse, error] {
	return func(yield func(*unions.WatchResponse, error) bool) {
		if yield(&unions.WatchResponse{Event: &unions.OpenEventUnknown{Value: json.RawMessage(`{"kind":"new"}`)}}, nil) {
			yield(nil, unions.ErrSoldOut.WithData(&unions.Stock{Left: 1}))
		}
	}
}

func serve(t *testing.T) (unions.Unions, string) {
	handler := unions.NewUnionsHandler(unions.UnionsServer{Unions: service{}}, ridl.ServerOptions{
		OnError: func(_ context.Context, err error) { t.Error(err) },
	})
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return unions.NewUnionsClient(server.URL).Unions, server.URL
}

func TestEverythingMakesARoundTrip(t *testing.T) {
	var all unions.Everything
	if err := json.Unmarshal([]byte(everything), &all); err != nil {
		t.Fatal(err)
	}
	if paid, isPaid := all.Events[0].(*unions.Paid); !isPaid || paid.Amount.Int64() != 12 {
		t.Errorf("got %#v", all.Events[0])
	}
	if unknown, isUnknown := all.Open.(*unions.OpenEventUnknown); !isUnknown || len(unknown.Value) != 29 {
		t.Errorf("got %#v", all.Open)
	}
	if b := all.Moments["b"].(*unions.MomentInt64); b.Value != 9007199254740993 {
		t.Errorf("got %d", b.Value)
	}
	if _, isLost := all.Intents[2].(*unions.IntentLost); !isLost {
		t.Errorf("got %#v", all.Intents[2])
	}
	client, _ := serve(t)
	response, err := client.Echo(context.Background(), &unions.EchoRequest{All: all})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(response.All, all) {
		t.Errorf("got %#v", response.All)
	}
	printed, err := json.Marshal(response.All)
	if err != nil {
		t.Fatal(err)
	}
	var expected, got any
	if json.Unmarshal([]byte(everything), &expected) != nil || json.Unmarshal(printed, &got) != nil {
		t.Fatal("not JSON")
	}
	if !reflect.DeepEqual(expected, got) {
		t.Errorf("got %s", printed)
	}
}

// A server can send a bigint as a number, but everybody else sends text.
func TestNumbersOfBigints(t *testing.T) {
	text := strings.Replace(everything, `"isSure"`, `"debt": 12345678901234567890, "isSure"`, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"all":` + text + `}`))
	}))
	defer server.Close()
	var all unions.Everything
	if err := json.Unmarshal([]byte(everything), &all); err != nil {
		t.Fatal(err)
	}
	response, err := unions.NewUnionsClient(server.URL).Unions.Echo(context.Background(), &unions.EchoRequest{All: all})
	if err != nil {
		t.Fatal(err)
	}
	if debt, isNumber := response.All.Debt.(*unions.DebtBigint); !isNumber || debt.Value.String() != "12345678901234567890" {
		t.Errorf("got %#v", response.All.Debt)
	}
	if err := json.Unmarshal([]byte(text), &all); err == nil || !strings.Contains(err.Error(), "debt: expected") {
		t.Errorf("got %v", err)
	}
}

func TestInvalidJSON(t *testing.T) {
	for _, test := range []struct{ path, value, expected string }{
		{"events", `[{"kind":"Paid"}]`, `events[0].kind: expected one of "paid", "shipped", "delivered" (did you mean "paid"?), got "Paid"`},
		{"events", `[{}]`, `events[0].kind: expected one of "paid", "shipped", "delivered", got nothing`},
		{"events", `["paid"]`, `events[0]: expected an object, got "paid"`},
		{"events", `[{"kind":"shipped"}]`, `events[0].at: expected a timestamp, got nothing`},
		{"events", `[{"kind":"paid","amount":"1","status":202}]`, `events[0].status: expected one of 200, 201, got 202`},
		{"open", `{"kind":1}`, `open.kind: expected one of "paid", "shipped", "delivered", got 1`},
		{"query", `{"radius":1}`, `query.city: expected a string, got nothing`},
		{"query", `[1]`, `query[0]: expected a string, got 1`},
		{"conditions", `{"a":{"b":1}}`, `conditions.a.b: expected a string, an object or a list, got 1`},
		{"intents", `[{"id":1,"code":"lsot"}]`, `intents[0].code: expected one of "paid", "shipped", "lost", got "lsot"`},
		{"payee", `{"card":"1","iban":"2"}`, `payee: expected an object with exactly one of "card", "iban", got an object`},
		{"payee", `{}`, `payee: expected an object with exactly one of "card", "iban", got an object`},
		{"level", `1.5`, `level: expected one of 0.5, 1, 2.5, got 1.5`},
		{"isSure", `false`, `isSure: expected true, got false`},
	} {
		var all map[string]json.RawMessage
		if err := json.Unmarshal([]byte(everything), &all); err != nil {
			t.Fatal(err)
		}
		all[test.path] = json.RawMessage(test.value)
		text, err := json.Marshal(all)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, new(unions.Everything)); err == nil || err.Error() != test.expected {
			t.Errorf("%s: got %v", test.value, err)
		}
	}
}

func TestInvalidValues(t *testing.T) {
	client, _ := serve(t)
	for expected, event := range map[string]unions.Event{
		"event: expected an object, got nothing":                         nil,
		`event.kind: expected "paid", got ""`:                            &unions.Paid{Status: 200},
		`event.kind: expected one of "shipped", "delivered", got "paid"`: &unions.Shipped{Kind: "paid"},
		"event: expected a variant of Event, got unions_test.foreign":    foreign{&unions.Shipped{Kind: "shipped"}},
	} {
		err := client.Tell(context.Background(), &unions.TellRequest{Event: event})
		if err == nil || !strings.Contains(err.Error(), expected) {
			t.Errorf("expected %s, got %v", expected, err)
		}
	}
	known := unions.OpenEvent(&unions.OpenEventUnknown{Value: json.RawMessage(`{"kind":"paid"}`)})
	if _, err := json.Marshal(unions.WatchResponse{Event: known}); err == nil {
		t.Error("a known variant must not be sent as an unknown one")
	}
}

type foreign struct{ *unions.Shipped }

func TestParse(t *testing.T) {
	event, err := unions.EventFromJSON([]byte(`{"amount":"1","kind":"shipped","kind":"paid","status":201}`))
	if paid, isPaid := event.(*unions.Paid); err != nil || !isPaid || paid.Status != 201 {
		t.Errorf("got %#v, %v", event, err)
	}
	if text, err := json.Marshal(&unions.QueryStringList{}); err != nil || string(text) != "[]" {
		t.Errorf("got %s, %v", text, err)
	}
	// The tag can be behind everything that it tells apart.
	const levels = 400
	deep := strings.Repeat(`{"children":[`, levels) + `{"kind":"leaf"}` + strings.Repeat(`],"kind":"branch"}`, levels)
	node, err := unions.NodeFromJSON([]byte(deep))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := json.Marshal(node); err != nil || len(text) != len(deep) {
		t.Errorf("got %s, %v", text, err)
	}
}

func TestDataOfErrors(t *testing.T) {
	client, _ := serve(t)
	order := func(count uint32) error {
		return client.Order(context.Background(), &unions.OrderRequest{Count: count})
	}
	err := order(7)
	if stock := unions.ErrSoldOut.DataOf(err); !errors.Is(err, unions.ErrSoldOut) || stock == nil || stock.Left != 7 {
		t.Errorf("got %v with %v", err, stock)
	}
	for count, declared := range []error{unions.ErrSoldOut, unions.ErrGone, unions.ErrSoldOut} {
		if err := order(uint32(count)); !errors.Is(err, declared) || unions.ErrSoldOut.DataOf(err) != nil {
			t.Errorf("got %v", err)
		}
	}
	var last error
	for item, err := range client.Watch(context.Background()) {
		if last = err; err == nil && string(item.Event.(*unions.OpenEventUnknown).Value) != `{"kind":"new"}` {
			t.Errorf("got %#v", item.Event)
		}
	}
	if stock := unions.ErrSoldOut.DataOf(last); stock == nil || stock.Left != 1 {
		t.Errorf("got %v", last)
	}
}

// gateway forwards calls to another server of the same contract.
type gateway struct {
	service
	next unions.Unions
}

func (g gateway) Order(ctx context.Context, request *unions.OrderRequest) error {
	return g.next.Order(ctx, request)
}

func (g gateway) Watch(ctx context.Context) iter.Seq2[*unions.WatchResponse, error] {
	return g.next.Watch(ctx)
}

func TestForwardedErrorsKeepTheirData(t *testing.T) {
	next, _ := serve(t)
	handler := unions.NewUnionsHandler(unions.UnionsServer{Unions: gateway{next: next}}, ridl.ServerOptions{
		OnError: func(_ context.Context, err error) { t.Error(err) },
	})
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	client := unions.NewUnionsClient(server.URL).Unions
	for count, left := range map[uint32]uint32{7: 7, 0: 0} {
		err := client.Order(context.Background(), &unions.OrderRequest{Count: count})
		stock := unions.ErrSoldOut.DataOf(err)
		if !errors.Is(err, unions.ErrSoldOut) || (stock != nil) != (left > 0) || stock != nil && stock.Left != left {
			t.Errorf("got %v with %v", err, stock)
		}
	}
	var last error
	for _, err := range client.Watch(context.Background()) {
		last = err
	}
	if stock := unions.ErrSoldOut.DataOf(last); stock == nil || stock.Left != 1 {
		t.Errorf("got %v", last)
	}
}

func TestInvalidDataIsIgnored(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusConflict)
		_, _ = w.Write([]byte(`{"error":"SoldOut","code":1409,"msg":"m","status":409,"data":{"left":-1}}`))
	}))
	defer server.Close()
	err := unions.NewUnionsClient(server.URL).Unions.Order(context.Background(), &unions.OrderRequest{})
	if !errors.Is(err, unions.ErrSoldOut) || unions.ErrSoldOut.DataOf(err) != nil {
		t.Errorf("got %v", err)
	}
}
