package value_test

import (
	"testing"

	"github.com/seed-5817661a/concur/internal/value"
)

func TestParseClock(t *testing.T) {
	for in, want := range map[string]string{
		"14:30": "14:30", "2:30 pm": "14:30", "2:30 p.m.": "14:30", "2.30pm": "14:30", "2 pm": "14:00", "12 am": "00:00",
		"12:15 PM": "12:15", "14:30:15": "14:30:15", "14:30:00": "14:30", "14.30 Uhr": "14:30", "14 Uhr": "14:00",
		"14 Uhr 30": "14:30", "14h30": "14:30", "下午2点30分": "14:30",
		"14時30分": "14:30", "at 9:05": "09:05",
		"9:00 to 17:00": "09:00..17:00", "9:00-17:00": "09:00..17:00", "9–5 pm": "09:00..17:00", "1-5 pm": "13:00..17:00",

		"from 9 am to 5 p.m.": "09:00..17:00", "von 9 bis 17 Uhr": "09:00..17:00", "between 9:00 and 17:00": "09:00..17:00",
		"9時から17時まで": "09:00..17:00", "de 9:00 a 17:00": "09:00..17:00", "24:00": "00:00", "22:00 to 6:00": "22:00..06:00",
		"noon": "12:00", "at Midnight": "00:00", "12 noon": "12:00", "9 am to noon": "09:00..12:00", "noonday": "", "afternoon": "", "noon tea": "",
		"13 pm": "", "25:00": "", "14:60": "", "14": "", "9-5": "", "1.5": "", "14:30 apples": "", "": "", "16:9": "", "1:02:03:04": "",
	} {
		got := ""
		if v, err := value.ParseClock(in); err == nil {
			got = v.Clock.String()
		}
		if got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}

func TestFindClocks(t *testing.T) {
	const s = "On 5 March 2024 at 14:30 it opened; before, from 9 am to 5 pm. Ratio 16:9, version 1.26.0, 10:30:45:2."
	var got []string
	for _, v := range value.FindClocks(s, 10) {
		got = append(got, v.Of(s))
	}
	if len(got) != 2 || got[0] != "14:30" || got[1] != "9 am to 5 pm" {
		t.Errorf("found %q", got)
	}
	const named = "The shop is open from 9 am to noon; this afternoon a noonday sale, at midnight."
	got = nil
	for _, v := range value.FindClocks(named, 10) {
		got = append(got, v.Of(named))
	}
	if len(got) != 2 || got[0] != "9 am to noon" || got[1] != "midnight" {
		t.Errorf("found %q", got)
	}
	clock := func(s string) value.Value {
		v, err := value.ParseClock(s)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, c := range []struct {
		a, b   string
		differ bool
	}{{"14:30", "2:30 pm", false}, {"2:30", "2:30 pm", false}, {"14:30", "14:31", true}, {"9:00 to 17:00", "9:00", true}} {
		if got := value.Differ(clock(c.a), clock(c.b)); got != c.differ {
			t.Errorf("%s and %s differ: %t", c.a, c.b, got)
		}
	}
}
