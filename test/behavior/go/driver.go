// A driver of `ridl conformance` for the client of the conformance contract.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"time"

	"example.com/conformance"
	"example.com/conformance/ridl"
)

type call struct {
	URL, Service, Method string
	Request              json.RawMessage
	Credentials          map[string]string
	Options              struct {
		TimeoutMs, Attempts, Take int
		IdempotencyKey            string
		CheckResponses, Reconnect bool
		Headers                   map[string]string
	}
}

type file struct {
	Name   string `json:"name"`
	Type   string `json:"type"`
	Base64 []byte `json:"base64"`
}

type object = map[string]any

func main() {
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var given call
		if err := json.Unmarshal(line, &given); err != nil {
			panic(err)
		}
		out, err := json.Marshal(given.run())
		if err != nil {
			panic(err)
		}
		fmt.Println(string(out))
	}
}

var credentials = map[string]func(string) ridl.Option{
	"Key": conformance.WithKey, "Secret": conformance.WithSecret, "UserLogin": conformance.WithUserLogin,
	"ApiKey": conformance.WithAPIKey, "Session": conformance.WithSession,
}

// run makes the call, and returns what came of it.
func (c *call) run() object {
	options := []ridl.Option{ridl.WithTimeout(time.Duration(c.Options.TimeoutMs) * time.Millisecond)}
	for name, value := range c.Credentials {
		options = append(options, credentials[name](value))
	}
	for name, value := range c.Options.Headers {
		options = append(options, ridl.WithHeader(name, value))
	}
	if c.Options.Attempts > 0 {
		options = append(options, ridl.WithRetry(ridl.Retry{Attempts: c.Options.Attempts, Delay: time.Millisecond}))
	}
	if c.Options.Reconnect {
		options = append(options, ridl.WithReconnect(ridl.Reconnect{Attempts: c.Options.Attempts, Delay: time.Millisecond}))
	}
	if c.Options.CheckResponses {
		options = append(options, ridl.WithCheckedResponses())
	}
	ctx := context.Background()
	if c.Options.IdempotencyKey != "" {
		ctx = ridl.WithIdempotencyKey(ctx, c.Options.IdempotencyKey)
	}
	client := conformance.NewConformanceClient(c.URL, options...)
	service := strings.ToUpper(c.Service[:1]) + strings.ReplaceAll(c.Service[1:], "/", "")
	method := reflect.ValueOf(client).Elem().FieldByName(service).MethodByName(c.Method)
	args := []reflect.Value{reflect.ValueOf(ctx)}
	if method.Type().NumIn() == 2 {
		argument := reflect.New(method.Type().In(1).Elem())
		if c.Request == nil {
			argument = reflect.Zero(method.Type().In(1))
		} else if err := json.Unmarshal(c.Request, argument.Interface()); err != nil {
			return object{"refused": err.Error()}
		} else if err := c.readFiles(argument.Elem()); err != nil {
			return object{"refused": err.Error()}
		}
		args = append(args, argument)
	}
	results := method.Call(args)
	if results[0].Kind() == reflect.Func {
		return c.runStream(results[0])
	}
	if err, _ := results[len(results)-1].Interface().(error); err != nil {
		return failed(err)
	} else if len(results) == 1 {
		return object{"value": object{}}
	}
	return valueOf(results[0])
}

// readFiles sets the fields of a request that are files.
func (c *call) readFiles(request reflect.Value) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(c.Request, &members); err != nil {
		return err
	}
	for i := range request.NumField() {
		name := request.Type().Field(i).Name
		member := members[strings.ToLower(name[:1])+name[1:]]
		switch field := request.Field(i).Addr().Interface().(type) {
		case **ridl.File:
			var given file
			if err := json.Unmarshal(member, &given); err != nil {
				return err
			}
			*field = &ridl.File{Name: given.Name, Type: given.Type, Content: bytes.NewReader(given.Base64)}
		case *[]*ridl.File:
			var all []file
			if err := json.Unmarshal(append([]byte{}, member...), &all); member != nil && err != nil {
				return err
			}
			for _, given := range all {
				*field = append(*field, &ridl.File{Name: given.Name, Type: given.Type, Content: bytes.NewReader(given.Base64)})
			}
		}
	}
	return nil
}

func (c *call) runStream(stream reflect.Value) object {
	items := []any{}
	for item, failure := range stream.Seq2() {
		if err, _ := failure.Interface().(error); err != nil {
			outcome := failed(err)
			outcome["items"] = items
			return outcome
		}
		items = append(items, item.Interface())
		if len(items) == c.Options.Take {
			break
		}
	}
	return object{"items": items}
}

func valueOf(result reflect.Value) object {
	if response := result.Elem(); response.Kind() == reflect.Struct && response.NumField() > 0 {
		if received, isFile := response.Field(0).Interface().(*ridl.File); isFile {
			content, err := io.ReadAll(received.Content)
			if err != nil {
				return object{"error": object{"message": err.Error()}}
			}
			return object{"value": object{"file": file{received.Name, received.Type, content}}}
		}
	}
	return object{"value": result.Interface()}
}

func failed(err error) object {
	var e *ridl.Error
	if !errors.As(err, &e) {
		return object{"refused": err.Error()}
	}
	outcome := object{"name": e.Name, "code": e.Code, "status": e.Status, "message": e.Message}
	if e.Cause != "" {
		outcome["cause"] = e.Cause
	}
	if e.Reason != "" {
		outcome["reason"] = e.Reason
	}
	if data := conformance.ErrQuotaReached.DataOf(err); data != nil {
		outcome["data"] = data
	}
	return object{"error": outcome}
}
