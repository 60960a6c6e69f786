// Package purchase buys books.
package purchase

import (
	"context"
	"errors"
	"fmt"

	"example.com/acme/internal/catalog"
	"example.com/acme/internal/catalog/ridl"
	"example.com/acme/internal/orders"
)

// Buyer calls the APIs.
type Buyer struct {
	catalog catalog.Catalog
	orders  orders.Orders
}

// NewBuyer returns a buyer for the addresses of the two APIs.
func NewBuyer(catalogURL, ordersURL string) *Buyer {
	return &Buyer{
		catalog: catalog.NewCatalogClient(catalogURL).Catalog,
		orders:  orders.NewOrdersClient(ordersURL).Orders,
	}
}

// Buy orders a book for its current price, and returns the ID of the order.
func (b *Buyer) Buy(ctx context.Context, purchaseID, isbn string) (orderID string, err error) {
	call := func() context.Context { return ridl.WithCallHeader(ctx, "X-Purchase", purchaseID) }
	found, err := b.catalog.GetBook(call(), &catalog.GetBookRequest{Isbn: isbn})
	if err != nil {
		return "", fmt.Errorf("the catalog: %w", err)
	}
	book := orders.Book{Isbn: isbn, Cents: found.Book.Cents}
	placed, err := b.orders.Place(ridl.WithIdempotencyKey(call(), purchaseID), &orders.PlaceRequest{Book: book})
	if err != nil {
		return "", fmt.Errorf("the orders: %w", err)
	}
	return placed.OrderID, nil
}

// Explain describes an error of Buy.
func Explain(err error) string {
	var failure *ridl.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return "too late"
	case errors.As(err, &failure):
		return fmt.Sprintf("%s %d", failure.Name, failure.Status)
	}
	return err.Error()
}
