// Tests that clients of an old contract learn why a call of a newer server fails.
package shop_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/shop"
	"example.com/shop/ridl"
)

const (
	required = "got nothing; this client was made from v1.3.0; in v1.4.0: requests now require `Order.total` (breaking)"
	gone     = "this client was made from v1.3.0; in v1.4.0: method `Shop.Read` was removed (breaking)"
)

func expectCause(t *testing.T, err error, want string) {
	t.Helper()
	var failure *ridl.Error
	if !errors.As(err, &failure) || !strings.HasSuffix(failure.Cause, want) {
		t.Errorf("%v", err)
	}
}

func TestErrorsNameTheChange(t *testing.T) {
	client := shop.NewShopClient(os.Getenv("SKEW"))
	ctx, total, order := context.Background(), uint32(1), shop.Order{Isbn: "1"}
	placed, err := client.Shop.Place(ctx, &shop.PlaceRequest{Order: shop.Order{Isbn: "1", Total: &total}})
	if err != nil || placed.Number != 7 {
		t.Error(placed, err)
	}
	_, err = client.Shop.Place(ctx, &shop.PlaceRequest{Order: order})
	expectCause(t, err, required)
	for _, err := range client.Shop.Watch(ctx, &shop.WatchRequest{Order: order}) {
		expectCause(t, err, required)
	}
	bill := &ridl.File{Name: "a", Content: strings.NewReader("a")}
	_, err = client.Shop.Attach(ctx, &shop.AttachRequest{Order: order, Bill: bill})
	expectCause(t, err, required)
	_, err = client.Shop.Read(ctx, &shop.ReadRequest{Number: 1})
	expectCause(t, err, gone)
}

func TestOnlyCallsSendTheContract(t *testing.T) {
	var sent []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent = append(sent, r.Header.Get("Webrpc"))
		if len(sent) == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		_, _ = w.Write([]byte(`{"number":7}`))
	}))
	defer server.Close()
	ctx, request := context.Background(), &shop.PlaceRequest{Order: shop.Order{Isbn: "1"}}
	retry := ridl.WithRetry(ridl.Retry{Attempts: 2, Delay: time.Millisecond})
	own := []ridl.Option{retry, ridl.WithHeader("Webrpc", "mine")}
	for _, client := range []*shop.ShopClient{shop.NewShopClient(server.URL, retry), shop.NewShopClient(server.URL, own...)} {
		if _, err := client.Shop.Place(ctx, request); err != nil {
			t.Error(err)
		}
	}
	if err := shop.NewSalesSender(server.URL).Sold(ctx, &shop.SoldRequest{Isbn: "1"}); err != nil {
		t.Error(err)
	}
	contract := os.Getenv("CONTRACT")
	if !strings.HasPrefix(contract, "shop@v1.3.0;") || !slices.Equal(sent, []string{contract, contract, "mine", ""}) {
		t.Error(sent)
	}
}
