package offline

import (
	"fmt"
	"strings"
	"testing"
)

var opNames = map[op]string{
	opSum: "sum", opMinus: "minus", opGap: "gap", opProduct: "product", opRatio: "ratio", opPercent: "percent", opPercentOf: "percentOf",
	opChange: "change", opMean: "mean", opPower: "power", opDuration: "duration", opAge: "age", opPick: "pick", opTruth: "truth",
	opSame: "same", opBoth: "both", opVerify: "verify",
}

// outline writes a read question in one line: operations, chains of lookups with the kind
// of answer, given numbers.
func outline(n *node) string {
	switch n.op {
	case opLiteral:
		return strings.TrimSpace(n.literal + " " + n.unit.name)
	case opAsk:
		return n.ask.outline()
	case opVerify:
		return "verify(" + n.ask.outline() + ")"
	}
	args := make([]string, len(n.args))
	for i, a := range n.args {
		args[i] = outline(a)
	}
	name := opNames[n.op]
	if n.smaller {
		name += "-smaller"
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

func (a *ask) outline() string {
	kinds := map[kind]string{wantYear: "year", wantDate: "date", wantNumber: "number"}
	k := kinds[a.want.kind]
	if k == "" {
		k = map[class]string{anything: "name", person: "person", place: "place", thing: "thing"}[a.want.class]
	}
	text := fmt.Sprintf("%s: %s", k, a.text)
	if a.inner != nil {
		text = a.inner.outline() + " > " + text
	}
	return "[" + text + "]"
}

func TestReadQuestion(t *testing.T) {
	for _, c := range []struct{ question, want string }{
		// Lookups.
		{"Who founded Velmora?", "[person: Who founded Velmora]"},
		{"Please tell me in what year the Orlen Gate was finished.", "[year: in what year the Orlen Gate was finished]"},
		{"Hello! Could you tell me where Bruno Astel was born?", "[place: where Bruno Astel was born]"},
		{"How tall is the Orlen Gate?", "[number: How tall is the Orlen Gate]"},
		{"How many moons does Tavik have?", "[number: How many moons does Tavik have]"},
		{"What is the boiling point of quarzine?", "[number: What is the boiling point of quarzine]"},
		{"Orlen Gate was opened in 1820. On what day exactly?", "[date: On what day exactly Orlen Gate was opened in 1820]"},
		{"I'd be glad to learn by whom the Orlen Gate was opened.", "[person: by whom the Orlen Gate was opened]"},
		{"What I want to know is when the Orlen Gate was opened, if you please.", "[date: when the Orlen Gate was opened]"},
		{"Which town was it that hosted the Orlen Fair?", "[place: Which town hosted the Orlen Fair]"},
		{"From which town did Bruno Astel come?", "[place: in which town was Bruno Astel born]"},
		{"When did Bruno Astel pass away?", "[date: When did Bruno Astel die]"},
		// Nested lookups.
		{"What is the population of the capital of Ostria?", "[[place: the capital of Ostria] > number: What is the population of {}]"},
		{"When did the woman who painted The Grey Door die?", "[[person: the woman who painted The Grey Door] > date: When did {} die]"},
		{"Which river flows through the town where the composer of Ilvane was born?",
			"[[[person: the composer of Ilvane] > place: the town where {} was born] > place: Which river flows through {}]"},
		{"In which city is the museum that owns The Grey Door?", "[[place: the museum that owns The Grey Door] > place: In which city is {}]"},
		{"Who wrote The Long Ford, and when was he born?", "[[person: Who wrote The Long Ford] > date: when was {} born]"},
		{"The woman who drew the Orlen map studied in Ghale. Who was her teacher?",
			"[[person: the woman who drew the Orlen map] > person: Who was {}'s teacher]"},
		{"Ilvane has a famous composer: on what day was she born?", "[[person: Ilvane has which composer] > date: on what day was {} born]"},
		{"The Sarn is crossed by just one bridge. What is that bridge called?", "[place: The Sarn is crossed by just which bridge]"},
		{"An opera was given in Ghale to one of its guests; who?", "[person: who An opera was given in Ghale to one of its guests]"},
		{"I wonder whether the Sarn is longer than the Oude. Is it?", "truth([number: the length of the Sarn], [number: the length of the Oude])"},
		{"Into which sea does the river that crosses Ghale drain?", "[[place: the river that crosses Ghale] > place: Into which sea does {} drain]"},
		{"What is the capital of Ostria?", "[place: What is the capital of Ostria]"},
		// Comparisons.
		{"Which is longer, the Sarn or the Oude?", "pick([number: the length of the Sarn], [number: the length of the Oude])"},
		{"Who was born first: Bruno Astel or Ada Merrow?", "pick-smaller([year: Bruno Astel born], [year: Ada Merrow born])"},
		{"Between Tavik and Orun, which has more moons?", "pick([number: the number of moons of Tavik], [number: the number of moons of Orun])"},
		{"Is the Sarn shorter than the Oude?", "truth-smaller([number: the length of the Sarn], [number: the length of the Oude])"},
		{"Did Bruno Astel die before Ada Merrow was born?", "truth-smaller([year: Bruno Astel die], [year: Ada Merrow was born])"},
		{"Were Bruno Astel and Ada Merrow born in the same city?",
			"same([place: what city was Bruno Astel born], [place: what city was Ada Merrow born])"},
		{"Was Ada Merrow born in Ghale?", "verify([name: Ada Merrow born in Ghale])"},
		// Differences.
		{"How many years passed between the fall of Ghale and the founding of Velmora?", "gap([year: the fall of Ghale], [year: the founding of Velmora])"},
		{"How many metres taller is the Orlen Gate than the Vane Tower?", "gap([number: the height of the Orlen Gate], [number: the height of the Vane Tower])"},
		{"What is the difference between the lengths of the Sarn and the Oude?", "gap([number: the lengths of the Sarn], [number: the lengths of the Oude])"},
		{"By what margin is the Orlen Gate higher than the Vane Tower?", "gap([number: the height of the Orlen Gate], [number: the height of the Vane Tower])"},
		{"The Oude is shorter than the Sarn by how many kilometres?", "gap-smaller([number: the length of The Oude], [number: the length of the Sarn])"},
		{"How much longer than the Oude is the Sarn?", "gap([number: the length of the Sarn], [number: the length of the Oude])"},
		{"How many days lay between the fall of Ghale and its liberation?", "gap([date: the fall of Ghale], [date: Ghale's liberation])"},
		{"How old was Ada Merrow when she died?", "age([date: when was Ada Merrow born], [date: Ada Merrow died])"},
		// Arithmetic.
		{"What is 12 times 3.5?", "product(12, 3.5)"},
		{"What's (1,200 + 34) × 5?", "(1200 + 34) * 5"},
		{"Multiply the atomic number of quarzine by 7", "product([number: the atomic number of quarzine], 7)"},
		{"If you add 3 and the number of moons of Tavik, what do you get?", "sum(3, [number: the number of moons of Tavik])"},
		{"Take the length of the Sarn and divide it by 4.", "ratio([number: the length of the Sarn], 4)"},
		{"What is 15% of 80?", "percentOf(15, 80)"},
		{"What percentage of the Oude's length is the length of the Sarn?", "percent([number: the length of the Sarn], [number: the Oude's length])"},
		{"How many times longer is the Sarn than the Oude?", "ratio([number: the length of the Sarn], [number: the length of the Oude])"},
		// Conversions and word problems.
		{"How many metres are there in 7 furlongs?", "7 furlong"},
		{"Convert the length of the Sarn to miles.", "[number: the length of the Sarn]"},
		{"A fence is 12 furlongs long. How many metres is that?", "12 furlong"},
		{"A fence measures 12 furlongs. Express that in metres.", "12 furlong"},
		{"What would 7 furlongs be in metres?", "7 furlong"},
		{"A shop has 5 large zithers. How many strings do they have in total?", "product(5, [number: number of strings of large zithers])"},
		{"How many seconds does sound need to travel 3 miles?", "duration(3 mile, [number: the speed of sound])"},
	} {
		if got := outline(readQuestion(c.question).root); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.question, got, c.want)
		}
	}
}

func TestReadFormat(t *testing.T) {
	for _, c := range []struct {
		question    string
		round       bool
		places      int
		significant int
		unit        string
	}{
		{"How long is the Sarn in miles, to one decimal place?", true, 1, 0, "mile"},
		{"How long is the Sarn? Round to the nearest hundred.", true, -2, 0, ""},
		{"Convert the length of the Sarn to feet, rounded to the nearest whole number.", true, 0, 0, "foot"},
		{"What is 10 divided by 3? Give two decimal places.", true, 2, 0, ""},
		{"What is 10 divided by 3 to 4 significant figures?", false, 0, 4, ""},
		{"How many square kilometres does Ostria cover?", false, 0, 0, "square kilometre"},
		{"How long is the Sarn?", false, 0, 0, ""},
	} {
		f := readQuestion(c.question).format
		if f.round != c.round || f.places != c.places || f.significant != c.significant || f.unit.name != c.unit {
			t.Errorf("%s: %+v", c.question, f)
		}
	}
}
