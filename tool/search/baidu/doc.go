// Package baidu searches with Baidu. It reads Baidu's result pages, because there is no official interface.
// It sends requests with Baidu's cookies, reads the HTML form and the JSON form, and distinguishes blocks
// from results: for a block, Baidu sends a page with a captcha with status 200.
//
// The class names of result pages change, so a page with neither results nor a known reason for their absence
// is malformed, and never an empty success.
package baidu
