// Package purchase buys books.
package purchase

import (
	"context"
	"errors"
)

// Buyer calls the APIs.
type Buyer struct{}

// NewBuyer returns a buyer for the addresses of the two APIs.
func NewBuyer(catalogURL, ordersURL string) *Buyer {
	return &Buyer{}
}

// Buy orders a book for its current price, and returns the ID of the order.
func (b *Buyer) Buy(ctx context.Context, purchaseID, isbn string) (orderID string, err error) {
	return "", errors.New("not implemented")
}

// Explain describes an error of Buy.
func Explain(err error) string {
	return err.Error()
}
