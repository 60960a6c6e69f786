package app

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/app/internal/bank"
	"example.com/app/internal/depot"
	ridl "RUNTIME"
)

type bankServer struct{ bank.UnimplementedBank }

func (bankServer) Pay(ctx context.Context, request *bank.PayRequest) (*bank.PayResponse, error) {
	if request.Cents > 100 {
		return nil, bank.ErrNoMoney
	}
	return &bank.PayResponse{ID: ridl.RequestOf(ctx).HTTP.Header.Get("Idempotency-Key")}, nil
}

func (bankServer) Watch(context.Context) iter.Seq2[*bank.WatchResponse, error] {
	return func(yield func(*bank.WatchResponse, error) bool) {
		_ = yield(&bank.WatchResponse{Cents: 1}, nil) && yield(&bank.WatchResponse{Cents: 2}, nil)
	}
}

type depotServer struct{ depot.UnimplementedDepot }

func (depotServer) Store(ctx context.Context, request *depot.StoreRequest) (*depot.StoreResponse, error) {
	if request.Cents > 100 {
		return nil, depot.ErrNoRoom.Wrap(errors.New("full"))
	}
	return &depot.StoreResponse{ID: ridl.RequestOf(ctx).HTTP.Header.Get("Idempotency-Key")}, nil
}

func (depotServer) Close(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

func start(t *testing.T, options ridl.ServerOptions) string {
	options.Idempotency.Store = &ridl.MemoryAnswers{}
	mux := http.NewServeMux()
	mux.Handle("/rpc/Bank/", bank.NewBankHandler(bank.BankServer{Bank: bankServer{}}, options))
	mux.Handle("/rpc/Depot/", depot.NewDepotHandler(depot.DepotServer{Depot: depotServer{}}, options))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

func TestOneContextAndOneErrorTypeForTwoContracts(t *testing.T) {
	url := start(t, ridl.ServerOptions{})
	ctx := ridl.WithIdempotencyKey(context.Background(), "row 7")
	paid, err := bank.NewBankClient(url).Bank.Pay(ctx, &bank.PayRequest{Cents: 1})
	if err != nil || paid.ID != `"row 7"` {
		t.Fatal(paid, err)
	}
	stored, err := depot.NewDepotClient(url).Depot.Store(ctx, &depot.StoreRequest{Cents: 1})
	if err != nil || stored.ID != `"row 7"` {
		t.Fatal(stored, err)
	}
	_, noMoney := bank.NewBankClient(url).Bank.Pay(context.Background(), &bank.PayRequest{Cents: 101})
	_, noRoom := depot.NewDepotClient(url).Depot.Store(context.Background(), &depot.StoreRequest{Cents: 101})
	var failure *ridl.Error
	if !errors.As(noMoney, &failure) || failure.Name != "NoMoney" || !errors.Is(noMoney, bank.ErrNoMoney) {
		t.Fatal(noMoney)
	}
	if !errors.As(noRoom, &failure) || failure.Name != "NoRoom" || errors.Is(noRoom, bank.ErrNoMoney) {
		t.Fatal(noRoom)
	}
}

func TestInterceptorsRunAroundCallsAndHandlersInOrder(t *testing.T) {
	var order []string
	around := func(name string) func(ridl.ServerFunc) ridl.ServerFunc {
		return func(next ridl.ServerFunc) ridl.ServerFunc {
			return func(ctx context.Context, request any) (any, error) {
				order = append(order, name+" "+ridl.RequestOf(ctx).Method+" "+ridl.RequestOf(ctx).HTTP.Header.Get("X-Trace"))
				if paying, isPay := request.(*bank.PayRequest); isPay && paying.Cents == 13 {
					return nil, bank.ErrNoMoney
				}
				return next(ctx, request)
			}
		}
	}
	url := start(t, ridl.ServerOptions{
		Interceptors: []func(ridl.ServerFunc) ridl.ServerFunc{around("outer"), around("inner")},
	})
	traced := func(next ridl.ClientFunc) ridl.ClientFunc {
		return func(ctx context.Context, call *ridl.ClientCall) error {
			call.Header.Set("X-Trace", "1")
			err := next(ctx, call)
			order = append(order, call.Service+" "+http.StatusText(call.Received.Status))
			return err
		}
	}
	client := bank.NewBankClient(url, ridl.WithInterceptors(traced)).Bank
	if _, err := client.Pay(context.Background(), &bank.PayRequest{Cents: 1}); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Pay(context.Background(), &bank.PayRequest{Cents: 13}); !errors.Is(err, bank.ErrNoMoney) {
		t.Fatal(err)
	}
	sum := uint64(0)
	for item, err := range client.Watch(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		sum += item.Cents
	}
	if want := []string{
		"outer Pay 1", "inner Pay 1", "Bank OK",
		"outer Pay 1", "Bank Payment Required",
		"outer Watch 1", "inner Watch 1", "Bank OK",
	}; sum != 3 || !slices.Equal(order, want) {
		t.Fatal(sum, order)
	}
}

func TestInterceptorsCannotReturnAnotherTypeOrNoStream(t *testing.T) {
	other := func(ridl.ServerFunc) ridl.ServerFunc {
		return func(context.Context, any) (any, error) { return &bank.WatchResponse{}, nil }
	}
	options := ridl.ServerOptions{
		Interceptors: []func(ridl.ServerFunc) ridl.ServerFunc{other},
		OnError:      func(context.Context, error) {},
	}
	client := bank.NewBankClient(start(t, options)).Bank
	if _, err := client.Pay(context.Background(), &bank.PayRequest{Cents: 1}); !errors.Is(err, ridl.ErrBadResponse) {
		t.Fatal(err)
	}
	skips := func(ridl.ClientFunc) ridl.ClientFunc {
		return func(context.Context, *ridl.ClientCall) error { return nil }
	}
	client = bank.NewBankClient("http://localhost:1", ridl.WithInterceptors(skips)).Bank
	for _, err := range client.Watch(context.Background()) {
		if err == nil {
			t.Fatal("there is an item without a stream")
		}
	}
}

func TestCallsHaveTheirOwnHeadersAndTimeoutsAndDescribeResponses(t *testing.T) {
	url := start(t, ridl.ServerOptions{Interceptors: []func(ridl.ServerFunc) ridl.ServerFunc{
		func(next ridl.ServerFunc) ridl.ServerFunc {
			return func(ctx context.Context, request any) (any, error) {
				if request, isPay := request.(*bank.PayRequest); isPay && ridl.RequestOf(ctx).HTTP.Header.Get("X-Free") != "" {
					request.Cents = 0
				}
				return next(ctx, request)
			}
		},
	}})
	var received ridl.Response
	plain := ridl.WithResponse(context.Background(), &received)
	client := bank.NewBankClient(url).Bank
	if _, err := client.Pay(plain, &bank.PayRequest{Cents: 101}); err == nil || received.Status != 402 {
		t.Fatal(err, received)
	}
	free := ridl.WithCallHeader(plain, "X-Free", "yes")
	if _, err := client.Pay(free, &bank.PayRequest{Cents: 101}); err != nil || received.Status != 200 {
		t.Fatal(err, received)
	}
	if kind := received.Header.Get("Content-Type"); kind != "application/json" {
		t.Fatal(kind)
	}
	if _, err := client.Pay(plain, &bank.PayRequest{Cents: 101}); err == nil {
		t.Fatal("a header of another call was sent")
	}
	short := ridl.WithCallTimeout(plain, 10*time.Millisecond)
	slow := depot.NewDepotClient(url, ridl.WithTimeout(time.Hour)).Depot
	if err := slow.Close(short); !errors.Is(err, context.DeadlineExceeded) || received.Status != 0 {
		t.Fatal(err, received)
	}
}

func TestMethodsWithoutImplementationAreLogged(t *testing.T) {
	var log bytes.Buffer
	url := start(t, ridl.ServerOptions{Logger: slog.New(slog.NewJSONHandler(&log, nil))})
	var failure *ridl.Error
	if err := bank.NewBankClient(url).Bank.Close(context.Background()); !errors.As(err, &failure) || failure.Status != 501 {
		t.Fatal(err)
	}
	for _, err := range depot.NewDepotClient(url).Depot.Watch(context.Background()) {
		if !errors.As(err, &failure) || failure.Status != 501 {
			t.Fatal(err)
		}
	}
	panics := func(ridl.ServerFunc) ridl.ServerFunc {
		return func(context.Context, any) (any, error) { panic("at\nonce") }
	}
	url = start(t, ridl.ServerOptions{
		Logger:       slog.New(slog.NewJSONHandler(&log, nil)),
		Interceptors: []func(ridl.ServerFunc) ridl.ServerFunc{panics},
	})
	if err := bank.NewBankClient(url).Bank.Close(context.Background()); !errors.Is(err, ridl.ErrInternalError) {
		t.Fatal(err)
	}
	if text := log.String(); strings.Count(text, "\n") != 1 || !strings.Contains(text, `"method":"Bank/Close"`) {
		t.Fatal(text)
	}
}
