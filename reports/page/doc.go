// Package page writes a result and its traces as one HTML file: it needs no network, no other
// file and no script to be read.
//
// What models, tools and people wrote is hostile here. It enters the page through html/template alone, never a
// script, a style or an address; the page's policy lets only its own style and script through, by their hashes; and
// characters that steer a terminal or turn the direction of text become U+FFFD.
package page
