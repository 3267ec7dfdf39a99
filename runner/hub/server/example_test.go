package server_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/seed-5817661a/concur/runner/hub/server"
)

func ExampleStart() {
	dir, err := os.MkdirTemp("", "hub-*")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	hub, err := server.Start(server.Options{Dir: dir, Listen: "127.0.0.1:0", Store: 16 << 20})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer hub.Close()
	fmt.Println(strings.HasPrefix(hub.URL(), "nats://127.0.0.1:"), hub.Store())
	// Output: true 16777216
}
