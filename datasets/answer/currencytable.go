package answer

import "strings"

// currencySign is a row of the tables: how a currency is written, in lower case, and
// the codes that it may stand for.
type currencySign struct {
	text  string
	label string // for an open currency: a form that is read as the same
	codes string
	minor bool
}

// The currencies that share a sign or name, the commonest first.
const (
	dollars = "USD CAD AUD NZD HKD SGD TWD MXN ARS CLP COP BRL JMD TTD BBD BSD BZD BMD KYD FJD GYD LRD NAD SBD SRD XCD"
	pounds  = "GBP EGP LBP SYP SDG SSP GIP FKP SHP"
	yens    = "JPY CNY"
	pesos   = "MXN ARS CLP COP PHP CUP DOP UYU"
	rupees  = "INR PKR LKR NPR MUR SCR"
	crowns  = "SEK NOK DKK ISK CZK"
	francs  = "CHF XOF XAF XPF CDF RWF BIF DJF GNF KMF"
	dinars  = "KWD IQD JOD BHD DZD TND LYD RSD MKD"
	rials   = "SAR QAR IRR OMR YER BRL"
)

// currencySigns lists the signs, those that begin with another before it.
func currencySigns() []currencySign {
	return []currencySign{
		{text: "us$", codes: "USD"}, {text: "u.s.$", codes: "USD"}, {text: "us $", codes: "USD"}, {text: "u.s. $", codes: "USD"},
		{text: "ca$", codes: "CAD"}, {text: "c$", codes: "CAD"}, {text: "au$", codes: "AUD"}, {text: "a$", codes: "AUD"},
		{text: "nz$", codes: "NZD"}, {text: "hk$", codes: "HKD"}, {text: "sg$", codes: "SGD"}, {text: "s$", codes: "SGD"},
		{text: "nt$", codes: "TWD"}, {text: "mx$", codes: "MXN"}, {text: "r$", codes: "BRL"},
		{text: `\$`, label: "$", codes: dollars}, {text: "$", label: "$", codes: dollars},
		{text: "£", label: "£", codes: pounds},
		{text: "cn¥", codes: "CNY"}, {text: "jp¥", codes: "JPY"}, {text: "¥", label: "¥", codes: yens},
		{text: "€", codes: "EUR"}, {text: "₹", codes: "INR"}, {text: "₩", codes: "KRW"}, {text: "₽", codes: "RUB"},
		{text: "₺", codes: "TRY"}, {text: "₫", codes: "VND"}, {text: "₪", codes: "ILS"}, {text: "฿", codes: "THB"},
		{text: "₴", codes: "UAH"}, {text: "₦", codes: "NGN"}, {text: "₱", codes: "PHP"}, {text: "₸", codes: "KZT"},
		{text: "₵", codes: "GHS"}, {text: "₾", codes: "GEL"}, {text: "₡", codes: "CRC"}, {text: "₲", codes: "PYG"},
		{text: "円", codes: "JPY"}, {text: "zł", codes: "PLN"}, {text: "kč", codes: "CZK"}, {text: "元", label: "元", codes: "CNY TWD HKD"},
		{text: "rs.", label: "rs", codes: rupees}, {text: "rs", label: "rs", codes: rupees},
		{text: "kr.", label: "kr", codes: crowns}, {text: "kr", label: "kr", codes: crowns},
	}
}

// currencyNames lists the names, the longer ones first.
func currencyNames() []currencySign {
	return []currencySign{
		{text: "us dollars|us dollar|u.s. dollars|u.s. dollar|american dollars|united states dollars", codes: "USD"},
		{text: "canadian dollars|canadian dollar", codes: "CAD"},
		{text: "australian dollars|australian dollar", codes: "AUD"},
		{text: "new zealand dollars|new zealand dollar", codes: "NZD"},
		{text: "hong kong dollars|hong kong dollar", codes: "HKD"},
		{text: "singapore dollars|singapore dollar", codes: "SGD"},
		{text: "pounds sterling|pound sterling|british pounds|british pound|sterling|quid", codes: "GBP"},
		{text: "egyptian pounds|egyptian pound", codes: "EGP"},
		{text: "japanese yen|yen", codes: "JPY"},
		{text: "chinese yuan|yuan|renminbi|rmb", codes: "CNY"},
		{text: "indian rupees|indian rupee", codes: "INR"},
		{text: "pakistani rupees|pakistani rupee", codes: "PKR"},
		{text: "swiss francs|swiss franc", codes: "CHF"},
		{text: "mexican pesos|mexican peso", codes: "MXN"},
		{text: "argentine pesos|argentine peso", codes: "ARS"},
		{text: "philippine pesos|philippine peso", codes: "PHP"},
		{text: "swedish kronor|swedish krona", codes: "SEK"},
		{text: "norwegian kroner|norwegian krone", codes: "NOK"},
		{text: "danish kroner|danish krone", codes: "DKK"},
		{text: "south korean won|korean won|won", codes: "KRW"},
		{text: "russian rubles|russian roubles|rubles|ruble|roubles|rouble", codes: "RUB"},
		{text: "turkish lira|turkish liras", codes: "TRY"},
		{text: "brazilian reais|brazilian real|reais", codes: "BRL"},
		{text: "south african rand|rand", codes: "ZAR"},
		{text: "euros|euro", codes: "EUR"},
		{text: "zlotys|zloty|złoty|złotych", codes: "PLN"},
		{text: "shekels|shekel", codes: "ILS"}, {text: "baht", codes: "THB"}, {text: "ringgit", codes: "MYR"},
		{text: "dollars|dollar|bucks", label: "$", codes: dollars},
		{text: "pounds|pound", label: "£", codes: pounds},
		{text: "pesos|peso", label: "pesos", codes: pesos},
		{text: "rupees|rupee", label: "rs", codes: rupees},
		{text: "kronor|kroner|krona|krone|crowns", label: "kr", codes: crowns},
		{text: "francs|franc", label: "francs", codes: francs},
		{text: "dinars|dinar", label: "dinars", codes: dinars},
		{text: "riyals|riyal|rials|rial", label: "rials", codes: rials},
		{text: "us cents|us cent", codes: "USD", minor: true},
		{text: "euro cents|euro cent", codes: "EUR", minor: true},
		{text: "cents|cent|¢", label: "cents", codes: dollars + " EUR", minor: true},
		{text: "pence|penny", codes: "GBP", minor: true},
	}
}

// isCurrencyCode knows the codes of ISO 4217 that are money in use.
func isCurrencyCode(code string) bool {
	const codes = " AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN" +
		" BZD CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF" +
		" GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR" +
		" LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK" +
		" PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT" +
		" TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG "
	return len(code) == 3 && strings.Contains(codes, " "+code+" ")
}

// isCommonCode knows the codes that are recognised in lower case too. Others, such
// as all, top and try, are words.
func isCommonCode(lower string) bool {
	switch lower {
	case "usd", "eur", "gbp", "jpy", "cny", "inr", "aud", "cad", "chf", "krw", "rub", "brl", "mxn", "sek", "nok", "dkk",
		"pln", "czk", "nzd", "sgd", "hkd", "twd", "zar", "thb", "idr", "myr", "php", "vnd":
		return true
	}
	return false
}
