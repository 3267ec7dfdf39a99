// Package baidu searches Baidu by reading its result pages, because there is no official interface. It sends
// requests with Baidu's cookies, reads the HTML and the JSON form, and distinguishes a block from a result:
// Baidu asks for a captcha with status 200 at the requested address.
//
// The class names of result pages change, so a page with neither results nor a known reason is malformed and
// never an empty success.
package baidu
