package secret_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/internal/secret"
)

func ExampleHider_Hide() {
	h := secret.New("k3y/k3y/k3y")
	fmt.Println(h.Hide("GET /search?api_key=k3y%2Fk3y%2Fk3y: Basic OmszeS9rM3kvazN5 was refused"))
	// Output: GET /search?api_key=[API key]: Basic Om[API key] was refused
}
