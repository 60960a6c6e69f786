// Tests that no body takes much more CPU time than a body of orders.
package walls_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/walls"
	"example.com/walls/ridl"
)

const mebibyte = 1 << 20

// fill returns a text of about 4 MiB between two others.
func fill(start, piece, end string) string {
	return start + strings.Repeat(piece, 4*mebibyte/len(piece)) + end
}

func used() time.Duration {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// perMebibyte returns the least CPU time of three requests for each MiB of their body.
func perMebibyte(t *testing.T, target, kind, body string) time.Duration {
	handler := serve(t, calls{}, ridl.ServerOptions{MaxBody: 64 * mebibyte, MaxUpload: 64 * mebibyte}).Config.Handler
	return leastOf(handler, target, http.Header{"Content-Type": {kind}}, body)
}

func leastOf(handler http.Handler, target string, header http.Header, body string) time.Duration {
	least := time.Hour
	method, path, _ := strings.Cut(target, " ")
	for range 3 {
		request := httptest.NewRequest(method, path, bytes.NewReader([]byte(body)))
		request.Header = header
		before := used()
		handler.ServeHTTP(httptest.NewRecorder(), request)
		least = min(least, used()-before)
	}
	return least * mebibyte / time.Duration(len(body))
}

func TestCPUOfBodies(t *testing.T) {
	order := `{"id":12345,"price":"1000000000000000000","createdAt":"2024-05-01T10:00:00Z","items":[1,2,3]},`
	orders := perMebibyte(t, "POST /rpc/Calls/Call", json, fill(`{"text":"x","orders":[`, order, "1]}"))
	var keys strings.Builder
	for n := 0; keys.Len() < 4*mebibyte; n++ {
		fmt.Fprintf(&keys, `"k%d":1,`, n)
	}
	texts := map[string]string{
		"carriage returns": "\r", "line breaks": "\r\n", "starts of delimiters": "\r\n--", "almost delimiters": "\r\n--c",
		"letters": "x", "parts": "\r\n--b\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nx",
		"heads": "\r\n--b\r\n" + strings.Repeat("a:b\r\n", 1000), "parameters": "\r\n--b\r\nContent-Disposition: form-data" + strings.Repeat(";a=b", 1000),
	}
	pairs := map[string]string{"ampersands": "&", "pluses": "+", "percent signs": "%", "escapes": "%41", "pairs": "a=1&"}
	receiver := walls.NewEventsReceiver(calls{}, ridl.ServerOptions{MaxBody: 64 * mebibyte, Secrets: []string{
		strings.Repeat("a", 32), strings.Repeat("b", 32), strings.Repeat("c", 32),
	}})
	signatures := http.Header{
		"Content-Type": {json}, "Webhook-Id": {"1"}, "Webhook-Timestamp": {strconv.FormatInt(time.Now().Unix(), 10)},
		"Webhook-Signature": {strings.Repeat("v1,"+strings.Repeat("A", 43)+"= ", 10)},
	}
	signed := leastOf(receiver, "POST /", signatures, fill("", "\r", ""))
	// Work beside the test slows it down.
	for tries := 0; tries < 5 && signed > 3*orders; tries++ {
		signed = min(signed, leastOf(receiver, "POST /", signatures, fill("", "\r", "")))
	}
	t.Logf("webhook with ten signatures: %v for each MiB, %.1f of orders", signed, float64(signed)/float64(orders))
	if signed > 3*orders {
		t.Errorf("a webhook with ten signatures takes %v for each MiB, and orders %v", signed, orders)
	}
	type trial struct{ target, kind, body string }
	trials := map[string]trial{
		"a file":         {"PUT /documents/1", "text/plain", fill("", "\r", "")},
		"JSON, keys":     {"POST /rpc/Calls/Call", json, "{" + keys.String() + `"text":"x"}`},
		"JSON, a fault":  {"POST /rpc/Calls/Call", json, "{" + keys.String() + "}"},
		"JSON, numbers":  {"POST /rpc/Calls/Call", json, fill(`{"text":"x","a":[`, "1,", "1]}")},
		"JSON, digits":   {"POST /rpc/Calls/Call", json, fill(`{"text":"x","a":`, "1", "}")},
		"JSON, escapes":  {"POST /rpc/Calls/Call", json, fill(`{"text":"`, `\u0041`, `"}`)},
		"JSON, objects":  {"POST /rpc/Calls/Call", json, fill(`{"text":"x","a":[`, "{},", "1]}")},
		"JSON, spaces":   {"POST /rpc/Calls/Call", json, fill(`{"text":"x"`, " ", "}")},
		"JSON of stream": {"POST /rpc/Calls/Watch", json, fill(`{"text":"`, `\n`, `"x}`)},
	}
	for name, text := range texts {
		content := fill("--b\r\nContent-Disposition: form-data; name=\"picture\"; filename=\"p\"\r\n\r\n", text, "\r\n--b--\r\n")
		trials["an upload, "+name] = trial{"POST /rpc/Calls/Upload", form, content}
		trials["a form, "+name] = trial{"POST /papers", form, strings.ReplaceAll(content, "picture", "paper")}
	}
	for name, text := range pairs {
		trials["pairs, "+name] = trial{"POST /pages", "application/x-www-form-urlencoded", fill("text=", text, "")}
	}
	for name, each := range trials {
		// The standard library reads heads.
		isOwn := !strings.HasSuffix(name, ", heads")
		isTooMuch := func(got time.Duration) bool {
			return isOwn && got > 3*orders || 30*got > time.Second
		}
		got := perMebibyte(t, each.target, each.kind, each.body)
		// Work beside the test slows it down.
		for tries := 0; tries < 5 && isTooMuch(got); tries++ {
			got = min(got, perMebibyte(t, each.target, each.kind, each.body))
		}
		t.Logf("%s: %v for each MiB, %.1f of orders", name, got, float64(got)/float64(orders))
		if isTooMuch(got) {
			t.Errorf("%s takes %v for each MiB, and orders %v", name, got, orders)
		}
	}
}
