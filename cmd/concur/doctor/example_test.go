package doctor_test

import (
	"errors"
	"fmt"

	"github.com/seed-5817661a/concur/cmd/concur/doctor"
)

func ExampleExamination_Tried() {
	var d doctor.Examination
	d.Tried("runs folder", "runs", true, errors.New("read-only file system"), "choose another with --runs-dir")
	fmt.Println(d.Failed(), d.Checks[0].State, d.Checks[0].Detail)
	// Output: true fails read-only file system
}
