//go:build browser

package page_test

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// TestPrintInABrowser: on paper the page is dark on white whatever the theme, nothing is cut at
// the width of a sheet, and of a query that is not open there is what was decided.
func TestPrintInABrowser(t *testing.T) {
	v := openPage(t, browser(t), saved(t, written(t, ablation(t))), "")
	v.do(emulation.SetDeviceMetricsOverride(680, 960, 1, false), chromedp.Evaluate(`document.querySelectorAll(".query")[1].open = true`, nil),
		emulation.SetEmulatedMedia().WithMedia("print").WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}))
	v.is("the paper is white", `getComputedStyle(document.body).backgroundColor === "rgb(255, 255, 255)"`)
	v.is("the text is black", `getComputedStyle(document.body).color === "rgb(0, 0, 0)"`)
	v.is("nothing is wider than the sheet", `document.documentElement.scrollWidth <= innerWidth`)
	v.is("tables are not cut", `[...document.querySelectorAll(".wide")].every((w) => getComputedStyle(w).overflowX === "visible" && (!w.checkVisibility() || w.firstElementChild.offsetWidth <= innerWidth))`)
	v.is("there is a figure", `[...document.querySelectorAll("figure svg")].some((s) => s.checkVisibility())`)
	v.is("the decisions of a closed query show", `document.querySelector(".query:not([open]) .decision").checkVisibility({contentVisibilityAuto: true})`)
	v.is("its traces do not", `!document.querySelector(".query:not([open]) .trace").checkVisibility()`)
	v.is("those of an open one do", `document.querySelector(".query[open] .trace").checkVisibility()`)
	v.is("there is nothing to click", `[...document.querySelectorAll("nav, #filters")].every((n) => !n.checkVisibility())`)
	v.harmless()
}
