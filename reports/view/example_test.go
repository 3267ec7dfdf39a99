package view_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"

	"github.com/seed-5817661a/concur/reports/view"
)

func ExampleServe() {
	runs, err := os.MkdirTemp("", "runs")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(runs)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	o := view.Options{RunsDir: runs, Token: view.NewToken()}
	go func() { ended <- view.Serve(ctx, listener, o) }()

	for _, address := range []string{view.Address(listener.Addr(), o.Token, ""), view.Address(listener.Addr(), "guessed", "")} {
		reply, err := http.Get(address)
		if err != nil {
			fmt.Println(err)
			break
		}
		fmt.Println(reply.Status)
		reply.Body.Close()
	}
	stop()
	fmt.Println(<-ended)
	http.DefaultClient.CloseIdleConnections()
	// Output:
	// 200 OK
	// 403 Forbidden
	// <nil>
}
