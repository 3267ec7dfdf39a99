package cite_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/guard/cite"
	"github.com/seed-5817661a/concur/trace"
)

func TestCited(t *testing.T) {
	for message, want := range map[string]string{
		"[corpus_1]":                                  "corpus_1",
		"[ corpus_1 ]":                                "corpus_1",
		"[corpus_1, wiki_2]":                          "corpus_1 wiki_2",
		"[corpus_1;wiki_2]":                           "corpus_1 wiki_2",
		"[corpus_1 wiki_2]":                           "corpus_1 wiki_2",
		"[corpus_1][wiki_2] and [corpus_1]":           "corpus_1 wiki_2",
		"[wiki_2] then [corpus_1]":                    "wiki_2 corpus_1",
		"[corpus_1: The Nile]":                        "corpus_1",
		"[Source: corpus_1]":                          "corpus_1",
		"[^corpus_1]":                                 "corpus_1",
		"【corpus_1】 ［wiki_2］":                         "corpus_1 wiki_2",
		"[serp2_10]":                                  "serp2_10",
		"[1] [sic] [1, 2] [citation needed] []":       "",
		"[Corpus_1] [corpus_] [_1] [corpus-1]":        "",
		"[the corpus_1]":                              "",
		"[corpus_1](https://example.com)":             "",
		"[text](corpus_1)":                            "",
		"`[corpus_1]` and ``a ` [wiki_2]``":           "",
		"a ` tick, then [corpus_1]":                   "corpus_1",
		"```\n[corpus_1]\n```\n[wiki_2]":              "wiki_2",
		"~~~ go\n[corpus_1]\n```\n~~~\n[wiki_2]":      "wiki_2",
		"```\n[corpus_1] in a fence left open":        "",
		"[corpus_1":                                   "",
		"[[corpus_1]]":                                "corpus_1",
		"[corpus_1\n]":                                "",
		"[" + strings.Repeat("x ", 300) + "corpus_1]": "",
		"in 1990[corpus_1].":                          "corpus_1",
		"References:\n[corpus_1] The Nile\n[corpus_2] Other [wiki_3]": "corpus_1 corpus_2 wiki_3",
	} {
		if got := strings.Join(cite.Cited(message), " "); got != want {
			t.Errorf("Cited(%q) = %q, want %q", message, got, want)
		}
	}
}

// claims lists the sentences of a message with their citations.
func claims(message string) []string {
	in := cite.Input{Message: message}
	if len(cite.Cited(message)) > 0 {
		in.Documents = []trace.Document{doc("a_1", "", "x")} // so that a_2 is an id
	}
	var out []string
	for _, c := range cite.Sentences(in) {
		text := strings.TrimSpace(c.Text)
		if c.Answer {
			text = "answer: " + text
		}
		out = append(out, strings.TrimSpace(text+" | "+strings.Join(c.Cites, " ")))
	}
	return out
}

func TestClaims(t *testing.T) {
	for _, c := range []struct {
		message string
		want    []string
	}{
		{"It ended in 1990. [a_1] It began in 1980 [a_2].", []string{"It ended in 1990. [a_1] | a_1", "It began in 1980 [a_2]. | a_2"}},
		{"It ended in 1990.[a_1][a_2]\nAnswer: 1990", []string{"It ended in 1990.[a_1][a_2] | a_1 a_2", "answer: 1990 |"}},
		{"Yes. [a_1] says so.", []string{"Yes. |", "[a_1] says so. | a_1"}},
		{"Dr. Smith of the U.S. Army met J. R. Brown at 5 p.m. [a_1].", []string{"Dr. Smith of the U.S. Army met J. R. Brown at 5 p.m. [a_1]. | a_1"}},
		{"It costs 3.14 dollars vs. 2.71 at example.com, approx. No. 5 [a_1]. Done.", []string{"It costs 3.14 dollars vs. 2.71 at example.com, approx. No. 5 [a_1]. | a_1", "Done. |"}},
		{"He said \"Go.\" Then he left [a_1]!", []string{"He said \"Go.\" |", "Then he left [a_1]! | a_1"}},
		{"巴黎是首都。[a_1]人口很多！面积呢？不大[a_2]。", []string{"巴黎是首都。[a_1] | a_1", "人口很多！ |", "面积呢？ |", "不大[a_2]。 | a_2"}},
		{"- one [a_1]\n- two [a_2]\n  and more\n1. three", []string{"- one [a_1] | a_1", "- two [a_2]\n  and more | a_2", "1. three |"}},
		{"A line that is\nwrapped [a_1].", []string{"A line that is\nwrapped [a_1]. | a_1"}},
		{"A paragraph.\n\n[a_1]\n\nAnother.", []string{"A paragraph.\n\n[a_1] | a_1", "Another. |"}},
		{"# Heading\n\nText [a_1].\n***\n| a | b |\n|---|---|\n| c | d [a_2] |", []string{"Text [a_1]. | a_1", "| a | b | |", "| c | d [a_2] | | a_2"}},
		{"Text [a_1].\n**Final Answer:** 5 [a_2]\n**References**\n[a_1] One", []string{"Text [a_1]. | a_1", "answer: 5 [a_2] | a_2"}},
		{"Answer: 4\nText.\nAnswer:\n5", []string{"Answer: 4\nText. |", "answer: 5 |"}},
		{"Wait... what?! Really.", []string{"Wait... what?! |", "Really. |"}},
		{"", nil},
		{"```\ncode 1\n```", nil},
	} {
		got := claims(c.message)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.message, diff)
		}
	}
}

func FuzzCited(f *testing.F) {
	for _, seed := range []string{"[corpus_1, wiki_2]", "`[a_1]` [b_2](x) 【c_3】", "```\n[a_1]\n```", "[[[a_1]]]", "[a_1", "]a_1[", "``` ` `` [a_1] ``", "\xff[a_1]\xfe"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, message string) {
		ids := cite.Cited(message)
		for i, id := range ids {
			if !strings.Contains(message, id) {
				t.Errorf("%q is not in the message", id)
			}
			if slices.Contains(ids[:i], id) {
				t.Errorf("%q is listed twice", id)
			}
			if again := cite.Cited("[" + id + "]"); !slices.Equal(again, []string{id}) {
				t.Errorf("%q is no id: %q", id, again)
			}
		}
	})
}
