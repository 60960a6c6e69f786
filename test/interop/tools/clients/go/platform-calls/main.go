// Calls every method of the platform, and prints the responses.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"strings"

	"interop/platform"
)

type call struct {
	Id         string
	Parameters [][2]json.RawMessage
	Body       json.RawMessage
}

type answer struct {
	Status int `json:"status"`
	JSON   any `json:"json"`
}

func main() {
	text, err := os.ReadFile(os.Args[2])
	must(err)
	var described struct {
		Headers map[string]string
		Calls   []call
	}
	must(json.Unmarshal(text, &described))
	edit := func(_ context.Context, request *http.Request) error {
		for name, value := range described.Headers {
			request.Header.Set(name, value)
		}
		return nil
	}
	client, err := platform.NewClientWithResponses(os.Args[1], platform.WithRequestEditorFn(edit))
	must(err)
	answers := []answer{}
	for _, each := range described.Calls {
		answers = append(answers, send(client, each))
	}
	must(json.NewEncoder(os.Stdout).Encode(answers))
}

// Calls a method. Its arguments are decoded into the types of its parameters.
func send(client *platform.ClientWithResponses, each call) answer {
	name := strings.ReplaceAll(each.Id, "_", "") + "WithResponse"
	method := reflect.ValueOf(client).MethodByName(name)
	arguments := []reflect.Value{reflect.ValueOf(context.Background())}
	texts := []json.RawMessage{}
	for _, parameter := range each.Parameters {
		texts = append(texts, parameter[1])
	}
	if string(each.Body) != "null" {
		texts = append(texts, each.Body)
	}
	for _, text := range texts {
		// Optional headers are a pointer before the body.
		if next := method.Type().In(len(arguments)); next.Kind() == reflect.Pointer {
			arguments = append(arguments, reflect.Zero(next))
		}
		value := reflect.New(method.Type().In(len(arguments)))
		must(json.Unmarshal(text, value.Interface()))
		arguments = append(arguments, value.Elem())
	}
	returned := method.Call(arguments)
	if !returned[1].IsNil() {
		panic(returned[1].Interface())
	}
	response := returned[0].Elem()
	status := response.FieldByName("HTTPResponse").Interface().(*http.Response).StatusCode
	json := response.FieldByName(fmt.Sprintf("JSON%d", status)).Interface()
	return answer{status, json}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
