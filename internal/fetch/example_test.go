package fetch_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/seed-5817661a/concur/internal/fetch"
)

func ExampleClient_Do() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusPaymentRequired)
	}))
	defer server.Close()
	c := fetch.New(fetch.Options{UserAgent: "example/1 (https://example.org)", AllowPrivate: true})
	defer c.Close()
	resp, err := c.Do(context.Background(), fetch.Request{URL: server.URL + "/search?q=nile"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(resp.Status, resp.Failure().Kind)

	_, err = fetch.New(fetch.Options{}).Do(context.Background(), fetch.Request{URL: "http://192.168.1.1/admin"})
	fmt.Println(err)
	// Output:
	// 402 quota
	// 192.168.1.1: dial tcp 192.168.1.1:80: the address is not of the public Internet
}
