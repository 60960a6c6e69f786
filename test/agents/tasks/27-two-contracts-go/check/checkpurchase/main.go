// Buys what a test orders, and prints the outcome and the types of errors.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"reflect"
	"time"

	"example.com/acme/purchase"
)

func main() {
	buyer := purchase.NewBuyer(os.Args[1], os.Args[2])
	// The test writes a line when the last call has arrived.
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		_, _ = os.Stdin.Read(make([]byte, 1))
		cancel()
		time.Sleep(20 * time.Second)
		log.Fatal("the call goes on after its context")
	}()
	buy := func(id, isbn string) string {
		order, err := buyer.Buy(ctx, id, isbn)
		if err != nil {
			return purchase.Explain(fmt.Errorf("wrapped: %w", err)) + typeOf(err)
		}
		return order
	}
	_ = json.NewEncoder(os.Stdout).Encode([]string{
		buy("first", "1"),
		buy("first", "1"),
		buy("second", "none"),
		buy("third", "expensive"),
		buy("fourth", "slow"),
		purchase.Explain(errors.New("something else")),
	})
}

// typeOf returns the package of the error in err that knows the status of a response.
func typeOf(err error) string {
	for ; err != nil; err = errors.Unwrap(err) {
		kind := reflect.TypeOf(err)
		if kind.Kind() != reflect.Pointer || kind.Elem().Kind() != reflect.Struct {
			continue
		}
		if _, ok := kind.Elem().FieldByName("Status"); ok {
			return " of " + kind.Elem().PkgPath()
		}
	}
	return ""
}
