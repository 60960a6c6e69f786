// Runs the cases of a client; see test/behavior/conformance/README.md.
package conformance_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"reflect"
	"strings"
	"testing"

	"example.com/conformance"
	"example.com/conformance/ridl"
)

type clientCase struct {
	Name, Service, Method                    string
	Needs                                    []string
	Echo, Request, Received, Response, Value json.RawMessage
	Error                                    json.RawMessage
}

// exceptions are the cases that Go does not pass, and why.
type exceptions struct {
	Needs, Client map[string]string
}

func readJSON(t *testing.T, file string, value any) {
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, value)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// post sends the name of a case to the server that controls the others.
func post(t *testing.T, path, name string) string {
	response, err := http.Post(os.Getenv("CONTROL")+path, "text/plain", strings.NewReader(name))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestClient(t *testing.T) {
	var known exceptions
	readJSON(t, os.Getenv("EXCEPTIONS"), &known)
	lines, err := os.ReadFile(os.Getenv("CASES"))
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, line := range bytes.Split(bytes.TrimSpace(lines), []byte("\n")) {
		var given clientCase
		if err := json.Unmarshal(line, &given); err != nil {
			t.Fatal(err)
		}
		t.Run(given.Name, func(t *testing.T) {
			for _, need := range given.Needs {
				if reason := known.Needs[need]; reason != "" {
					t.Skip(reason)
				}
			}
			reason := known.Client[given.Name]
			fault := given.run(t)
			switch {
			case fault != "" && reason == "":
				t.Error(fault)
			case fault == "" && reason != "":
				t.Error("the exception is not necessary:", reason)
			}
		})
		count++
	}
	t.Log("cases:", count)
}

// run returns what is wrong with the outcome of a case.
func (given *clientCase) run(t *testing.T) string {
	address := os.Getenv("SERVER")
	if given.Response != nil {
		address = os.Getenv("CANNED")
		post(t, "/respond", given.Name)
	}
	client := conformance.NewConformanceClient(
		address, conformance.WithKey("key"), conformance.WithSecret("secret"), conformance.WithAPIKey("k&y é="), conformance.WithSession("s=1"),
	)
	service := strings.ToUpper(given.Service[:1]) + strings.ReplaceAll(given.Service[1:], "/", "")
	method := reflect.ValueOf(client).Elem().FieldByName(service).MethodByName(given.Method)
	request, value := given.Request, given.Value
	if given.Echo != nil {
		request, value = given.Echo, given.Echo
	}
	args := []reflect.Value{reflect.ValueOf(context.Background())}
	if method.Type().NumIn() == 2 {
		argument := reflect.New(method.Type().In(1).Elem())
		if request == nil {
			argument = reflect.Zero(method.Type().In(1))
		} else if err := json.Unmarshal(request, argument.Interface()); err != nil {
			return err.Error()
		}
		args = append(args, argument)
	}
	results := method.Call(args)
	err, _ := results[len(results)-1].Interface().(error)
	if given.Error != nil {
		return given.compareError(err)
	} else if err != nil {
		return err.Error()
	}
	if given.Response == nil {
		if difference := post(t, "/received", given.Name); difference != "" {
			return "the handler received " + difference
		}
	}
	if len(results) == 1 {
		return ""
	}
	wanted := reflect.New(results[0].Type().Elem()).Interface()
	if err := json.Unmarshal(value, wanted); err != nil {
		return err.Error()
	}
	got, err := json.Marshal(results[0].Interface())
	if err != nil {
		return err.Error()
	}
	if want, _ := json.Marshal(wanted); !bytes.Equal(got, want) {
		return string(got) + " instead of " + string(want)
	}
	return ""
}

func printed(data *conformance.Quota) string {
	text, err := json.Marshal(data)
	return fmt.Sprint(string(text), err)
}

// compareError returns which property of an error differs.
func (given *clientCase) compareError(err error) string {
	var got *ridl.Error
	if !errors.As(err, &got) {
		if err == nil {
			return "there is no error"
		}
		return err.Error()
	}
	properties := map[string]any{
		"name": got.Name, "code": float64(got.Code), "status": float64(got.Status), "message": got.Message, "cause": got.Cause,
	}
	var wanted map[string]any
	var with struct{ Data *conformance.Quota }
	if err := errors.Join(json.Unmarshal(given.Error, &wanted), json.Unmarshal(given.Error, &with)); err != nil {
		return err.Error()
	}
	if data, want := printed(conformance.ErrQuotaReached.DataOf(got)), printed(with.Data); data != want {
		return "the error has the data " + data + " instead of " + want
	}
	for name, want := range wanted {
		if name == "data" {
			continue
		}
		if want == nil {
			want = ""
		}
		if properties[name] != want {
			return strings.Join([]string{"the error has another", name + ":", err.Error()}, " ")
		}
	}
	if given.Response != nil && got.Name == "WebrpcBadResponse" && got.Reason != "bad-response" {
		return "the reason is " + got.Reason
	}
	return ""
}
