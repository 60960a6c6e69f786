// Plants secrets in sensitive fields, and searches the texts of errors and logs for them.
package secrets_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
)

// trial is what the generated code of one contract is needed for. The others are in files of their own.
type trial struct {
	// get keeps the response, which put sends and the handler returns.
	get     func(url string, isChecked bool) error
	put     func(url string) error
	handler http.Handler
}

var trials = map[string]trial{}

type bodies struct {
	Name  string
	Texts []string
}

var planted = regexp.MustCompile("hunter2|2718281828")

// everythingOf prints everything that a program can see of an error.
func everythingOf(err error) string {
	var all strings.Builder
	for ; err != nil; err = errors.Unwrap(err) {
		printed, _ := json.Marshal(err)
		fmt.Fprintf(&all, "%v\n%+v\n%#v\n%s\n", err, err, err, printed)
	}
	return all.String()
}

// call calls a method, and returns the body of an error, or nothing.
func call(handler http.Handler, method, body string) string {
	request := httptest.NewRequest("POST", "/rpc/Arbitrary/"+method, strings.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	response := httptest.NewRecorder()
	handler.ServeHTTP(response, request)
	if response.Code == 200 {
		return ""
	}
	return response.Body.String()
}

func TestNothingShowsSecrets(t *testing.T) {
	var logged bytes.Buffer
	log.SetOutput(&logged)
	defer log.SetOutput(os.Stderr)
	text, err := os.ReadFile(os.Getenv("TRIALS"))
	if err != nil {
		t.Fatal(err)
	}
	var all []bodies
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	failed := 0
	for _, each := range all {
		given, status := "", 200
		respond := func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = io.WriteString(w, given)
		}
		canned := httptest.NewServer(http.HandlerFunc(respond))
		for _, given = range each.Texts {
			for _, status = range []int{200, 400} {
				for _, isChecked := range []bool{true, false} {
					if err := trials[each.Name].get(canned.URL, isChecked); err != nil {
						failed++
						if told := everythingOf(err); planted.MatchString(told) {
							t.Errorf("%s\n%s", given, told)
						}
					}
				}
			}
			if err := call(trials[each.Name].handler, "Put", given); err != "" {
				failed++
				if planted.MatchString(err) {
					t.Errorf("%s\n%s", given, err)
				}
			}
			// Without checks, responses are read that break the limits of the contract.
			if status = 200; trials[each.Name].get(canned.URL, false) != nil {
				continue
			}
			if err := trials[each.Name].put(canned.URL); err != nil && planted.MatchString(everythingOf(err)) {
				t.Errorf("%s\n%s", given, everythingOf(err))
			}
			if err := call(trials[each.Name].handler, "Get", "{}"); planted.MatchString(err) {
				t.Errorf("%s\n%s", given, err)
			}
		}
		canned.Close()
	}
	if planted.MatchString(logged.String()) {
		t.Error(logged.String())
	}
	if failed < 100 {
		t.Error("only", failed)
	}
	fmt.Println(len(all), "contracts,", failed, "failures")
}
