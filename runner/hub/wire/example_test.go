package wire_test

import (
	"bytes"
	"fmt"
	"io"

	"github.com/seed-5817661a/concur/runner/hub/wire"
	"github.com/seed-5817661a/concur/trace"
)

func ExampleDelivery() {
	id := trace.ID{Agent: "0123456789abcdef", Query: "q1"}
	sent := wire.Delivery{ID: id, Worker: "w", Lines: []wire.Line{{Event: &trace.Event{ID: id,
		Body: trace.Conclusion{StopReason: trace.Final, Message: "42"}}}}}
	messages, err := sent.Encode(750 << 10)
	if err != nil {
		fmt.Println(err)
		return
	}
	part, err := wire.ReadPart(messages[0])
	if err != nil {
		fmt.Println(err)
		return
	}
	var d wire.Decoder
	got, err := d.Decode(part.PartHead, func() io.Reader { return bytes.NewReader(part.Data) })
	end, _ := got.End()
	fmt.Println(part.Parts, end.Message, got.Check(), err)
	// Output: 1 42 <nil> <nil>
}
