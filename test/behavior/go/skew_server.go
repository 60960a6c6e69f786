// The server of skew-server-v1.4.0.ridl, with the handlers of serve-skew.ts.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"

	"example.com/shop"
	"example.com/shop/ridl"
)

type service struct{}

func (service) Place(context.Context, *shop.PlaceRequest) (*shop.PlaceResponse, error) {
	return &shop.PlaceResponse{Number: 7}, nil
}

func (service) Pay(_ context.Context, request *shop.PayRequest) (*shop.PayResponse, error) {
	switch request.Sum {
	case 401:
		return nil, shop.ErrDenied
	case 429:
		return nil, shop.ErrBusy
	case 500:
		return nil, errors.New("lost")
	}
	return &shop.PayResponse{ID: 1}, nil
}

func (service) Open(_ context.Context, request *shop.OpenRequest) (*shop.OpenResponse, error) {
	return &shop.OpenResponse{Name: request.Name}, nil
}

func (service) Read(_ context.Context, request *shop.ReadRequest) (*shop.ReadResponse, error) {
	return &shop.ReadResponse{Title: request.Isbn}, nil
}

func (service) Weigh(context.Context, *shop.WeighRequest) error { return nil }

func (service) Rate(context.Context, *shop.RateRequest) error { return nil }

// Same says which version the client has.
func (service) Same(ctx context.Context, request *shop.SameRequest) (*shop.SameResponse, error) {
	log.Println("version:", ridl.RequestOf(ctx).ClientVersion)
	return &shop.SameResponse{ID: request.ID}, nil
}

func (service) Note(context.Context, *shop.NoteRequest) error { return nil }

func main() {
	log.SetFlags(0)
	verify := func(ctx context.Context, key string) (context.Context, error) {
		if key == "wrong" {
			return nil, ridl.ErrRejected
		}
		return ctx, nil
	}
	handler := shop.NewShopHandler(shop.ShopServer{
		Shop: service{}, Credentials: shop.Credentials{Key: verify},
	}, ridl.ServerOptions{
		OnError:     func(context.Context, error) {},
		Idempotency: ridl.Idempotency{Store: &ridl.MemoryAnswers{}},
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	panic(http.Serve(listener, handler))
}
