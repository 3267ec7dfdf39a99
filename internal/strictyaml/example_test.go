package strictyaml_test

import (
	"fmt"
	"time"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

func ExampleDecode() {
	settings := struct {
		Model   string        `yaml:"model"`
		Timeout time.Duration `yaml:"timeout"`
	}{Timeout: 30 * time.Second}

	err := strictyaml.Decode("concur.yaml", []byte("model: 010\n"), &settings)
	fmt.Println(settings.Model, settings.Timeout, err)

	err = strictyaml.Decode("concur.yaml", []byte("modle: x\ntimeout: 5\n"), &settings)
	fmt.Println(err)
	// Output:
	// 010 30s <nil>
	// concur.yaml:1:1: modle: unknown field "modle" (did you mean "model"?)
	// concur.yaml:2:10: timeout: expected a duration such as 30s or 5m, found the number 5
}
