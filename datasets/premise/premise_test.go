package premise_test

import (
	"hash/crc32"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/datasets/premise"
	"github.com/seed-5817661a/concur/internal/text"
)

func rows(t *testing.T, file string, cells int) [][]string {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text.Rows(string(raw), cells)
}

// TestSentences compares what the rules find with what a person reads. The phrases were changed with the tuned half in
// view and not the other; the checksum of its id decides in which half a row is. In no row may an answer that accepts
// the premise pass as a denial.
func TestSentences(t *testing.T) {
	var right, all [2]int
	languages := map[string]int{}
	for _, row := range rows(t, "testdata/sentences.tsv", 5) {
		half := int(crc32.ChecksumIEEE([]byte(row[0])) % 2)
		languages[row[1]]++
		all[half]++
		found := premise.Denial(row[4], row[3])
		if (found != "") == (row[2] == "denies") {
			right[half]++
			continue
		}
		if half == 0 {
			t.Logf("%s %s: %q to %q: found %q", row[0], row[2], row[4], row[3], found)
		}
		if row[2] == "accepts" {
			t.Errorf("%s: an answer that accepts the premise passes as a denial", row[0])
		}
	}
	if len(languages) != 11 {
		t.Errorf("sentences in %d languages, want 11: %v", len(languages), slices.Sorted(maps.Keys(languages)))
	}
	for half, name := range []string{"tuned", "other"} {
		t.Logf("%s half: %d of %d as a person reads them", name, right[half], all[half])
		if 10*right[half] < 9*all[half] {
			t.Errorf("the %s half is below nine tenths", name)
		}
	}
}

// TestOrdinaryAnswers counts false alarms on messages that were written for the reading of answers; none of their
// questions has a false premise.
func TestOrdinaryAnswers(t *testing.T) {
	all, alarms := 0, 0
	files, _ := filepath.Glob("../answer/testdata/languages/*.tsv")
	if len(files) == 0 {
		t.Fatal("no files of messages")
	}
	count := func(question, message, want string) {
		all++
		breaks := strings.NewReplacer(`\\`, `\`, `\n`, "\n")
		if found := premise.Denial(breaks.Replace(message), breaks.Replace(question)); found != "" {
			alarms++
			t.Logf("%q to %q (%s) is no denial", found, question, want)
		}
	}
	for _, file := range files {
		for _, row := range rows(t, file, 4) {
			count(row[2], row[3], row[1])
		}
	}
	for _, file := range []string{"sentences.tsv", "tuned.tsv"} {
		for _, row := range rows(t, "../answer/testdata/"+file, 7) {
			count(row[4], row[5], row[3])
		}
	}
	t.Logf("%d false alarms on %d ordinary answers", alarms, all)
	if 100*alarms > all {
		t.Errorf("%d false alarms on %d ordinary answers, want at most 1%%", alarms, all)
	}
}

// TestWhatTheQuestionAssumes checks sentences that name what the question assumes: only if they reject it, they deny the
// premise.
func TestWhatTheQuestionAssumes(t *testing.T) {
	for _, c := range []struct {
		question, message string
		denies            bool
	}{
		{"Which sea borders Austria?", "The question assumes that Austria borders a sea, which is not the case.", true},
		{"Which sea borders Austria?", "The question presupposes that Austria has a sea, but it is landlocked.", true},
		{"Which sea borders Austria?", "The question wrongly assumes that Austria has a sea.", true},
		{"Which sea borders Austria?", "The question assumes, incorrectly, that Austria has a sea.", true},
		{"Which sea borders Austria?", "Your question assumes that Austria borders a sea, although no sea touches it.", true},
		{"Which sea borders Italy?", "The question assumes that Italy borders a sea, which is right.", false},
		{"Which sea borders Italy?", "The question assumes that Italy borders a sea, which is correct: the Adriatic.", false},
		{"Which sea borders Italy?", "The question assumes that Italy borders a sea.", false},
		{"Which sea borders Italy?", "The question rightly assumes that Italy borders a sea.", false},
		{"Which sea borders Italy?", "The question assumes that Italy borders one sea, which is true, but there are several.", false},
		{"How many planets are there?", "The question assumes the planets of the IAU.", false},
		{"How many planets are there?", "The question assumes the planets of the IAU, but older lists have 9.", false},
		{"How many planets are there?", "You assume our system, however large.", false},
		{"An welches Meer grenzt Österreich?", "Die Frage setzt voraus, dass Österreich an ein Meer grenzt, was nicht stimmt.", true},
		{"An welches Meer grenzt Italien?", "Die Frage setzt voraus, dass Italien an ein Meer grenzt, was stimmt.", false},
		{"An welches Meer grenzt Italien?", "Die Frage geht davon aus, dass Italien am Meer liegt.", false},
		{"Quelle mer borde l'Autriche ?", "La question suppose que l'Autriche borde une mer, ce qui est faux.", true},
		{"Quelle mer borde l'Italie ?", "La question suppose que l'Italie borde une mer, ce qui est vrai.", false},
		{"¿Qué mar baña Austria?", "La pregunta supone que Austria tiene mar, lo cual no es cierto.", true},
		{"¿Qué mar baña Italia?", "La pregunta supone que Italia tiene mar, lo cual es cierto.", false},
		{"Quale mare bagna l'Austria?", "La domanda presuppone che l'Austria abbia un mare, il che non è vero.", true},
		{"Quale mare bagna l'Italia?", "La domanda presuppone che l'Italia abbia un mare, il che è vero.", false},
		{"Que mar banha a Áustria?", "A pergunta pressupõe que a Áustria tem mar, o que não é verdade.", true},
		{"Que mar banha a Itália?", "A pergunta pressupõe que a Itália tem mar, o que é verdade.", false},
		{"Какое море омывает Австрию?", "Вопрос предполагает, что Австрия выходит к морю, что неверно.", true},
		{"Какое море омывает Италию?", "Вопрос предполагает, что Италия выходит к морю, что верно.", false},
		{"أي بحر يطل على النمسا؟", "السؤال يفترض أن النمسا تطل على بحر، وهذا غير صحيح.", true},
		{"أي بحر يطل على إيطاليا؟", "السؤال يفترض أن إيطاليا تطل على بحر، وهذا صحيح.", false},
		{"奥地利濒临哪个海？", "这个问题假设奥地利濒临海洋，这是错误的。", true},
		{"意大利濒临哪个海？", "这个问题假设意大利濒临海洋，这是正确的。", false},
		{"オーストリアはどの海に面していますか？", "この質問はオーストリアが海に面していることを前提としていますが、それは誤りです。", true},
		{"イタリアはどの海に面していますか？", "この質問はイタリアが海に面していることを前提としています。", false},
		{"오스트리아는 어느 바다에 접해 있습니까?", "이 질문의 가정은 잘못되었습니다.", true},
		{"이탈리아는 어느 바다에 접해 있습니까?", "이 질문의 가정은 맞습니다.", false},
	} {
		if got := premise.Denial(c.message, c.question); (got != "") != c.denies {
			t.Errorf("%q to %q: found %q, want a denial: %v", c.message, c.question, got, c.denies)
		}
	}
}

// A negation that the question has itself denies nothing.
func TestNegationOfTheQuestion(t *testing.T) {
	for _, c := range []struct {
		question, message string
		denies            bool
	}{
		{"Is it never cold in Lima?", "It is never cold in Lima.", false},
		{"Is it true that there is no king of France?", "There is no king of France.", false},
		{"How old is the king of France?", "There is no king of France.", true},
		{"Who knows the king of France?", "There is no king of France.", true},
		{"When did the king never return?", "The king did not return.", true},
	} {
		if got := premise.Denial(c.message, c.question); (got != "") != c.denies {
			t.Errorf("%q to %q: found %q, want a denial: %v", c.message, c.question, got, c.denies)
		}
	}
}

func TestDenialIsTheSentence(t *testing.T) {
	message := "I searched twice. **There is no king of France.** It has a president. Answer: none"
	if got, want := premise.Denial(message, "How old is the king of France?"), "**There is no king of France.**"; got != want {
		t.Errorf("the denial is %q, want %q", got, want)
	}
	for _, empty := range []string{"", "?", "\xff\xfe", strings.Repeat("x", 1<<20), "There is no"} {
		if got := premise.Denial(empty, "How old is the king of France?"); got != "" {
			t.Errorf("%.20q denies: %q", empty, got)
		}
	}
}

// Every row has a phrase of one language with a known role, and no language lacks a kind of denial.
func TestTables(t *testing.T) {
	known := []string{"plain", "assumes", "rejects", "contrast", "affirms", "denial", "nominal", "behind", "verbal", "final", "other", "reported", "concession",
		"pronoun", "small"}
	files, _ := filepath.Glob("languages/*.tsv")
	if len(files) != 11 {
		t.Errorf("%d languages, want 11", len(files))
	}
	for _, file := range files {
		seen, roles := map[string]bool{}, map[string]int{}
		for _, row := range rows(t, file, 4) {
			roles[row[1]]++
			if !slices.Contains(known, row[1]) || row[2]+".tsv" != filepath.Base(file) || row[3] == "" || row[0] == "" ||
				seen[row[0]+"\t"+row[1]] {
				t.Errorf("%s: the row %q has a wrong role, language or source, or occurs twice", file, row)
			}
			seen[row[0]+"\t"+row[1]] = true
		}
		if roles["assumes"] == 0 || roles["rejects"] == 0 || roles["contrast"] == 0 || roles["affirms"] == 0 ||
			roles["plain"] == 0 || roles["denial"] == 0 || roles["nominal"]+roles["behind"] == 0 || roles["small"] == 0 {
			t.Errorf("%s lacks a kind of phrase: %v", file, roles)
		}
	}
}
