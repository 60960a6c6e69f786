// The server of idempotency.ridl, with the handlers of serve-idempotency.ts.
package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"

	_ "github.com/lib/pq"

	"example.com/orders"
	"example.com/orders/ridl"
)

type service struct {
	mutex    sync.Mutex
	runs     map[string]int
	released map[string]chan struct{}
}

func (s *service) count(sku string) int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.runs[sku]++
	return s.runs[sku]
}

func (s *service) gate(sku string) chan struct{} {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.released[sku] == nil {
		s.released[sku] = make(chan struct{})
	}
	return s.released[sku]
}

func (s *service) orderID(sku string) string { return fmt.Sprintf("Go: %s, run %d", sku, s.count(sku)) }

func (s *service) Order(ctx context.Context, request *orders.OrderRequest) (*orders.OrderResponse, error) {
	id := s.orderID(request.Sku)
	how, _, _ := strings.Cut(request.Sku, " ")
	_, run, _ := strings.Cut(id, ", ")
	switch {
	case how == "waits":
		select {
		case <-s.gate(request.Sku):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	case how == "long":
		return &orders.OrderResponse{OrderID: strings.Repeat("x", 3000)}, nil
	case how == "sold-out":
		return nil, orders.ErrSoldOut.WithData(&orders.Left{Left: 3})
	case how == "locked":
		return nil, orders.ErrLocked.WithCause(run)
	case how == "unkept" && run == "run 1":
		panic("lost")
	case how == "unkept" && run == "run 2":
		return nil, orders.ErrBusy
	case how == "unkept" && run == "run 3":
		return nil, ridl.ErrRequestFailed
	}
	return &orders.OrderResponse{OrderID: id}, nil
}

func (s *service) AddNote(_ context.Context, request *orders.AddNoteRequest) (*orders.AddNoteResponse, error) {
	return &orders.AddNoteResponse{OrderID: s.orderID(request.OrderID)}, nil
}

func (s *service) Touch(_ context.Context, request *orders.TouchRequest) error {
	if s.count(request.Sku) > 1 {
		return errors.New("it has run twice")
	}
	return nil
}

func (s *service) Pay(_ context.Context, request *orders.PayRequest) (*orders.PayResponse, error) {
	return &orders.PayResponse{OrderID: s.orderID(request.Sku)}, nil
}

func (s *service) Release(_ context.Context, request *orders.ReleaseRequest) error {
	gate := s.gate(request.Sku)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	select {
	case <-gate:
	default:
		close(gate)
	}
	return nil
}

func (s *service) CountRuns(_ context.Context, request *orders.CountRunsRequest) (*orders.CountRunsResponse, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return &orders.CountRunsResponse{Count: uint32(s.runs[request.Sku])}, nil
}

type userKey struct{}

func main() {
	var store ridl.AnswerStore = &ridl.MemoryAnswers{}
	if url := os.Getenv("DATABASE"); url != "" {
		db, err := sql.Open("postgres", url)
		if err != nil {
			panic(err)
		}
		store = &ridl.PostgresAnswers{DB: db}
	}
	verify := func(ctx context.Context, token string) (context.Context, error) {
		if token == "wrong" {
			return nil, ridl.ErrRejected
		}
		// A renewed token has another number.
		name, _, _ := strings.Cut(token, " ")
		// The bytes of a header are characters.
		user := make([]rune, len(name))
		for i := range len(name) {
			user[i] = rune(name[i])
		}
		return context.WithValue(ctx, userKey{}, string(user)), nil
	}
	handler := orders.NewOrdersHandler(orders.OrdersServer{
		Orders:      &service{runs: map[string]int{}, released: map[string]chan struct{}{}},
		Credentials: orders.Credentials{Token: verify},
	}, ridl.ServerOptions{
		OnError: func(context.Context, error) {},
		Idempotency: ridl.Idempotency{
			Store: store, MaxAnswer: 2000, KeepsError: func(name string) bool { return name != "Locked" },
			Caller: func(ctx context.Context) string { user, _ := ctx.Value(userKey{}).(string); return user },
		},
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	panic(http.Serve(listener, handler))
}
