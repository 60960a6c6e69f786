package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"

	"example.com/acme/books"
	"example.com/acme/internal/shop"
	"example.com/acme/internal/shop/ridl"
)

type userKey struct{}

type server struct{}

func (server) GetBook(_ context.Context, request *shop.GetBookRequest) (*shop.GetBookResponse, error) {
	title, ok := books.Title(request.Isbn)
	if !ok {
		return nil, shop.ErrBookNotFound
	}
	return &shop.GetBookResponse{Title: title}, nil
}

func (server) Order(ctx context.Context, request *shop.OrderRequest) (*shop.OrderResponse, error) {
	if _, ok := books.Title(request.Isbn); !ok {
		return nil, shop.ErrBookNotFound
	}
	left, ok := books.Take(request.Isbn, request.Count)
	if !ok {
		return nil, shop.ErrSoldOut.WithData(&shop.Stock{Left: left})
	}
	buyer, _ := ctx.Value(userKey{}).(string)
	return &shop.OrderResponse{Buyer: buyer, Left: left}, nil
}

func verify(ctx context.Context, token string) (context.Context, error) {
	user, ok := books.UserOf(token)
	if !ok {
		return nil, ridl.ErrRejected
	}
	return context.WithValue(ctx, userKey{}, user), nil
}

func main() {
	mux := http.NewServeMux()
	mux.HandleFunc("/health", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "ok")
	})
	mux.Handle("/rpc/", shop.NewShopHandler(shop.ShopServer{
		Shop:        server{},
		Credentials: shop.Credentials{Token: verify},
	}, ridl.ServerOptions{}))
	listener, err := net.Listen("tcp", os.Getenv("ADDRESS"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("listening on http://%s\n", listener.Addr())
	log.Fatal(http.Serve(listener, mux))
}
