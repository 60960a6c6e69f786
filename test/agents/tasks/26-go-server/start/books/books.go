// Package books knows the books of the shop and its users.
package books

import "sync"

type book struct {
	title  string
	copies uint32
}

var (
	mutex sync.Mutex
	books = map[string]*book{"9780262510875": {"SICP", 5}}
	users = map[string]string{"token-of-ada": "Ada", "token-of-bob": "Bob"}
)

// Title returns the title of a book, and whether there is such a book.
func Title(isbn string) (title string, ok bool) {
	found, ok := books[isbn]
	if !ok {
		return "", false
	}
	return found.title, true
}

// Take takes copies from the shelf, unless there are too few. It returns how many are left.
func Take(isbn string, count uint32) (left uint32, ok bool) {
	mutex.Lock()
	defer mutex.Unlock()
	found := books[isbn]
	if found.copies < count {
		return found.copies, false
	}
	found.copies -= count
	return found.copies, true
}

// UserOf returns the user with a token, and whether there is one.
func UserOf(token string) (user string, ok bool) {
	user, ok = users[token]
	return user, ok
}
