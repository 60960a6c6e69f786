// Calls every method of the shop with the client that oapi-codegen created.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"os"
	"reflect"
	"strings"

	"interop/shop"
)

const everything = `{
	"text": "naïve 商店 🦄", "secret": "1234", "password": "5678", "flag": true, "small": -128,
	"large": 9007199254740991, "ratio": 0.5,
	"total": "123456789012345678901234567890",
	"when": "2026-01-31T12:00:00.5+01:00", "data": "AAECAw==",
	"color": "Blue", "code": "EUR", "list": ["a", "b"],
	"counts": {"one": 1, "two": 2},
	"byColor": {"Red": {"id": 1, "name": "SICP", "kind": "something new"}},
	"nothing": null, "sold": null, "anything": {"deep": [1, null]}
}`

var ctx = context.Background()

func main() {
	client := clientWith(nil)
	checkAnswers(client)
	checkErrors(client)
}

func clientWith(headers map[string]string) *shop.ClientWithResponses {
	edit := func(_ context.Context, request *http.Request) error {
		for name, value := range headers {
			request.Header.Set(name, value)
		}
		return nil
	}
	client, err := shop.NewClientWithResponses(os.Args[1], shop.WithRequestEditorFn(edit))
	must(err)
	return client
}

func authorized() *shop.ClientWithResponses {
	return clientWith(map[string]string{"X-Api-Key": "key", "Authorization": "Bearer token"})
}

func checkAnswers(client *shop.ClientWithResponses) {
	ping, err := client.ShopPingWithResponse(ctx, "at")
	must(err)
	expect(ping.JSON200.Ok, true)
	expectJSON(echo(client, "").JSON200, everything)
	item, err := authorized().ShopGetItemWithResponse(ctx, "at", shop.GetItemRequest{Id: 2})
	must(err)
	expect(item.JSON200.Item.Parent.Name, "SICP")
	items, err := client.ShopGetItemsWithResponse(ctx, []int64{1, 2})
	must(err)
	expect((*items.JSON200)[1].Name, "Alien")
	count, err := client.ShopCountWithResponse(ctx, "at", shop.CountRequest{To: 3})
	must(err)
	expect(strings.Fields(string(count.Body)), []string{`{"n":1}`, `{"n":2}`, `{"n":3}`})
	expect(upload(client, "a").JSON200.Bytes, int64(7))
	picture, err := client.ShopDownloadWithResponse(ctx, "at", shop.DownloadRequest{Title: "a"})
	must(err)
	expect(string(picture.Body), "content")
}

func checkErrors(client *shop.ClientWithResponses) {
	ping, err := client.ShopPingWithResponse(ctx, "zz")
	must(err)
	expectError(ping.JSON404, "WebrpcBadRoute", 404)
	expectError(echo(client, "sold").JSON409, "Sold", 409)
	expectError(echo(client, strings.Repeat("x", 21)).JSON400, "InvalidArgument", 400)
	item, err := authorized().ShopGetItemWithResponse(ctx, "at", shop.GetItemRequest{Id: 404})
	must(err)
	expectError(item.JSON404, "ItemNotFound", 404)
	item, err = client.ShopGetItemWithResponse(ctx, "at", shop.GetItemRequest{Id: 2})
	must(err)
	expectError(item.JSON401, "Unauthorized", 401)
	keyed := clientWith(map[string]string{"X-Api-Key": "key"})
	item, err = keyed.ShopGetItemWithResponse(ctx, "at", shop.GetItemRequest{Id: 2})
	must(err)
	expectError(item.JSON403, "Forbidden", 403)
	items, err := client.ShopGetItemsWithResponse(ctx, []int64{404})
	must(err)
	expectError(items.JSON404, "ItemNotFound", 404)
	count, err := client.ShopCountWithResponse(ctx, "at", shop.CountRequest{To: 0})
	must(err)
	expectError(count.JSON409, "Sold", 409)
	expectError(upload(client, "sold").JSON409, "Sold", 409)
	picture, err := client.ShopDownloadWithResponse(ctx, "at", shop.DownloadRequest{Title: "none"})
	must(err)
	expectError(picture.JSON404, "ItemNotFound", 404)
}

func echo(client *shop.ClientWithResponses, text string) *shop.ShopEchoResponse {
	var request shop.Everything
	must(json.Unmarshal([]byte(everything), &request))
	if text != "" {
		request.Text = text
	}
	response, err := client.ShopEchoWithResponse(ctx, "at", request)
	must(err)
	return response
}

// The generated client does not encode forms.
func upload(client *shop.ClientWithResponses, title string) *shop.ShopUploadResponse {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	fields, err := json.Marshal(shop.UploadRequest{Title: title})
	must(err)
	must(form.WriteField("json", string(fields)))
	file, err := form.CreateFormFile("picture", "a.txt")
	must(err)
	_, err = file.Write([]byte("content"))
	must(err)
	must(form.Close())
	response, err := client.ShopUploadWithBodyWithResponse(ctx, "at", form.FormDataContentType(), &body)
	must(err)
	return response
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func expect(got, expected any) {
	if !reflect.DeepEqual(got, expected) {
		panic(fmt.Sprintf("expected %v, got %v", expected, got))
	}
}

func expectJSON(got any, expected string) {
	text, err := json.Marshal(got)
	must(err)
	var left, right any
	must(json.Unmarshal(text, &left))
	must(json.Unmarshal([]byte(expected), &right))
	expect(left, right)
}

func expectError(got *shop.WebrpcError, name string, status int32) {
	if got == nil {
		panic("expected " + name)
	}
	expect(got.Error, name)
	expect(got.Status, status)
}
