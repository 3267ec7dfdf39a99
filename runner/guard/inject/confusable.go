package inject

import (
	"strings"
	"sync"
)

// lookAlikes pairs characters with the Latin letters they are taken for: a
// subset of the skeletons of Unicode TR39 (Cyrillic, Greek, Armenian, Latin
// small capitals and variants) that remains after compatibility decomposition,
// and typographic quotes and dashes.
var lookAlikes = sync.OnceValue(func() map[rune]rune {
	table := make(map[rune]rune)
	for _, line := range [][2]string{
		{"авсԁеһіјкӏмпорԛѕтгѵԝхуѡ", "abcdehijklmnopqstrvwxyw"},
		{"АВСЕНІЈКМОРЅТѴХҮЅԌԜԚ", "abcehijkmopstvxysgwq"},
		{"αβεηικνορτυχωγϲϳ", "abenikvoptuxwycj"},
		{"ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "abezhikmnoptyx"},
		{"ասօոցհեւ", "auonghtu"},
		{"ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnoprstuvwyz"},
		{"ıɑɡɩłøđħŧɐƀɗɛɨɵʋɾſ", "iagilodhtabdeiovrs"},
		{"‘’‚‛ʼ′´", "'''''''"},
		{"“”„‟″", `"""""`},
		{"‐‑‒–—―−", "-------"},
	} {
		plain := []rune(line[1])
		for i, r := range []rune(line[0]) {
			table[r] = plain[i]
		}
	}
	return table
})

// lookAlike returns the plain character that r imitates, or r.
func lookAlike(r rune) rune {
	switch {
	case r >= 0x1F1E6 && r <= 0x1F1FF: // regional indicators
		return r - 0x1F1E6 + 'a'
	case r >= 0x1F150 && r <= 0x1F169: // white on black circles
		return r - 0x1F150 + 'a'
	case r >= 0x1F170 && r <= 0x1F189: // white on black squares
		return r - 0x1F170 + 'a'
	case strings.ContainsRune("\u2028\u2029\u0085", r):
		return '\n'
	}
	if plain, ok := lookAlikes()[r]; ok {
		return plain
	}
	return r
}
