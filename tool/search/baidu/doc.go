// Package baidu searches Baidu by reading its result pages, for which there is no official
// interface. It owns the request with its cookies, the reading of the HTML and the JSON form, and the telling of a block
// from a result: Baidu asks for a captcha with status 200 at the address that was asked for.
//
// The result pages' class names change; a page that holds neither results nor a known
// reason is malformed, never an empty success.
package baidu
