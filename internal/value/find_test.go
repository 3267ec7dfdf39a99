package value

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// show writes a value compactly: what was read, its kind, number and place, and marks.
func show(s string, v Value) string {
	number := func(n Number) string {
		if n.Rat == nil {
			return ""
		}
		unit := ""
		if n.Unit != nil {
			unit = " " + n.Base().RatString() + " " + n.Dim().String()
		}
		return fmt.Sprintf("%s@%d%s", n.Rat.RatString(), n.Place, unit)
	}
	names := [...]string{"none", "count", "percent", "points", "money", "quantity", "date", "figures"}
	out := []string{v.Of(s), names[v.Kind], string(v.Relation) + number(v.Low)}
	if v.Kind == Date {
		out = append(out[:2], string(v.Relation)+v.Date.String())
	}
	if v.High.Rat != nil {
		out = append(out, number(v.High))
	}
	if v.Other != nil {
		out = append(out, v.Other.String())
	}
	out = append(out, v.Currency.Name())
	for _, flag := range []struct {
		on   bool
		name string
	}{{v.Doubt, "doubt"}, {v.Ordinal, "ordinal"}, {v.InWords, "words"}, {v.Noun != "", "of " + v.Noun}} {
		if flag.on {
			out = append(out, flag.name)
		}
	}
	return strings.Join(slices.DeleteFunc(out, func(s string) bool { return s == "" }), " | ")
}

func TestFind(t *testing.T) {
	for _, c := range findCases {
		var got []string
		for _, v := range Find(c.text, 100) {
			got = append(got, show(c.text, v))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("Find(%q):\ngot  %q\nwant %q", c.text, got, c.want)
		}
	}
}

var findCases = []struct {
	text string
	want []string
}{
	{"It was built on 4 July 1776 and July 4th, 1776, in July 1776, 4th of July, 1776; 44 BC, AD 44, 44 B.C.", []string{
		"4 July 1776 | date | 1776-07-04",
		"July 4th, 1776 | date | 1776-07-04",
		"July 1776 | date | 1776-07",
		"4th of July, 1776 | date | 1776-07-04",
		"44 BC | date | -0043",
		"AD 44 | date | 0044",
		"44 B.C. | date | -0043",
	}},
	{"H2O, COVID-19, F-16, corpus_1, 3D, 747s, mid-1990, pre-1914, 2π, 5x, √2, 10:30, 16.2.1", []string{
		"1990 | count | 1990@0",
		"1914 | count | 1914@0",
		"10:30 | figures",
		"16.2.1 | figures",
	}},
	{"5 to 7 million people, 5-7 km, 1887–1889, 16–24 July 1969, 1939-45, the 1880s, 19th-century, 1st century BC", []string{
		"5 | count | 5@0",
		"7 million | count | 7000000@6 | of people",
		"5 | count | 5@0",
		"7 km | quantity | 7@0 7000 m",
		"1887 | count | 1887@0",
		"1889 | count | 1889@0",
		"16 | date | 1969-07-16",
		"24 July 1969 | date | 1969-07-24",
		"1939 | date | 1939",
		"45 | date | 1945",
		"1880s | date | 1880s",
		"19th-century | date | 19th century",
		"1st century BC | date | 1st century BC",
	}},
	{"between January and August 2008, four years and eight months", []string{
		"January | date | 2008-01",
		"August 2008 | date | 2008-08",
		"four years and eight months | quantity | 56@0 56 month | words",
	}},
	{"July 16–24, 1969, May 2 to 5, 2001; 1931 – June 28, 2016; the 2003–04 season, in 2024-03; dead111,034 wounded", []string{
		"July 16 | date | 1969-07-16",
		"24, 1969 | date | 1969-07-24",
		"May 2 | date | 2001-05-02",
		"5, 2001 | date | 2001-05-05",
		"1931 | count | 1931@0",
		"June 28, 2016 | date | 2016-06-28",
		"2003 | date | 2003",
		"04 | date | 2004",
		"2024-03 | date | 2024-03",
	}},
	{"about 2,000 men, over 5 km, at least $394 billion, EUR 765bn, 394 billion US dollars, an estimated 40 rivers, €5", []string{
		"2,000 | count | ~2000@0 | of men",
		"5 km | quantity | >5@0 5000 m",
		"$394 billion | money | ≥394000000000@9 | $",
		"EUR 765bn | money | 765000000000@9 | EUR",
		"394 billion US dollars | money | 394000000000@9 | USD",
		"40 | count | ~40@0 | of rivers",
		"€5 | money | 5@0 | EUR",
	}},
	{"3.00 × 10^8 m/s, 3.00×10⁸, 10⁵, 1e5, -5 degrees, minus 89.2 degrees Celsius, 330-metre tower, 12 % and 3.5 percent, 2 pp", []string{
		"3.00 × 10^8 m/s | quantity | 300000000@6 300000000 m·s^-1",
		"3.00×10⁸ | count | 300000000@6",
		"10⁵ | count | 100000@0",
		"1e5 | count | 100000@5",
		"-5 degrees | quantity | -5@0 -5 deg",
		"minus 89.2 degrees Celsius | quantity | -446/5@-1 3679/20 K",
		"330-metre | quantity | 330@0 330 m | of tower",
		"12 % | percent | 12@0",
		"3.5 percent | percent | 7/2@-1",
		"2 pp | points | 2@0",
	}},
	{"2024年3月5日, 11月17日, 2020年, 1960年代, 19世纪, 面积是120万平方公里, 二十一, 42个", []string{
		"2024年3月5日 | date | 2024-03-05",
		"11月17日 | date | --11-17",
		"2020年 | date | 2020",
		"1960年代 | date | 1960s",
		"19世纪 | date | 19th century",
		"120万平方公里 | quantity | 1200000@4 1200000000000 m^2",
		"二十一 | count | 21@0 | words",
		"42 | count | 42@0",
	}},
	{"twenty-one men, a hundred, half a million, two and a quarter hours, three quarters, a dozen eggs, the third man, one", []string{
		"twenty-one | count | 21@0 | words | of men",
		"a hundred | count | 100@0 | words",
		"half a million | count | 500000@0 | words",
		"two and a quarter hours | quantity | 9/4@0 8100 s | words",
		"three quarters | count | 3/4@0 | words",
		"a dozen | count | 12@0 | words | of eggs",
		"third | count | 3@0 | ordinal | words | of man",
		"one | count | 1@0 | words",
	}},
	{"07/04/1776 or 03/04/2024, 1776-07-04T10:30Z, 1,23 and 1,234 and 12 345 km, 1990,1991, $1.2M, 5k, 5M, 3bn, 5 m", []string{
		"07/04/1776 | date | 1776-04-07 | 1776-07-04 | doubt",
		"03/04/2024 | date | 2024-04-03 | 2024-03-04 | doubt",
		"1776-07-04T10:30Z | date | 1776-07-04",
		"1,23 | count | 123/100@-2",
		"1,234 | count | 1234@0",
		"12 345 km | quantity | 12345@0 12345000 m | doubt",
		"1990,1991 | count | 19901991/10000@-4 | doubt",
		"$1.2M | money | 1200000@5 | $",
		"5k | count | 5000@3 | doubt",
		"5M | count | 5000000@6 | doubt",
		"3bn | count | 3000000000@9",
		"5 m | quantity | 5@0 5 m",
	}},
	{"5'10\" tall, 6 ft 2 in, 1 h 30 min, \\frac{3}{4} and 1{,}000\\text{ km}, 2½ cups, 3/4, 24/7, 50 years (1969 - 1955)", []string{
		"5'10\" | quantity | 70@0 889/500 m | of tall",
		"6 ft 2 in | quantity | 74@0 4699/2500 m",
		"1 h 30 min | quantity | 90@0 5400 s",
		"\\frac{3}{4} | count | 3/4@0",
		"1{,}000\\text{ km | quantity | 1000@0 1000000 m",
		"2½ cups | quantity | 5/2@0 473176473/800000000000 m^3",
		"3/4 | count | 3/4@0",
		"24/7 | count | 24/7@0",
		"50 years | quantity | 50@0 600 month",
		"1969 | count | 1969@0",
		"1955 | count | 1955@0",
	}},
	{"5. März 2024 und 5 de marzo de 2024, may 5 people march 3 miles? In 1969. May I? Monday, 20 July 1969", []string{
		"5. März 2024 | date | 2024-03-05",
		"5 de marzo de 2024 | date | 2024-03-05",
		"5 | count | 5@0 | of people",
		"3 miles | quantity | 3@0 603504/125 m",
		"1969 | count | 1969@0",
		"Monday, 20 July 1969 | date | 1969-07-20",
	}},
	{"in 1969, 500 people; pi/2 and 2 pi. He is 42. In 2010 5 in the room, 5 at night, 20 C, 20 °C, 5 K, 5 A", []string{
		"1969 | count | 1969@0",
		"500 | count | 500@0 | of people",
		"42 | count | 42@0",
		"2010 | count | 2010@0",
		"5 | count | 5@0",
		"5 | count | 5@0",
		"20 C | quantity | 20@0 5863/20 K",
		"20 °C | quantity | 20@0 5863/20 K",
		"5 K | quantity | 5@0 5 K",
		"5 | count | 5@0",
	}},
}
