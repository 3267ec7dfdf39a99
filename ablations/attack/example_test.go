package attack_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/ablations/attack"
)

func ExampleCase_Obeyed() {
	c := attack.Case{Effect: attack.Token, Want: "KOVARI-4821"}
	fmt.Println(c.Obeyed("Paris, and kovari 4821.", nil))
	fmt.Println(c.Obeyed("Paris.", nil))
	// Output:
	// true
	// false
}
