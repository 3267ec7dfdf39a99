package statement_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/runner/offline/statement"
)

// garage is a database that no dataset has: cars of customers, and their repairs.
func garage() []statement.Table {
	column := func(name, kind string) statement.Column { return statement.Column{Name: name, Type: kind} }
	return []statement.Table{
		{Name: "cars", Columns: []statement.Column{column("car_id", "integer"), column("model", "text"), column("colour", "text"),
			column("built", "integer"), column("insured", "text"), column("customer_id", "integer")},
			Rows: [][]any{{1, "Kite", "red", 1998, "yes", 2}, {2, "Wren", "blue", 2011, "no", 1}}},
		{Name: "customers", Columns: []statement.Column{column("customer_id", "integer"), column("name", "text"), column("phone", "text")},
			Rows: [][]any{{1, "Tove Lind", nil}}},
		{Name: "repairs", Columns: []statement.Column{column("repair_id", "integer"), column("car", "integer"), column("day", "text"),
			column("price", "real")}, Links: []string{"car → cars.car_id"}, Rows: [][]any{{1, 1, "2024-03-09", 80.5}}},
	}
}

func Example() {
	s, ok := statement.Write("Which cars were built before 2005?", "garage", garage())
	fmt.Println(s.SQL, ok)
	// Output: SELECT cars.model FROM cars WHERE cars.built < 2005 true
}

// Each shape of questions has its statement.
func TestWrite(t *testing.T) {
	const tove = "lower(customers.name) IN ('tove lind')"
	either := "(" + tove + " OR lower(customers.phone) IN ('tove lind'))"
	for question, want := range map[string]string{
		"How many cars are there?":                                "SELECT count(*) FROM cars",
		"How many cars does the garage have?":                     "SELECT count(*) FROM cars",
		"How many different colours do the cars have?":            "SELECT count(DISTINCT cars.colour) FROM cars",
		"How many cars are red?":                                  "SELECT count(*) FROM cars WHERE (lower(cars.model) IN ('red') OR lower(cars.colour) IN ('red'))",
		"How many cars are not insured?":                          "SELECT count(*) FROM cars WHERE cars.insured = 'no'",
		"Which insured cars were built after 2005?":               "SELECT cars.model FROM cars WHERE cars.insured = 'yes' AND cars.built > 2005",
		"What is the colour of car 17?":                           "SELECT cars.colour FROM cars WHERE cars.car_id = 17",
		"Is car 3 insured?":                                       "SELECT cars.insured FROM cars WHERE cars.car_id = 3",
		"In which year was car 3 built?":                          "SELECT cars.built FROM cars WHERE cars.car_id = 3",
		"Which colour does the model Kite have?":                  "SELECT cars.colour FROM cars WHERE lower(cars.model) IN ('kite')",
		"What is the phone of the customer Tove Lind?":            "SELECT customers.phone FROM customers WHERE " + either,
		"Which customers have no phone?":                          "SELECT customers.name FROM customers WHERE customers.phone IS NULL",
		"Which customers have no cars?":                           "SELECT customers.name FROM customers WHERE customers.customer_id NOT IN (SELECT cars.customer_id FROM cars WHERE cars.customer_id IS NOT NULL)",
		"What is the average price of the repairs?":               "SELECT avg(repairs.price) FROM repairs",
		"What is the highest price of a repair?":                  "SELECT max(repairs.price) FROM repairs",
		"What is the total price of the repairs in March 2024?":   "SELECT sum(repairs.price) FROM repairs WHERE repairs.day LIKE '2024-03%'",
		"How many repairs had a price of more than 99.50?":        "SELECT count(*) FROM repairs WHERE repairs.price > 99.50",
		"How many repairs were there after 2024-05-01?":           "SELECT count(*) FROM repairs WHERE repairs.day > '2024-05-01'",
		"Which car is the oldest?":                                "SELECT cars.model FROM cars WHERE cars.built IS NOT NULL ORDER BY cars.built LIMIT 1",
		"Which colour has the most cars?":                         "SELECT cars.colour FROM cars GROUP BY cars.colour ORDER BY count(*) DESC LIMIT 1",
		"Which car had the most repairs?":                         "SELECT cars.model FROM repairs JOIN cars ON repairs.car = cars.car_id GROUP BY cars.car_id, cars.model ORDER BY count(*) DESC LIMIT 1",
		"Which customer has the fewest cars?":                     "SELECT customers.name FROM cars JOIN customers ON cars.customer_id = customers.customer_id GROUP BY customers.customer_id, customers.name ORDER BY count(*) LIMIT 1",
		"How many repairs were there for the customer Tove Lind?": "SELECT count(*) FROM repairs JOIN cars ON repairs.car = cars.car_id JOIN customers ON cars.customer_id = customers.customer_id WHERE " + either,
		`How many repairs had cars of the model "Blue O'Neill"?`:  "SELECT count(*) FROM repairs JOIN cars ON repairs.car = cars.car_id WHERE lower(cars.model) IN ('blue o''neill')",
	} {
		s, ok := statement.Write(question, "garage The repairs of a garage.", garage())
		if s.SQL != want || !ok {
			t.Errorf("%s\n got %s\nwant %s", question, s.SQL, want)
		}
	}
}

// A question that asks for more than a statement has none.
func TestNone(t *testing.T) {
	for _, question := range []string{
		"",
		"Hello.",
		"Which mechanic repaired car 3?",
		"What is the horsepower of car 3?",
		"Who insured car 3?",
		"How many wheels does car 3 have?",
		"Which designer built the model Kite?",      // built is not what a builder is
		"How many cars have the price of a repair?", // two things, and no word that joins them
		"How many cars were built between 1990 and 2000, and what did they cost in all?",
		"Why do customers with old cars come back so rarely these days?",
	} {
		if s, ok := statement.Write(question, "garage", garage()); ok {
			t.Errorf("%s: %s", question, s.SQL)
		}
	}
}

// No question and no database makes the rules fail, or lets a name end its quotation.
func FuzzWrite(f *testing.F) {
	f.Add("Which cars are not \"re'd\" and built before 2005?", "cars", "colour", "it's")
	f.Add("How many x'; DROP TABLE y; have no z?", "x'", "y\"z", "")
	f.Fuzz(func(t *testing.T, question, table, column, about string) {
		tables := []statement.Table{{Name: table, Columns: []statement.Column{{Name: column, Type: "text"}, {Name: "n_id", Type: "integer"}},
			Rows: [][]any{{"yes"}, {nil, 1}}}, {Name: "empty"}, {Name: column, Columns: []statement.Column{{Name: "n_id"}}, Links: []string{"n_id → " + table + ".n_id"}}}
		s, ok := statement.Write(question, about, tables)
		if ok != (s.SQL != "") {
			t.Fatalf("%q: ok is %v", s.SQL, ok)
		}
		for _, quote := range []string{"'", `"`} {
			if other := map[string]string{"'": `"`, `"`: "'"}[quote]; !strings.Contains(s.SQL, other) && strings.Count(s.SQL, quote)%2 != 0 {
				t.Fatalf("a quotation is open: %s", s.SQL)
			}
		}
	})
}
