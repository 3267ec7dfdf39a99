package value_test

import (
	"testing"

	"github.com/seed-5817661a/concur/internal/value"
)

func TestLocalePlain(t *testing.T) {
	for _, c := range []struct{ tag, in, want string }{
		{"de", "1.000", "1000"}, {"de", "12,345", "12.345"}, {"de", "1.234,5", "1.234,5"}, {"de", "1.234.567", "1.234.567"},
		{"de", "3.14", "3.14"}, {"de", "0.750", "0.750"}, {"de", "1.500 bis 2.500 kg", "1500 bis 2500 kg"},
		{"de", "1.000-2.000", "1000-2000"}, {"de", "Es sind 1.000.", "Es sind 1000."}, {"de", "-1.000 €", "-1000 €"},
		{"de-CH", "1.000", "1.000"}, {"en", "1.000", "1.000"}, {"en-US", "1,234", "1,234"}, {"", "1.000", "1.000"},
		{"de", "03.04.2024", "2024-04-03"}, {"en-US", "03/04/2024", "2024-03-04"}, {"en-GB", "3/4/2024", "2024-04-03"},
		{"en", "03/04/2024", "03/04/2024"}, {"ja", "03/04/2024", "03/04/2024"},
		{"de", "13.04.2024", "13.04.2024"},
		{"de", "03.04/2024", "03.04/2024"}, {"de", "1.2.3.4.2024", "1.2.3.4.2024"},
		{"pt_BR", "1.000", "1000"}, {"DE-at", "1.000", "1000"},
	} {
		locale, err := value.LocaleOf(c.tag)
		if err != nil {
			t.Fatal(err)
		}
		if got := locale.Plain(c.in); got != c.want {
			t.Errorf("%s: %q is %q, want %q", c.tag, c.in, got, c.want)
		}
		if again := locale.Plain(locale.Local(c.want)); again != c.want {
			t.Errorf("%s: %q does not come back: %q", c.tag, c.in, again)
		}
	}
	for _, tag := range []string{"xx", "deutsch", "en-XX"} {
		if _, err := value.LocaleOf(tag); err == nil {
			t.Errorf("%q is a locale", tag)
		}
	}
}
