package ridl

import (
	"context"
	"errors"
	"strings"
)

type idempotencyKey struct{}

// WithIdempotencyKey returns a context for one call, which is sent with this key in place of a random one. Repeat a call
// with the same key after a restart of the program. Only methods with `@idempotencyKey` send it.
func WithIdempotencyKey(ctx context.Context, key string) context.Context {
	return context.WithValue(ctx, idempotencyKey{}, key)
}

var escapeKey = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// keyOf returns the value of the header with the key of a call.
func keyOf(ctx context.Context) (string, error) {
	key, isOwn := ctx.Value(idempotencyKey{}).(string)
	if !isOwn {
		key = randomID()
	}
	isWrong := func(r rune) bool { return r < ' ' || r > '~' }
	if key == "" || len(key) > 255 || strings.ContainsFunc(key, isWrong) {
		return "", errors.New("the idempotency key must be 1 to 255 ASCII characters")
	}
	return `"` + escapeKey.Replace(key) + `"`, nil
}
