// The server of the conformance contract, with the handlers of conformance-server.ts.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"example.com/conformance"
	"example.com/conformance/ridl"
)

type names struct{}

func (names) Get(_ context.Context, request *conformance.Point) (*conformance.Point, error) {
	return request, nil
}

type access struct{}

func (access) Open(_ context.Context, request *conformance.OpenRequest) (*conformance.OpenResponse, error) {
	return (*conformance.OpenResponse)(request), nil
}

func (access) Guarded(_ context.Context, request *conformance.GuardedRequest) (*conformance.GuardedResponse, error) {
	return (*conformance.GuardedResponse)(request), nil
}

func (access) SignedIn(_ context.Context, request *conformance.SignedInRequest) (*conformance.SignedInResponse, error) {
	return (*conformance.SignedInResponse)(request), nil
}

type keys struct{}

func (keys) ReadKeyed(_ context.Context, request *conformance.ReadKeyedRequest) (*conformance.ReadKeyedResponse, error) {
	return (*conformance.ReadKeyedResponse)(request), nil
}

func (keys) ReadStored(_ context.Context, request *conformance.ReadStoredRequest) (*conformance.ReadStoredResponse, error) {
	return (*conformance.ReadStoredResponse)(request), nil
}

func (keys) CallKeyed(_ context.Context, request *conformance.CallKeyedRequest) (*conformance.CallKeyedResponse, error) {
	return (*conformance.CallKeyedResponse)(request), nil
}

func (keys) ReadSession(_ context.Context, request *conformance.ReadSessionRequest) (*conformance.ReadSessionResponse, error) {
	return (*conformance.ReadSessionResponse)(request), nil
}

func (keys) EndSession(context.Context, *conformance.EndSessionRequest) error { return nil }

func (keys) Either(context.Context, *conformance.EitherRequest) error { return nil }

func (keys) Optional(context.Context, *conformance.OptionalRequest) error { return nil }

var errorsByName = map[string]*ridl.Error{}

func init() {
	for _, e := range []*ridl.Error{
		conformance.ErrKeyMissing, conformance.ErrForbidden, conformance.ErrConflict, conformance.ErrGeoblocked,
		conformance.ErrOutage, conformance.ErrInvalidArgument, ridl.ErrEndpoint, ridl.ErrRequestFailed, ridl.ErrBadRoute,
		ridl.ErrBadMethod, ridl.ErrBadRequest, ridl.ErrBadResponse, ridl.ErrServerPanic, ridl.ErrInternalError,
		ridl.ErrClientDisconnected, ridl.ErrStreamLost,
	} {
		errorsByName[e.Name] = e
	}
}

var errSecret = errors.New("secret of the house")

// fail fails as requested.
func fail(how string) error {
	kind, name, _ := strings.Cut(how, " ")
	switch kind {
	case "plain":
		return fmt.Errorf("%w", errorsByName[name])
	case "message":
		return errorsByName[name].WithMessage("another text")
	case "cause":
		return errorsByName[name].WithCause("because: “é😀”")
	case "object":
		return errorsByName[name].Wrap(errSecret)
	case "exception", "text":
		panic("secret of the house")
	case "nothing", "rejection":
		return errSecret
	}
	return nil
}

// valueFor returns a value that the contract allows, or one beyond its limit.
func valueFor(how string) uint8 {
	if how == "beyond" {
		return 200
	}
	return 7
}

type faults struct{}

func (faults) Fail(_ context.Context, request *conformance.FailRequest) (*conformance.FailResponse, error) {
	if request.How == "null" || request.How == "invalid" {
		return nil, fail(request.How)
	}
	return &conformance.FailResponse{Value: valueFor(request.How)}, fail(request.How)
}

func (faults) FailAs(_ context.Context, request *conformance.FailAsRequest) (*conformance.FailAsResponse, error) {
	if request.How == "null" || request.How == "invalid" {
		return nil, fail(request.How)
	}
	return &conformance.FailAsResponse{Value: valueFor(request.How)}, fail(request.How)
}

// failWith fails with data as requested.
func failWith(how string, data conformance.Quota) error {
	switch how {
	case "missing":
		return conformance.ErrQuotaReached
	case "undeclared":
		undeclared := *conformance.ErrConflict
		undeclared.Data = &data
		return &undeclared
	case "cause":
		return conformance.ErrQuotaReached.WithData(&data).WithCause("because")
	case "invalid", "negative": // A uint64 is never negative.
		data.ResetAt = time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return conformance.ErrQuotaReached.WithData(&data)
}

func (faults) FailWith(_ context.Context, request *conformance.FailWithRequest) (*conformance.FailWithResponse, error) {
	return nil, failWith(request.How, request.Data)
}

type sizes struct{}

func (sizes) Body(context.Context, *conformance.BodyRequest) error { return nil }

func (sizes) Length(_ context.Context, request *conformance.LengthRequest) (*conformance.LengthResponse, error) {
	var list []json.RawMessage
	_ = json.Unmarshal(request.Value, &list) // Other values have the length 0.
	return &conformance.LengthResponse{Length: uint32(len(list))}, nil
}

type timing struct{}

func sleep(ctx context.Context, ms uint32) {
	select {
	case <-time.After(time.Duration(ms) * time.Millisecond):
	case <-ctx.Done():
	}
}

func (timing) Sleep(ctx context.Context, request *conformance.SleepRequest) (*conformance.SleepResponse, error) {
	sleep(ctx, request.Ms)
	return &conformance.SleepResponse{}, nil
}

func (timing) Rest(ctx context.Context, request *conformance.RestRequest) (*conformance.RestResponse, error) {
	sleep(ctx, request.Ms)
	return &conformance.RestResponse{}, nil
}

type reads struct{}

func (reads) Thing(_ context.Context, request *conformance.ThingRequest) (*conformance.ThingResponse, error) {
	return &conformance.ThingResponse{Thing: conformance.Thing(*request)}, nil
}

func (reads) Name(_ context.Context, request *conformance.NameRequest) (*conformance.NameResponse, error) {
	return (*conformance.NameResponse)(request), nil
}

func (reads) Blob(_ context.Context, request *conformance.BlobRequest) (*conformance.BlobResponse, error) {
	return (*conformance.BlobResponse)(request), nil
}

func (reads) Own(_ context.Context, request *conformance.OwnRequest) (*conformance.OwnResponse, error) {
	return (*conformance.OwnResponse)(request), nil
}

type orders struct{}

func (orders) Query(_ context.Context, request *conformance.QueryRequest) (*conformance.QueryResponse, error) {
	return (*conformance.QueryResponse)(request), nil
}

func (orders) Joined(_ context.Context, request *conformance.JoinedRequest) (*conformance.JoinedResponse, error) {
	return (*conformance.JoinedResponse)(request), nil
}

func (orders) Put(_ context.Context, request *conformance.PutRequest) (*conformance.PutResponse, error) {
	return (*conformance.PutResponse)(request), nil
}

func (orders) Change(_ context.Context, request *conformance.ChangeRequest) (*conformance.ChangeResponse, error) {
	return &conformance.ChangeResponse{Point: request.Point}, nil
}

func (orders) Create(_ context.Context, request *conformance.CreateRequest) (*conformance.CreateResponse, error) {
	return (*conformance.CreateResponse)(request), nil
}

func (orders) Remove(context.Context, *conformance.RemoveRequest) error { return nil }

func (orders) Reset(context.Context, *conformance.ResetRequest) error { return nil }

func (orders) Cancel(context.Context, *conformance.CancelRequest) error { return nil }

type files struct{}

func (files) Folder(context.Context) error { return nil }

func (files) All(context.Context) error { return nil }

func (files) Whole(_ context.Context, request *conformance.WholeRequest) (*conformance.WholeResponse, error) {
	return (*conformance.WholeResponse)(request), nil
}

func (files) Suffix(_ context.Context, request *conformance.SuffixRequest) (*conformance.SuffixResponse, error) {
	return (*conformance.SuffixResponse)(request), nil
}

func (files) Version(_ context.Context, request *conformance.VersionRequest) (*conformance.VersionResponse, error) {
	return (*conformance.VersionResponse)(request), nil
}

func (files) Batch(_ context.Context, request *conformance.BatchRequest) (*conformance.BatchResponse, error) {
	return (*conformance.BatchResponse)(request), nil
}

func (files) Draft(_ context.Context, request *conformance.DraftRequest) (*conformance.DraftResponse, error) {
	return (*conformance.DraftResponse)(request), nil
}

func (files) Below(_ context.Context, request *conformance.BelowRequest) (*conformance.BelowResponse, error) {
	return (*conformance.BelowResponse)(request), nil
}

type lines struct{}

func (lines) Count(
	_ context.Context, request *conformance.CountRequest,
) iter.Seq2[*conformance.CountResponse, error] {
	return func(yield func(*conformance.CountResponse, error) bool) {
		for n := range request.To {
			if !yield(&conformance.CountResponse{N: n + 1, Large: request.Large}, nil) {
				return
			}
		}
	}
}

func (lines) Fail(
	_ context.Context, request *conformance.LinesFailRequest,
) iter.Seq2[*conformance.LinesFailResponse, error] {
	return func(yield func(*conformance.LinesFailResponse, error) bool) {
		for n := range request.After {
			if !yield(&conformance.LinesFailResponse{N: n + 1}, nil) {
				return
			}
		}
		yield(nil, fail(request.How))
	}
}

func (lines) End(_ context.Context, request *conformance.EndRequest) iter.Seq2[*conformance.EndResponse, error] {
	return func(yield func(*conformance.EndResponse, error) bool) {
		if yield(&conformance.EndResponse{N: 1}, nil) {
			yield(nil, failWith(request.How, request.Data))
		}
	}
}

func (lines) Shapes(_ context.Context, request *conformance.ShapesRequest) iter.Seq2[*conformance.ShapesResponse, error] {
	return func(yield func(*conformance.ShapesResponse, error) bool) {
		for _, shape := range request.Shapes {
			if !yield(&conformance.ShapesResponse{Shape: shape}, nil) {
				return
			}
		}
	}
}

func (lines) Follow(_ context.Context, request *conformance.FollowRequest) iter.Seq2[*conformance.FollowResponse, error] {
	return func(yield func(*conformance.FollowResponse, error) bool) {
		n := uint64(1)
		if request.After != nil {
			n = *request.After + 1
		}
		for ; n <= request.To; n++ {
			if !yield(&conformance.FollowResponse{Line: conformance.NumberedLine{N: n}}, nil) {
				return
			}
		}
	}
}

func (lines) Endless(ctx context.Context) iter.Seq2[*conformance.EndlessResponse, error] {
	return func(yield func(*conformance.EndlessResponse, error) bool) {
		for n := uint32(1); yield(&conformance.EndlessResponse{N: n}, nil); n++ {
			sleep(ctx, 2)
		}
	}
}

func (lines) Members(context.Context) iter.Seq2[*conformance.StreamLine, error] {
	return func(yield func(*conformance.StreamLine, error) bool) {
		n := uint32(1)
		yield(&conformance.StreamLine{N: &n, More: map[string]json.RawMessage{"m": json.RawMessage("[1]")}}, nil)
	}
}

type ticks struct{}

func (ticks) Tick(_ context.Context, request *conformance.TickRequest) iter.Seq2[*conformance.TickResponse, error] {
	return func(yield func(*conformance.TickResponse, error) bool) {
		count := uint32(1)
		if request.Count != nil {
			count = *request.Count
		}
		for n := range count {
			tick, err := json.Marshal([]any{request.ID, n + 1})
			if !yield(&conformance.TickResponse{Tick: tick}, err) {
				return
			}
		}
	}
}

func (ticks) Watch(_ context.Context, request *conformance.WatchRequest) iter.Seq2[*conformance.WatchResponse, error] {
	return func(yield func(*conformance.WatchResponse, error) bool) {
		n := uint32(1)
		if request.After != nil {
			n = *request.After + 1
		}
		for ; n <= request.To; n++ {
			if !yield(&conformance.WatchResponse{ID: request.ID, N: n}, nil) {
				return
			}
		}
	}
}

type parts struct{}

func (parts) SendForm(_ context.Context, request *conformance.SendFormRequest) (*conformance.SendFormResponse, error) {
	return (*conformance.SendFormResponse)(request), nil
}

func (parts) SendBrackets(_ context.Context, request *conformance.SendBracketsRequest) (*conformance.SendBracketsResponse, error) {
	return (*conformance.SendBracketsResponse)(request), nil
}

func (parts) PutPage(_ context.Context, request *conformance.PutPageRequest) (*conformance.PutPageResponse, error) {
	page := conformance.Report{Name: request.Name}
	return &conformance.PutPageResponse{Page: page, Counts: request.Counts, Flag: request.Flag}, nil
}

func (parts) CreateReport(_ context.Context, request *conformance.CreateReportRequest) (*conformance.CreateReportResponse, error) {
	switch request.Name {
	case "":
		return &conformance.CreateReportResponse{}, nil
	case "later":
		return &conformance.CreateReportResponse{Ticket: &conformance.Ticket{Position: 1}}, nil
	}
	return &conformance.CreateReportResponse{Report: &conformance.Report{Name: request.Name}}, nil
}

func (parts) ReplaceReport(_ context.Context, request *conformance.ReplaceReportRequest) (*conformance.ReplaceReportResponse, error) {
	status := uint16(200)
	if request.Name == "new" {
		status = 201
	}
	return &conformance.ReplaceReportResponse{Status: status, Report: conformance.Report{Name: request.Name}}, nil
}

func (parts) MergeReport(_ context.Context, request *conformance.MergeReportRequest) (*conformance.MergeReportResponse, error) {
	return &conformance.MergeReportResponse{Received: request.Report}, nil
}

type uploads struct{}

func read(files ...*ridl.File) (all []conformance.Content, err error) {
	for _, file := range files {
		content, err := io.ReadAll(file.Content)
		if err != nil {
			return nil, err
		}
		all = append(all, conformance.Content{Name: file.Name, Type: file.Type, Text: string(content)})
	}
	return all, nil
}

// contents returns nil for no files, which a response then lacks.
func contents(all []conformance.Content) []conformance.Content {
	if len(all) == 0 {
		return nil
	}
	return all
}

func (uploads) Upload(_ context.Context, request *conformance.UploadRequest) (*conformance.UploadResponse, error) {
	all, err := read(append([]*ridl.File{request.Picture}, request.More...)...)
	if err != nil {
		return nil, err
	}
	return &conformance.UploadResponse{Title: request.Title, Picture: all[0], More: contents(all[1:])}, nil
}

func (uploads) Attach(_ context.Context, request *conformance.AttachRequest) (*conformance.AttachResponse, error) {
	all, err := read(append([]*ridl.File{request.Paper}, request.Photos...)...)
	if err != nil {
		return nil, err
	}
	return &conformance.AttachResponse{ID: request.ID, Title: request.Title, Tags: request.Tags, Paper: all[0], Photos: contents(all[1:])}, nil
}

func (uploads) Store(_ context.Context, request *conformance.StoreRequest) (*conformance.StoreResponse, error) {
	all, err := read(request.Content)
	if err != nil {
		return nil, err
	}
	return &conformance.StoreResponse{ID: request.ID, Note: request.Note, Content: all[0]}, nil
}

func textFile(name string) *ridl.File {
	return &ridl.File{Name: name, Type: "text/plain", Content: strings.NewReader(name)}
}

func (uploads) Download(_ context.Context, request *conformance.DownloadRequest) (*conformance.DownloadResponse, error) {
	return &conformance.DownloadResponse{File: textFile(request.Name)}, nil
}

func (uploads) FetchContent(_ context.Context, request *conformance.FetchContentRequest) (*conformance.FetchContentResponse, error) {
	return &conformance.FetchContentResponse{File: textFile(request.ID)}, nil
}

type repeats struct{}

func (repeats) Peek(_ context.Context, request *conformance.PeekRequest) (*conformance.PeekResponse, error) {
	return (*conformance.PeekResponse)(request), nil
}

func (repeats) Push(_ context.Context, request *conformance.PushRequest) (*conformance.PushResponse, error) {
	return (*conformance.PushResponse)(request), nil
}

func (repeats) Pay(_ context.Context, request *conformance.PayRequest) (*conformance.PayResponse, error) {
	return (*conformance.PayResponse)(request), nil
}

func (repeats) Note(_ context.Context, request *conformance.NoteRequest) (*conformance.NoteResponse, error) {
	return (*conformance.NoteResponse)(request), nil
}

// verify accepts one value.
func verify(valid string) ridl.Verify {
	return func(ctx context.Context, value string) (context.Context, error) {
		if value != valid {
			return nil, ridl.ErrRejected
		}
		return ctx, nil
	}
}

func main() {
	handler := conformance.NewConformanceHandler(conformance.ConformanceServer{
		Echo: echo{}, V1Names: names{}, Access: access{}, Faults: faults{}, Sizes: sizes{}, Time: timing{}, Reads: reads{}, Files: files{},
		Lines: lines{}, Orders: orders{}, Keys: keys{}, Ticks: ticks{}, Parts: parts{}, Uploads: uploads{}, Repeats: repeats{},
		Credentials: conformance.Credentials{
			Key: verify("key"), Secret: verify("secret"), UserLogin: verify("w6k6YTpi"), APIKey: verify("k&y é="), Session: verify("s=1"),
		},
	}, ridl.ServerOptions{
		// These handlers fail deliberately.
		OnError: func(context.Context, error) {},
		Idempotency: ridl.Idempotency{
			Store: &ridl.MemoryAnswers{}, Caller: func(context.Context) string { return "anyone" },
		},
		Methods: map[string]ridl.ServerOptions{
			"Keys/ReadStored": {CacheControl: "max-age=60"},
			"Sizes/Body":      {MaxBody: 1000},
			"Time/Sleep":      {Timeout: 120 * time.Millisecond},
		},
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("{\"url\": \"http://%s\"}\n", listener.Addr())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	_ = http.Serve(listener, handler)
}
