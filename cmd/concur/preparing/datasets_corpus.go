package preparing

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"strconv"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/corpus"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/document"
)

func datasetsCorpus(c *console.Console, given *flags.Arguments) error {
	texts, err := datasets.OpenCorpus(given.Word(0))
	if err != nil {
		return err
	}
	var b bytes.Buffer
	rows := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	whole := 0
	for _, d := range texts.Documents {
		n := utf8.RuneCountInString(d.Text)
		whole += n
		fmt.Fprintf(rows, "  %d\t%s\t%s\n", n, document.Clean(d.ID), document.Clean(d.Title))
	}
	for _, s := range texts.Skipped {
		fmt.Fprintf(rows, "  not read\t%s\t%s\n", document.Clean(s.Path), s.Reason)
	}
	if err := rows.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.Out, "%s: %s of %s, %s, %d not read\n  %s\n%s", document.Clean(texts.Name),
		text.Counted(len(texts.Documents), "document"), text.Counted(texts.Files, "file"),
		text.Counted(whole, "character"), len(texts.Skipped), texts.Hash, &b)
	return err
}

//go:embed help/datasets-corpus.txt
var datasetsCorpusHelp string

func datasetsCorpusCommand(c *console.Console) *cli.Command {
	var given flags.Arguments
	return &cli.Command{
		Name: "corpus", ArgsUsage: "FOLDER", Description: flags.Described(datasetsCorpusHelp, "{{passage}}",
			strconv.Itoa(corpus.MaxPassage)),
		Usage: "show which files of a folder --corpus reads, and which it does not",
		Action: flags.Takes(&given, "one folder or file, or the name of a built-in corpus, such as offline",
			func(_ context.Context) error {
				return datasetsCorpus(c, &given)
			}),
	}
}
