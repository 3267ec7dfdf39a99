package schema_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/seed-5817661a/concur/internal/schema"
)

func Example() {
	document, err := schema.Decode([]byte(`{"type":"object","required":["city"],
		"properties":{"city":{"type":"string"},"day":{"type":"string","format":"date"}}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := schema.Compile(document)
	if err != nil {
		fmt.Println(err)
		return
	}
	arguments, err := schema.Decode([]byte(`{"day":"tomorrow"}`))
	fmt.Println(strings.Join(s.Check(arguments), "\n"), err)
	// Output:
	// day: 'tomorrow' is not valid date: write YYYY-MM-DD
	// missing property 'city' <nil>
}

// suite returns the folder with JSON-Schema-Test-Suite, which the module github.com/google/jsonschema-go
// contains.
func suite(t *testing.T) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/google/jsonschema-go").Output()
	folder := filepath.Join(strings.TrimSpace(string(out)), "jsonschema", "testdata")
	if _, missing := os.Stat(folder); err != nil || missing != nil {
		t.Skipf("the test suite is not on this machine: %v %v", err, missing)
	}
	return folder
}

// TestOfficialSuite runs all groups whose schema does not refer to other documents.
func TestOfficialSuite(t *testing.T) {
	folder := suite(t)
	for _, draft := range []struct {
		name, address string
		cases         int
	}{
		{"draft2020-12", "https://json-schema.org/draft/2020-12/schema", 1020},
		{"draft7", "http://json-schema.org/draft-07/schema#", 886},
	} {
		files, err := filepath.Glob(filepath.Join(folder, draft.name, "*.json"))
		if err != nil {
			t.Fatal(err)
		}
		count := 0
		for _, file := range files {
			count += checkGroups(t, file, draft.address)
		}
		if count < draft.cases {
			t.Errorf("%s: %d cases, want %d", draft.name, count, draft.cases)
		}
	}
}

// checkGroups checks the groups of a file of the suite, and returns the number of their cases.
func checkGroups(t *testing.T, file, draft string) (count int) {
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var groups []struct {
		Description string
		Schema      json.RawMessage
		Tests       []struct {
			Description string
			Data        json.RawMessage
			Valid       bool
		}
	}
	if err := json.Unmarshal(raw, &groups); err != nil {
		t.Fatal(err)
	}
	for _, g := range groups {
		document := decode(t, string(g.Schema))
		if object, ok := document.(map[string]any); ok && object["$schema"] == nil {
			object["$schema"] = draft
		}
		s, err := schema.Compile(document)
		if err != nil {
			if !strings.Contains(err.Error(), "a schema cannot refer to ") && !strings.Contains(err.Error(), "$dynamicRef: this keyword is not supported") {
				t.Errorf("%s: %s: %v", file, g.Description, err)
			}
			continue
		}
		for _, c := range g.Tests {
			count++
			if problems := s.Check(decode(t, string(c.Data))); (len(problems) == 0) != c.Valid {
				t.Errorf("%s: %s: %s: %v, want valid: %v", file, g.Description, c.Description, problems, c.Valid)
			}
		}
	}
	return count
}

func decode(t *testing.T, raw string) any {
	t.Helper()
	value, err := schema.Decode([]byte(raw))
	if err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return value
}

// problems returns the problems of a value with a schema.
func problems(t *testing.T, document, value string) string {
	t.Helper()
	s, err := schema.Compile(decode(t, document))
	if err != nil {
		return err.Error()
	}
	return strings.Join(s.Check(decode(t, value)), "; ")
}

func TestProblems(t *testing.T) {
	for _, c := range []struct{ document, value, want string }{
		{`{"type":["string","null"]}`, `1`, "got number, want string or null"},
		{`{"type":"integer"}`, `1.0`, ""},
		{`{"type":"integer"}`, `1.5`, "got number, want integer"},
		{`{"enum":["a","it's"]}`, `"b"`, `value must be one of 'a', 'it\'s'`},
		{`{"enum":[1.0]}`, `1`, ""},
		{`{"enum":[[1]]}`, `[2]`, "'enum' failed"},
		{`{"const":null}`, `0`, "value must be <nil>"},
		{`{"minimum":0.5,"maximum":3}`, `0`, "minimum: got 0, want 0.5"},
		{`{"minimum":1e2}`, `1e9999999`, "the number is out of range"},
		{`{"$schema":"http://json-schema.org/draft-04/schema#","minimum":1,"exclusiveMinimum":true}`, `1`, "exclusiveMinimum: got 1, want 1"},
		{`{"maxLength":2}`, `"äöü"`, "maxLength: got 3, want 2"},
		{`{"pattern":"^a"}`, `"b"`, "'b' does not match pattern '^a'"},
		{`{"required":["a","b"]}`, `{}`, "missing properties 'a', 'b'"},
		{`{"properties":{"a":{"items":{"type":"string"}}}}`, `{"a":["x",1]}`, "a.1: got number, want string"},
		{`{"dependentRequired":{"a":["b"]}}`, `{"a":1}`, "properties 'b' required, if 'a' exists"},
		{`{"anyOf":[{"type":"null"},{"format":"date"}]}`, `"2025-02-30"`, "'2025-02-30' is not valid date: write YYYY-MM-DD; got string, want null"},
		{`{"oneOf":[{"type":"number"},{"type":"integer"}]}`, `1`, "'oneOf' failed, subschemas 0, 1 matched"},
		{`{"uniqueItems":true}`, `[1,"1",1.0]`, "items at 0 and 2 are equal"},
		{`{"unevaluatedProperties":false,"properties":{"a":{}}}`, `{"a":1,"b":2}`, "unevaluated properties 'b' not allowed"},
		{`{"prefixItems":[{}],"items":false}`, `[1,2,3]`, "last 2 additionalItem(s) not allowed"},
		{`{"not":{}}`, `1`, "'not' failed"},
		{`{"$ref":"#/$defs/none"}`, `1`, "at #/$defs/none: the schema has no such part"},
		{`{"properties":{"a":{"minimum":"1"}}}`, `1`, "at #/properties/a/minimum: the value must be a number"},
		{`{"pattern":"(?=x)"}`, `1`, "at #/pattern: error parsing regexp"},
		{`{"properties":{"a":3}}`, `1`, "at #/properties/a: a schema must be an object, true or false"},
		{`{"$schema":"https://example.org/mine"}`, `1`, "https://example.org/mine is not known"},
		{`{"$recursiveRef":"#"}`, `1`, "at #/$recursiveRef: this keyword is not supported"},
	} {
		if got := problems(t, c.document, c.value); c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s of %s: %s, want %s", c.document, c.value, got, c.want)
		}
	}
}

// A server's schema must not stop the run, even if it refers to itself or has alternatives that double at
// each level.
func TestCostlySchemas(t *testing.T) {
	defs := []string{`"d60":false`}
	for i := range 60 {
		defs = append(defs, fmt.Sprintf(`"d%d":{"anyOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]}`, i, i+1, i+1))
	}
	doubling := `{"$ref":"#/$defs/d0","$defs":{` + strings.Join(defs, ",") + `}}`
	for document, want := range map[string]string{
		doubling:       "too many alternatives to check",
		`{"$ref":"#"}`: "reference cycle",
		`{"anyOf":[{"$ref":"#"},{"type":"string"}]}`: "",
	} {
		value := `1`
		if want == "" {
			value = `"a"`
		}
		if got := problems(t, document, value); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%.100s: %.200s, want %s", document, got, want)
		}
	}
}

// TestFormats compares the formats with those of another library.
func TestFormats(t *testing.T) {
	for format, values := range map[string][]string{
		"date":          {"2024-02-29", "2023-02-29", "24-01-01", "2024-1-01", "2024-01-01 "},
		"time":          {"12:00:00Z", "12:00:00.25+02:00", "12:00:00", "24:00:00Z", "23:59:60Z", "22:59:60Z", "22:59:60-01:00", "1:00:00Z"},
		"date-time":     {"2024-02-29T12:00:00Z", "2024-02-29t12:00:00z", "2024-02-29 12:00:00Z", "2024-02-30T12:00:00Z", "2024-02-29T12:00Z"},
		"duration":      {"P3D", "PT2H", "P1Y2M3DT4H5M6S", "P1W", "P", "PT", "3D", "P1D2Y", "P1WT1H", "PT1H30M"},
		"email":         {"a@b.org", "a.b+c@b", "a@", ".a@b", "a..b@c", `"a b"@c.org`, "a@[127.0.0.1]", "a@[IPv6:::1]", "a b@c", "a@-b"},
		"hostname":      {"example.org", "a-b.c", "-a", "a-", "a_b", "a..b", strings.Repeat("a", 64)},
		"ipv4":          {"192.0.2.1", "192.0.2", "192.0.2.256", "01.2.3.4", "::1"},
		"ipv6":          {"::1", "2001:db8::1", "1.2.3.4", "fe80::1%eth0", ":::"},
		"uri":           {"https://example.org/a?b#c", "x:y", "not a uri", "/path", "", "urn:isbn:1"},
		"uri-reference": {"/a/b", "a?b", "#c", `a\b`, "https://example.org"},
		"uuid":          {"2eb8aa08-aa98-11ea-b4aa-73b441d16380", "2EB8AA08-AA98-11EA-B4AA-73B441D16380", "2eb8aa08aa9811eab4aa73b441d16380", "2eb8aa08-aa98-11ea-b4aa-73b441d1638g"},
		"regex":         {"a+", "(", "[a-z]{2}"},
		"json-pointer":  {"", "/a", "a", "/~0", "/~2", "/a/0"},
		"of-my-own":     {"anything"},
	} {
		c := jsonschema.NewCompiler()
		c.AssertFormat()
		if err := c.AddResource("f", map[string]any{"format": format}); err != nil {
			t.Fatal(err)
		}
		other, err := c.Compile("f")
		if err != nil {
			t.Fatal(err)
		}
		for _, value := range values {
			raw, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			got := problems(t, `{"format":"`+format+`"}`, string(raw)) == ""
			if want := other.Validate(value) == nil; got != want {
				t.Errorf("%s %q: valid %v, want %v", format, value, got, want)
			}
		}
	}
}

// FuzzDecode compares Decode with encoding/json.
func FuzzDecode(f *testing.F) {
	for _, raw := range []string{`{"a": [1, -2.5e+10, true, false, null, "x\u00e9\ud83d\ude00\ud83d\n\\\""], "a": {}, "": [[]]}`,
		" \t\r\n[ ] ", `[1,]`, `{"a":1,}`, "\"\xff\"", `"\`, ``, `-`, `1 2`, `nul`, `{"a" : 1 , "b" : [ 1 , 2 ] }`, "\"\x01\"",
		`1e5`, `"\\"`, strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001)} {
		f.Add([]byte(raw))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		d := json.NewDecoder(bytes.NewReader(raw))
		d.UseNumber()
		var want any
		err := d.Decode(&want)
		if err == nil {
			if _, more := d.Token(); more != io.EOF {
				err = errors.New("more")
			}
		}
		got, wrong := schema.Decode(raw)
		if (err == nil) != (wrong == nil) || (wrong == nil) != (schema.Valid(raw) == nil) {
			t.Fatalf("%q: %v, encoding/json says %v", raw, wrong, err)
		}
		if err == nil && !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: %#v, encoding/json has %#v", raw, got, want)
		}
	})
}
