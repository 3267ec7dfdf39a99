package wire_test

import (
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/model/wire"
)

func ExampleEvents() {
	body := ": wait\n\nevent: piece\ndata: {\"text\": \"42\"}\n\ndata: [DONE]\n\n"
	events := wire.NewEvents(strings.NewReader(body))
	for {
		data, err := events.Next()
		if err != nil {
			fmt.Println(err, events.Done())
			return
		}
		fmt.Printf("%s", data)
	}
	// Output:
	// {"text": "42"}
	// EOF true
}

func ExampleLive() {
	live := wire.NewLive(wire.NewKey("sk-12345678"), func(piece string) { fmt.Print(piece) })
	live.Add("the key sk-12")
	live.Add("345678 is wrong")             // the last characters wait, because they may begin the key in another spelling
	live.Rest("the key [API key] is wrong") // the complete content
	// Output: the key [API key] is wrong
}
