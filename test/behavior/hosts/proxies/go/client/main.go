// Reads all transfers of a server at once. Usage: client URL ENDING SIZE
package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strconv"
	"sync"
	"time"

	"example.com/transfers"
	"example.com/transfers/ridl"
)

// progress is what a transfer has received: its first part, or all until it ended.
type progress struct {
	Name    string `json:"name"`
	Count   int    `json:"count"`
	IsOver  bool   `json:"isOver"`
	Failure string `json:"failure,omitempty"`
}

func reasonOf(err error) string {
	var e *ridl.Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &e) && e.Reason != "":
		return e.Reason
	case e != nil:
		return e.Name
	}
	return err.Error()
}

// read reads the content of a file in parts.
func read(content io.ReadCloser, onPart func(int)) error {
	defer content.Close()
	part := make([]byte, 64<<10)
	for {
		n, err := content.Read(part)
		if n > 0 {
			onPart(n)
		}
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func main() {
	ctx, ending := context.Background(), os.Args[2]
	number, _ := strconv.ParseUint(os.Args[3], 10, 32)
	size := uint32(number)
	client := transfers.NewTransfersClient(os.Args[1], ridl.WithTimeout(5*time.Second))
	download := func(size *uint32) func(func(int)) error {
		return func(onPart func(int)) error {
			response, err := client.Files.Download(ctx, &transfers.DownloadRequest{Ending: ending, Size: size})
			if err != nil {
				return err
			}
			return read(response.File.Content.(io.ReadCloser), onPart)
		}
	}
	get := func(id string) func(func(int)) error {
		return func(onPart func(int)) error {
			response, err := client.Pictures.Get(ctx, &transfers.GetRequest{ID: id})
			if err != nil {
				return err
			}
			return read(response.File.Content.(io.ReadCloser), onPart)
		}
	}
	all := map[string]func(onPart func(int)) error{
		"lines": func(onPart func(int)) error {
			for _, err := range client.Clock.Watch(ctx, &transfers.WatchRequest{Ending: ending}) {
				if err != nil {
					return err
				}
				onPart(1)
			}
			return nil
		},
		"events": func(onPart func(int)) error {
			for _, err := range client.Prices.Follow(ctx, &transfers.FollowRequest{Ticker: ending}) {
				if err != nil {
					return err
				}
				onPart(1)
			}
			return nil
		},
		"a file of known size":        download(&size),
		"a file of unknown size":      download(nil),
		"a REST file of known size":   get(ending + "," + os.Args[3]),
		"a REST file of unknown size": get(ending),
	}
	var printing sync.Mutex
	tell := func(p progress) {
		printing.Lock()
		defer printing.Unlock()
		_ = json.NewEncoder(os.Stdout).Encode(p)
	}
	var running sync.WaitGroup
	for name, transfer := range all {
		running.Add(1)
		go func() {
			defer running.Done()
			count := 0
			err := transfer(func(n int) {
				if count += n; count == n {
					tell(progress{Name: name, Count: count})
				}
			})
			tell(progress{name, count, true, reasonOf(err)})
		}()
	}
	running.Wait()
}
