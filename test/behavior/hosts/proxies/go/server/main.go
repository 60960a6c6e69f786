// Serves transfers of two parts that end in different ways.
package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"iter"
	"log"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"example.com/transfers"
	"example.com/transfers/ridl"
)

type service struct{}

// end returns the error with which a transfer ends, if there is one.
func end(ending string) error {
	switch ending {
	case "throw":
		return errors.New("the source failed")
	case "wait":
		time.Sleep(10 * time.Minute)
	}
	return nil
}

func emit[Item any](ending string, itemOf func(uint32) *Item) iter.Seq2[*Item, error] {
	return func(yield func(*Item, error) bool) {
		if !yield(itemOf(1), nil) || !yield(itemOf(2), nil) {
			return
		}
		if err := end(ending); err != nil {
			yield(nil, err)
		}
	}
}

func (service) Watch(_ context.Context, r *transfers.WatchRequest) iter.Seq2[*transfers.WatchResponse, error] {
	return emit(r.Ending, func(n uint32) *transfers.WatchResponse { return &transfers.WatchResponse{N: n} })
}

func (service) Follow(_ context.Context, r *transfers.FollowRequest) iter.Seq2[*transfers.FollowResponse, error] {
	return emit(r.Ticker, func(n uint32) *transfers.FollowResponse {
		return &transfers.FollowResponse{ID: n, Ticker: r.Ticker, Amount: big.NewInt(1)}
	})
}

// ending is what follows the content of a file.
type ending string

func (e ending) Read([]byte) (int, error) {
	if err := end(string(e)); err != nil {
		return 0, err
	}
	return 0, io.EOF
}

func fileOf(how string, size int64) *ridl.File {
	parts, _ := strconv.ParseInt(os.Args[1], 10, 64)
	return &ridl.File{Size: size, Content: io.MultiReader(io.LimitReader(rand.Reader, parts), ending(how))}
}

func (service) Download(_ context.Context, r *transfers.DownloadRequest) (*transfers.DownloadResponse, error) {
	var size int64
	if r.Size != nil {
		size = int64(*r.Size)
	}
	return &transfers.DownloadResponse{File: fileOf(r.Ending, size)}, nil
}

func (service) Get(_ context.Context, r *transfers.GetRequest) (*transfers.GetResponse, error) {
	how, size, _ := strings.Cut(r.ID, ",")
	number, _ := strconv.ParseInt(size, 10, 64)
	return &transfers.GetResponse{File: fileOf(how, number)}, nil
}

func main() {
	log.SetOutput(io.Discard)
	stopped, stop := context.WithCancel(context.Background())
	handler := transfers.NewTransfersHandler(
		transfers.TransfersServer{Clock: service{}, Files: service{}, Prices: service{}, Pictures: service{}},
		ridl.ServerOptions{},
	)
	server := &http.Server{Handler: handler, BaseContext: func(net.Listener) context.Context { return stopped }}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Printf("{\"port\":%d}\n", listener.Addr().(*net.TCPAddr).Port)
	go func() { _ = server.Serve(listener) }()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM)
	<-signals
	stop()
	grace, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	if server.Shutdown(grace) != nil {
		_ = server.Close()
	}
}
