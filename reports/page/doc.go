// Package page writes a result and its traces as one HTML file. A browser shows it without network, other files
// or scripts.
//
// Text from models, tools and people is hostile here. It enters the page only through html/template, and never
// as a script, a style or an address. The page's policy allows only its own style and script, by their hashes.
// Characters that control a terminal or change the direction of text become U+FFFD.
package page
