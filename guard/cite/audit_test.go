package cite_test

import (
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/guard/cite"
	"github.com/seed-5817661a/concur/trace"
)

func doc(id, title, snippet string) trace.Document {
	return trace.Document{ID: id, Title: title, Snippet: snippet, Score: 0.9}
}

// library has the documents that the cases below cite.
func library() []trace.Document {
	return []trace.Document{
		doc("corpus_1", "Eiffel Tower", "The Eiffel Tower is a wrought-iron lattice tower on the Champ de Mars in Paris, France. It is named after the engineer Gustave Eiffel, whose company designed and built the tower from 1887 to 1889. It is 330 metres (1,083 ft) tall and weighs 10,100 tonnes. In 2022 it had 5.9 million visitors; 75% came from abroad."),
		doc("corpus_2", "Paris", "Paris is the capital and largest city of France, with a population of 2,102,650 residents in 2023 in an area of more than 105 km². The mayor is Anne Hidalgo. Its GDP was €765 billion."),
		doc("corpus_3", "Lyon", "Lyon is the third-largest city of France. The city had a population of 522,250 in 2021. Its area is 47.87 km²."),
		doc("corpus_4", "Declaration of Independence", "The Declaration of Independence was adopted on July 4, 1776, by the Second Continental Congress. It was signed by 56 delegates. Thomas Jefferson wrote \"We hold these truths to be self-evident, that all men are created equal\"."),
		doc("corpus_5", "Vostok Station", "The lowest temperature recorded there was −89.2 °C (−128.6 °F) on 21 July 1983. Light travels at 299,792,458 m/s."),
		doc("corpus_6", "Mars", "Mars has two moons, Phobos and Deimos. Its day lasts 24 hours and 37 minutes. The planet was studied in the 19th century and again in the 1960s."),
		doc("wiki_1", "上海", "上海市位于中国东部，2020年常住人口为2487万人，面积为6340.5平方公里。1843年11月17日开埠。"),
		doc("wiki_2", "Apple Inc.", "Apple reported revenue of $394.3 billion in fiscal 2022, up 8% from $365.8 billion. Version 16.2.1 was released at 10:30. Net income was US$99.8 billion."),
		doc("wiki_4", "Apollo 11", "Apollo 11 (July 16–24, 1969) landed on July 20, 1969; Armstrong stepped out on July 21 at 02:56 UTC. They spent about two and a quarter hours outside and collected 47.5 pounds (21.5 kg) of lunar material."),
		doc("x_1", "Łódź", "Jørgen made it in Łódź."),
		doc("jp_1", "東京タワー", "東京タワーは東京都港区にある高い塔である。"),
		doc("wiki_5", "Council", "The council decided that it will now approve the new budget of 450 thalers, and that it did not accept the second reading. Seven members of the council were possibly absent. The others had 480 votes."),
		doc("wiki_8", "James Doe", "James Doe (December 23, 1923July 5, 2005) was a sailor. In 1990 the club kept its 40th anniversary; he led it from 1997 to 2009."),
		doc("wiki_6", "Region", "The region has 5 to 7 million inhabitants, and is 30-40 km wide. It lies on a river,[2][a] near the coast."),
		doc("wiki_3", "Julius Caesar", "Julius Caesar was assassinated on 15 March 44 BC. The World Health Organization (WHO) calls `parse_args()` a function."),
	}
}

// auditCase is a case of the audit: the message, and the checks that fail as errors.
type auditCase struct {
	name    string
	message string
	calcs   []trace.Calculation
	query   string
	errors  string // check names, space-separated; "" is grounded
}

func calc(expression, result string) []trace.Calculation {
	return []trace.Calculation{{Expression: expression, Result: result}}
}

func goodCases() []auditCase {
	return []auditCase{
		{name: "paraphrase around exact facts", message: "Built between 1887 and 1889, the tower rises to 330 metres [corpus_1].\nAnswer: 330 m"},
		{name: "prose without figures", message: "The tower is named after Gustave Eiffel, an engineer [corpus_1].\nAnswer: Gustave Eiffel"},
		{name: "citation behind the full stop", message: "Its construction ended in 1889. [corpus_1] It is the landmark of Paris. [corpus_1]\nAnswer: 1889"},
		{name: "two brackets", message: "Paris is larger than Lyon [corpus_2][corpus_3].\nAnswer: Paris"},
		{name: "one bracket", message: "Paris is larger than Lyon [corpus_2, corpus_3].\nAnswer: Paris\nReferences:\n[corpus_2] Paris\n[corpus_3] Lyon"},
		{name: "comparison with figures", message: "Paris has 2,102,650 inhabitants [corpus_2], Lyon has 522,250 [corpus_3].\nAnswer: Paris"},
		{name: "rounding in millions", message: "Paris has about 2.1 million inhabitants [corpus_2].\nAnswer: 2.1 million"},
		{name: "rounding without a hedge", message: "Some 2.10 million people live in Paris [corpus_2].\nAnswer: Paris"},
		{name: "spelled-out million", message: "In 2022, 5,900,000 people visited it [corpus_1].\nAnswer: 5.9 million"},
		{name: "hedged thousands", message: "Lyon has roughly 522,000 residents [corpus_3].\nAnswer: about 522,000"},
		{name: "over", message: "Paris covers over 105 km² and has over 2 million residents [corpus_2].\nAnswer: over 2 million"},
		{name: "no separators", message: "The population is 2102650 [corpus_2].\nAnswer: 2102650"},
		{name: "spaces as separators", message: "The population is 2 102 650 [corpus_2].\nAnswer: 2 102 650"},
		{name: "thin spaces", message: "The population is 2\u202f102\u202f650 [corpus_2].\nAnswer: 2,102,650"},
		{name: "European day first", message: "It was adopted on 4 July 1776 [corpus_4].\nAnswer: 4 July 1776"},
		{name: "ISO date", message: "It was adopted on 1776-07-04 [corpus_4].\nAnswer: 1776-07-04"},
		{name: "month only", message: "It was adopted in July 1776 [corpus_4].\nAnswer: July 1776"},
		{name: "year only", message: "The Congress adopted it in 1776 [corpus_4].\nAnswer: 1776"},
		{name: "ordinal day", message: "Adopted on the 4th of July, 1776 [corpus_4].\nAnswer: July 4th, 1776"},
		{name: "slashes", message: "Adopted on 07/04/1776 [corpus_4].\nAnswer: 07/04/1776"},
		{name: "century of a year", message: "The tower dates from the 19th century [corpus_1].\nAnswer: 19th century"},
		{name: "decade of a year", message: "It was finished in the 1880s [corpus_1].\nAnswer: the 1880s"},
		{name: "BC", message: "Caesar died on 15 March 44 BC [wiki_3].\nAnswer: 44 BC"},
		{name: "unit spelled out", message: "It stands 330 meters tall [corpus_1].\nAnswer: 330 meters"},
		{name: "unit converted, as in the source", message: "It stands 1,083 feet tall [corpus_1].\nAnswer: 1083 ft"},
		{name: "unit converted by a factor", message: "Its height is 0.33 km [corpus_1].\nAnswer: 0.33 km"},
		{name: "unit converted by calc", message: "A mast of 330 metres measures 10,826.8 decifeet [corpus_1].\nAnswer: 10826.8", calcs: calc("330 / 0.3048 * 10", "10826.7716535433")},
		{name: "fahrenheit", message: "The record is -128.6 °F [corpus_5].\nAnswer: −89.2 °C"},
		{name: "temperature in words", message: "It fell to minus 89.2 degrees Celsius [corpus_5].\nAnswer: -89.2 °C"},
		{name: "scientific notation", message: "Light travels at about 3.00 × 10^8 m/s [corpus_5].\nAnswer: 3.00×10⁸ m/s"},
		{name: "kilometres per second", message: "Light travels at 299,792 km/s [corpus_5].\nAnswer: 299,792 km/s"},
		{name: "difference by calc", message: "Paris has 2,102,650 residents [corpus_2] and Lyon 522,250 [corpus_3]. So Paris has 1,580,400 more [corpus_2][corpus_3].\nAnswer: 1,580,400", calcs: calc("2102650 - 522250", "1580400")},
		{name: "difference rounded", message: "Paris has about 1.58 million more residents than Lyon [corpus_2, corpus_3].\nAnswer: 1.58 million", calcs: calc("2102650 - 522250", "1580400")},
		{name: "working is shown", message: "Density: 2102650 / 105 = 20025.24 per km² [corpus_2].\nAnswer: 20,025", calcs: calc("2102650 / 105", "20025.2380952381")},
		{name: "chain of calcs", message: "Lyon holds 24.84% of the population of Paris [corpus_2; corpus_3].\nAnswer: 24.84%", calcs: []trace.Calculation{{Expression: "0.248377048010844 * 100", Result: "24.8377048010844"}, {Expression: "522250/2102650", Result: "0.248377048010844"}}},
		{name: "share as percent", message: "Lyon holds 25% of the population of Paris [corpus_2; corpus_3].\nAnswer: 25%", calcs: calc("522250/2102650", "0.248377048010844")},
		{name: "percent of a number", message: "Some 4.425 million visitors were foreign [corpus_1].\nAnswer: 4.425 million", calcs: calc("5.9 * 75 / 100", "4.425")},
		{name: "years apart", message: "Construction took 2 years, from 1887 to 1889 [corpus_1].\nAnswer: 2 years", calcs: calc("1889 - 1887", "2")},
		{name: "an age and its year", message: "Doe turned sixty in 1983 [wiki_8].\nAnswer: James Doe"},
		{name: "dates whose dash was lost", message: "The sailor lived to 81, until July 2005 [wiki_8].\nAnswer: 81"},
		{name: "an anniversary", message: "The club began in 1950 [wiki_8].\nAnswer: 1950"},
		{name: "seasons, both counted", message: "He led it for thirteen seasons, 1997 to 2009 [wiki_8].\nAnswer: thirteen"},
		{name: "operand from the question", message: "At 330 m, four hundred towers make 132,000 m [corpus_1].\nAnswer: 132000 m", query: "How tall are 400 Eiffel Towers?", calcs: calc("330*400", "132000")},
		{name: "counting words", message: "There are two reasons, and the first one is its height [corpus_1]. Of the three cities, one is larger [corpus_2].\nAnswer: Paris"},
		{name: "numbers in words", message: "Mars has 2 moons [corpus_6].\nAnswer: 2"},
		{name: "words in the answer", message: "Phobos and Deimos orbit Mars [corpus_6].\nAnswer: two"},
		{name: "numbered list", message: "1. The tower is in Paris [corpus_1].\n2. Paris is the capital of France [corpus_2].\n\nAnswer: France"},
		{name: "bulleted list with labels", message: "**Key Facts**\n- **Total Height**: 330 m [corpus_1]\n- **Opening Year**: 1889 [corpus_1]\n\n**Answer:** 330 m"},
		{name: "percent in words", message: "75 percent of the visitors came from abroad [corpus_1].\nAnswer: 75%"},
		{name: "money", message: "Apple's revenue rose 8% to $394.3 billion in 2022 [wiki_2].\nAnswer: $394.3bn"},
		{name: "money with a code", message: "Its net income was 99.8 billion dollars [wiki_2].\nAnswer: USD 99.8 billion"},
		{name: "rounded money", message: "Apple reported about $394 billion [wiki_2].\nAnswer: 394 billion US dollars"},
		{name: "euros", message: "The GDP is EUR 765bn [corpus_2].\nAnswer: €765 billion"},
		{name: "version and time", message: "Version 16.2.1 came out at 10:30 [wiki_2].\nAnswer: 16.2.1"},
		{name: "verbatim quotation", message: "It says \"We hold these truths to be self-evident\" [corpus_4].\nAnswer: Thomas Jefferson"},
		{name: "quotation with omission", message: "It says “We hold these truths … that all men are created equal” [corpus_4].\nAnswer: yes"},
		{name: "quotation with a typo", message: "It says \"We hold these truths to be self evident, that all men are creatd equal\" [corpus_4].\nAnswer: yes"},
		{name: "quotation with two typos", message: "It says \"The counsil decided that it will now aprove the new budget\" [wiki_5].\nAnswer: yes"},
		{name: "quotation across notes", message: "It \"lies on a river, near the coast\" [wiki_6].\nAnswer: yes"},
		{name: "quotation from the question", message: "The words \"of the people by the people\" are not in it [corpus_4].\nAnswer: no", query: "Does it say \"of the people by the people\"?"},
		{name: "initials", message: "According to WHO and J. Caesar, Mr. Caesar was killed in 44 B.C. [wiki_3].\nAnswer: 44 BC"},
		{name: "name in another form", message: "President Thomas Jefferson wrote it [corpus_4].\nAnswer: Thomas Jefferson"},
		{name: "one doubtful name", message: "The Paris Region is home to the tower [corpus_1].\nAnswer: Paris"},
		{name: "bracket as the subject", message: "I compared them. [corpus_2] says that Paris has 2,102,650 residents. [corpus_3] says that Lyon has 522,250.\nAnswer: Paris"},
		{name: "according to", message: "According to [corpus_3], Lyon had 522,250 residents in 2021.\nAnswer: 522,250"},
		{name: "Chinese", message: "上海2020年常住人口为2487万[wiki_1]。面积为6340.5平方公里[wiki_1]。\n答案：2487万"},
		{name: "Chinese date, English source rules", message: "上海于1843年11月17日开埠。[wiki_1]\nAnswer: 1843-11-17"},
		{name: "number in the question", message: "The 1998 guide agrees that the tower is in Paris [corpus_1].\nAnswer: Paris", query: "Was the tower in Paris in 1998?"},
		{name: "range", message: "It was built from 1887–1889 [corpus_1].\nAnswer: 1887–1889"},
		{name: "first of a range that shares scale and unit", message: "It has at least 5 million inhabitants and is 30 km wide [wiki_6].\nAnswer: 5,000,000"},
		{name: "abbreviated range", message: "It was built 1887-89 [corpus_1].\nAnswer: 1889"},
		{name: "table", message: "| City | Population |\n|---|---|\n| Paris | 2,102,650 [corpus_2] |\n| Lyon | 522,250 [corpus_3] |\n\nAnswer: Paris"},
		{name: "Markdown link and numeric notes", message: "The tower [1] is 330 m tall [corpus_1] ([source](https://example.com/2099/77)).\nAnswer: 330 m"},
		{name: "identifiers with figures", message: "Unlike the F-16 or COVID-19, the 3D lattice tower stands in Paris [corpus_1].\nAnswer: Paris"},
		{name: "code in the answer", message: "It is 330 m tall [corpus_1].\nAnswer: `330 m`"},
		{name: "LaTeX", message: "It is $330$ m tall [corpus_1].\nAnswer: \\(330\\) m"},
		{name: "hours", message: "Its day lasts 24 hours 37 minutes [corpus_6].\nAnswer: 24 h 37 min"},
		{name: "answer first", message: "Answer: 1889\n\nThe tower was finished in 1889 [corpus_1].\n\nReferences:\n- corpus_1: Eiffel Tower"},
		{name: "uncited conclusion", message: "Paris has 2,102,650 residents [corpus_2]; Lyon has 522,250 [corpus_3]. Therefore Paris is larger.\nAnswer: Paris"},
		{name: "uncited conclusion with a cited number", message: "Paris has 2,102,650 residents [corpus_2]. So the answer is 2,102,650.\nAnswer: 2,102,650"},
		{name: "ordinals", message: "Lyon is the 3rd-largest city of France [corpus_3].\nAnswer: Lyon"},
		{name: "full-width brackets", message: "塔高330米【corpus_1】。\nAnswer: 330 m"},
		{name: "days between two dates", message: "The landing was on July 20, 1969 [wiki_4], the record on 21 July 1983 [corpus_5].\nAnswer: 5114"},
		{name: "days to days", message: "It lasted from 16 to 24 July 1969, 2.25 hours of it outside [wiki_4].\nAnswer: 16–24 July 1969"},
		{name: "time without zero", message: "He stepped out at 2:56 a.m. on 21 July [wiki_4].\nAnswer: 02:56 UTC"},
		{name: "working with a quotient", message: "Rounded, 330 / 3 + 1/2 is 110.5 [corpus_1].\nAnswer: 110.5", calcs: calc("330 / 3 + 1/2", "110.5")},
		{name: "unit after the unit", message: "The crew collected 21.5 kg (47.5 lb) [wiki_4].\nAnswer: 21.5 kg"},
		{name: "dash between clauses", message: "It was 1969 – 55 years before 2024 [wiki_4].\nAnswer: 55", query: "How many years before 2024?", calcs: calc("2024-1969", "55")},
		{name: "German separators", message: "Die Fläche beträgt 6.340,5 km² [wiki_1].\nAntwort: 6.340,5 km²"},
		{name: "surname only", message: "The tower is named after an engineer [corpus_1].\nAnswer: Eiffel"},
		{name: "full name where the document has the surname", message: "He stepped out at 02:56 UTC [wiki_4].\nAnswer: Neil Armstrong"},
		{name: "compared names of the question", message: "The first has more moons [corpus_6].\nAnswer: Jupiter", query: "Has Jupiter or Venus more moons?"},
		{name: "compared names of supported sentences", message: "President Thomas Jefferson wrote the Declaration [corpus_4].\nAnswer: President Jefferson and Thomas Jefferson"},
		{name: "plain answers", message: "The tower is larger than before, and was built by a company [corpus_1].\nAnswer: Larger"},
		{name: "no", message: "The tower is in Paris [corpus_1].\nAnswer: No"},
		{name: "not enough", message: "The tower is in Paris [corpus_1].\nAnswer: Not Enough Information"},
		{name: "symbol", message: "The tower is of wrought iron [corpus_1].\nAnswer: Fe"},
		{name: "short form", message: "The lattice tower stands in Paris [corpus_1].\nAnswer: GSI"},
		{name: "weekday", message: "The Declaration was adopted on July 4, 1776 [corpus_4].\nAnswer: Thursday"},
		{name: "number in words", message: "The planet has two moons [corpus_6].\nAnswer: Two"},
		{name: "inflected country", message: "The tower is in Paris [corpus_1].\nAnswer: French"},
		{name: "inflected name", message: "The tower is in Paris [corpus_1].\nAnswer: Parisian"},
		{name: "diacritics", message: "The tower is in Paris [corpus_1].\nAnswer: Gústave Eïffel"},
		{name: "letters without decomposition", message: "It was made by Jørgen [x_1].\nAnswer: Lodz"},
		{name: "translated name", message: "Der höchste Turm steht an der Seine, wie bekannt [corpus_2].\nAntwort: Kapstadt"},
		{name: "another script", message: "[corpus_2]\nAnswer: Париж"},
		{name: "katakana of another script", message: "[corpus_2]\nAnswer: パリシティ"},
		{name: "Chinese answer", message: "上海2020年常住人口为2487万[wiki_1]。\n答案：上海"},
		{name: "alias", message: "WHO calls it a function [wiki_3].\nAnswer: World Health Organization"},
		{name: "talk of the work", message: "Step 2: I compared 3 sources. Paris is larger than Lyon [corpus_2][corpus_3].\nAnswer: Paris"},
		{name: "Fahrenheit by calc, compared", message: "It fell to -89.2 °C, not -10 °C; they are 142.56 degrees Fahrenheit apart [corpus_5].\nAnswer: 142.56", query: "How far is -10 °C?",
			calcs: []trace.Calculation{{Expression: "-89.2 * 9 / 5 + 32", Result: "-128.56"}, {Expression: "-10*9/5 + 32", Result: "14"}, {Expression: "14 - -128.56", Result: "142.56"}}},
		{name: "volume of a sphere", message: "A ball of 330 m has 150532554 m³ [corpus_1].\nAnswer: 150532554", calcs: calc("4/3 * 3.14159265 * 330**3", "150532553.6")},
		{name: "compound growth", message: "In 10 years it had 12.74 million [corpus_1].\nAnswer: 12.74 million", query: "At 8% for 10 years?", calcs: calc("5.9 * (1 + 8/100)**10", "12.7376573")},
		{name: "mean and share", message: "The mean is 1,312,450, or 62.42% of Paris [corpus_2, corpus_3].\nAnswer: 62.42%",
			calcs: []trace.Calculation{{Expression: "(2102650+522250)/2", Result: "1312450"}, {Expression: "1312450/2102650*100", Result: "62.4188524"}}},
		{name: "seconds of days", message: "It was built for 2 years, 63072000 seconds [corpus_1].\nAnswer: 63072000", calcs: []trace.Calculation{{Expression: "1889-1887", Result: "2"}, {Expression: "2*365*24*60*60", Result: "63072000"}}},
		{name: "entries without ids", message: "The tower is in Paris [corpus_1].\nAnswer: Paris\nSources:\n- Eiffel Tower, Guide, 12 May 1999\n- What is 5G? https://example.com/2001 is it.\n[corpus_1] It is 77 pages long."},
		{name: "brackets that are no citations", message: "In Paris, arr[idx_1] is in [t_1, t_2], coded in [utf_8] [corpus_1].\nAnswer: [t_1, t_2]"},
		{name: "difference without a calc", message: "Paris has 1,580,400 more residents [corpus_2][corpus_3].\nAnswer: 1,580,400"},
		{name: "a hundred in words", message: "Fifty-six delegates signed it [corpus_4].\nAnswer: 56"},
	}
}

func badCases() []auditCase {
	return []auditCase{
		{name: "unknown id", message: "It is 330 m tall [corpus_9].\nAnswer: Paris", errors: "C1 C4"},
		{name: "unknown beside a known id", message: "It is 330 m tall [corpus_1, wiki_7].\nAnswer: 330 m", errors: "C1"},
		{name: "unknown reference", message: "It is 330 m tall [corpus_1].\nAnswer: 330 m\nReferences:\n[corpus_1] Eiffel Tower\n[serp_4] Guide", errors: "C1"},
		{name: "another number of days", message: "The landing was on July 20, 1969 [wiki_4], the record on 21 July 1983 [corpus_5].\nAnswer: 5130", errors: "C4"},
		{name: "days of two dates in prose", message: "There were 5114 of them from July 20, 1969 [wiki_4] to 21 July 1983 [corpus_5].\nAnswer: 1983", errors: "C4"},
		{name: "unknown bare reference", message: "It is 330 m tall [corpus_1].\nAnswer: 330 m\n\n**Sources:**\n1. serp_4 - Guide", errors: "C1"},
		{name: "invented quotation", message: "It says \"we regard these facts as beyond any doubt\" [corpus_4].\nAnswer: yes", errors: "C3"},
		{name: "quotation of another document", message: "It says \"We hold these truths to be self-evident\" [corpus_1].\nAnswer: yes", errors: "C3"},
		{name: "quotation, now for not", message: "It says \"decided that it will not approve the new budget\" [wiki_5].\nAnswer: no", errors: "C3"},
		{name: "quotation without its negation", message: "It says \"the new budget of 450 thalers, and that it did accept the second reading\" [wiki_5].\nAnswer: yes", errors: "C3"},
		{name: "quotation with another number", message: "It says \"will now approve the new budget of 480 thalers, and that it did not accept\" [wiki_5].\nAnswer: no", errors: "C3"},
		{name: "quotation with another number word", message: "It says \"Eleven members of the council were possibly absent\" [wiki_5].\nAnswer: no", errors: "C3"},
		{name: "quotation with a word more", message: "It says \"it will now certainly approve the new budget of 450 thalers\" [wiki_5].\nAnswer: no", errors: "C3"},
		{name: "quotation, turned round by its first letters", message: "It says \"members of the council were impossibly absent\" [wiki_5].\nAnswer: no", errors: "C3"},
		{name: "wrong number", message: "It is 324 metres tall [corpus_1].\nAnswer: Paris", errors: "C4"},
		{name: "wrong number on the answer line", message: "The tower is tall [corpus_1].\nAnswer: 324 m", errors: "C4"},
		{name: "invented precision", message: "In 2022 it had 5,912,345 visitors [corpus_1].\nAnswer: Paris", errors: "C4"},
		{name: "wrong rounding", message: "Paris has 2.2 million residents [corpus_2].\nAnswer: Paris", errors: "C4"},
		{name: "hedge too wide", message: "Paris has about 3 million residents [corpus_2].\nAnswer: Paris", errors: "C4"},
		{name: "over what it is not", message: "Paris has over 3 million residents [corpus_2].\nAnswer: Paris", errors: "C4"},
		{name: "wrong unit", message: "It is 330 feet tall [corpus_1].\nAnswer: Paris", errors: "C4"},
		{name: "wrong sign", message: "It was 89.2 °C [corpus_5].\nAnswer: yes", errors: "C4"},
		{name: "wrong percent", message: "57% came from abroad [corpus_1].\nAnswer: yes", errors: "C4"},
		{name: "percent of a count", message: "56% of the delegates signed [corpus_4].\nAnswer: yes", errors: "C4"},
		{name: "wrong currency", message: "Its revenue was €394.3 billion [wiki_2].\nAnswer: yes", errors: "C4"},
		{name: "wrong scale", message: "Its revenue was $394.3 million [wiki_2].\nAnswer: yes", errors: "C4"},
		{name: "misattributed number", message: "Lyon had 522,250 residents [corpus_2].\nAnswer: Lyon", errors: "C4 C6"},
		{name: "mental arithmetic, in two steps", message: "Paris has 1,580,400 more residents and 6.05 times as many per km² [corpus_2][corpus_3].\nAnswer: Paris", errors: "C4"},
		{name: "mental arithmetic, wrong", message: "Paris has 1,590,400 more residents [corpus_2][corpus_3].\nAnswer: Paris", errors: "C4"},
		{name: "calc on invented operands", message: "Paris has 1,500,000 more residents [corpus_2][corpus_3].\nAnswer: Paris", calcs: calc("2100001 - 600001", "1500000"), errors: "C4"},
		{name: "calc on constants alone", message: "Paris has 21 districts [corpus_2].\nAnswer: Paris", calcs: calc("3*7", "21"), errors: "C4"},
		{name: "wrong number in words", message: "Fifty-seven delegates signed it [corpus_4].\nAnswer: yes", errors: "C4"},
		{name: "an age that is not that year's", message: "Doe turned sixty in 1986 [wiki_8].\nAnswer: James Doe", errors: "C4 C5"},
		{name: "wrong Chinese number", message: "上海常住人口为2478万[wiki_1]。\n答案：上海", errors: "C4"},
		{name: "wrong version", message: "Version 16.2.2 came out [wiki_2].\nAnswer: yes", errors: "C4"},
		{name: "figure like a list mark", message: "The tower is in Paris [corpus_1].\nAnswer: 42. rivers", errors: "C4"},
		{name: "figure in parentheses", message: "The tower is in Paris [corpus_1].\nAnswer: (99) metres", errors: "C4"},
		{name: "figure in brackets", message: "The tower is in Paris [corpus_1].\nAnswer: [999] m", errors: "C4"},
		{name: "prose below the sources", message: "The tower is in Paris [corpus_1].\nAnswer: Paris\nSources:\n[corpus_1] Eiffel Tower\nIt is 999 km tall.", errors: "C4"},
		{name: "count with a unit", message: "The tower is in Paris [corpus_1].\nAnswer: 7 km", errors: "C4"},
		{name: "share, small", message: "The tower is in Paris [corpus_1].\nAnswer: 7%", errors: "C4"},
		{name: "decimal, small", message: "The tower is in Paris [corpus_1].\nAnswer: 7.0", errors: "C4"},
		{name: "below zero", message: "The tower is in Paris [corpus_1].\nAnswer: -7", errors: "C4"},
		{name: "between the ends of a range", message: "The region has 6 million inhabitants [wiki_6].\nAnswer: yes", errors: "C4"},
		{name: "first of a range with a unit", message: "The tower is in Paris [corpus_1].\nAnswer: 7 to 9 km", errors: "C4"},
		{name: "more than a count", message: "The tower is in Paris [corpus_1].\nAnswer: 13", errors: "C4"},
		{name: "wrong year", message: "It was finished in 1890 [corpus_1].\nAnswer: Paris", errors: "C5"},
		{name: "wrong day", message: "It was adopted on 5 July 1776 [corpus_4].\nAnswer: yes", errors: "C5"},
		{name: "finer than the source", message: "It was finished on 31 March 1889 [corpus_1].\nAnswer: Paris", errors: "C5"},
		{name: "month finer than the source", message: "It was finished in March 1889 [corpus_1].\nAnswer: Paris", errors: "C5"},
		{name: "wrong decade", message: "It was finished in the 1890s [corpus_1].\nAnswer: Paris", errors: "C5"},
		{name: "wrong century", message: "It dates from the 18th century [corpus_1].\nAnswer: Paris", errors: "C5"},
		{name: "wrong era", message: "Caesar died in 44 AD [wiki_3].\nAnswer: yes", errors: "C5"},
		{name: "wrong date on the answer line", message: "It was adopted by the Congress [corpus_4].\nAnswer: 2 August 1776", errors: "C5"},
		{name: "wrong Chinese date", message: "上海于1843年11月18日开埠[wiki_1]。\nAnswer: yes", errors: "C5"},
		{name: "two wrong names", message: "Emma Watson and John Lennon designed the tower [corpus_1].\nAnswer: yes", errors: "C6"},
		{name: "two invented names in the answer", message: "The tower is in Paris [corpus_1].\nAnswer: Barack Obama and Angela Merkel", errors: "C6"},
		{name: "one invented name in the answer", message: "The tower is in Paris [corpus_1].\nAnswer: **Barack Obama**.", errors: "C6"},
		{name: "one invented word in the answer", message: "The tower is in Paris [corpus_1].\nAnswer: It was Obama", errors: "C6"},
		{name: "one invented name among two in the answer", message: "The tower is in Paris [corpus_1].\nAnswer: Gustave Eiffel, Stephen Sauvestre", errors: "C6"},
		{name: "another first name", message: "The tower is named after an engineer [corpus_1].\nAnswer: Alexandre Eiffel", errors: "C6"},
		{name: "another first name in a sentence", message: "The tower is named after Alexandre Eiffel [corpus_1].\nAnswer: yes", errors: "C6"},
		{name: "another name in its place", message: "Mars has two moons, Phobos and Charon [corpus_6].\nAnswer: two", errors: "C6"},
		{name: "two invented words in the answer", message: "The tower is in Paris [corpus_1].\nAnswer: Obama, Merkel", errors: "C6"},
		{name: "answer of a document that is not cited", message: "The tower is in Paris [corpus_1].\nAnswer: Deimos", errors: "C6"},
		{name: "invented katakana answer", message: "東京タワーは東京にある高い塔である[jp_1]。\nAnswer: ナポレオン", errors: "C6"},
		{name: "number of nowhere without a citation", message: "The tower is in Paris [corpus_1]. It weighs 12,345 kg.\nAnswer: Paris", errors: "C4"},
		{name: "date of nowhere without a citation", message: "The tower is in Paris [corpus_1]. It opened on 1 May 1901.\nAnswer: Paris", errors: "C5"},
		{name: "year of nowhere without a citation", message: "It opened in 1901. The tower is in Paris [corpus_1].\nAnswer: Paris", errors: "C5"},
		{name: "any number by constants", message: "It has 93,452 steps [corpus_1].\nAnswer: yes", errors: "C4",
			calcs: []trace.Calculation{{Expression: "330*0 + 9*100 + 3*10 + 4", Result: "934"}, {Expression: "934*100 + 5*10 + 2", Result: "93452"}}},
		{name: "the right citation one sentence later", message: "It was finished in 1889 [corpus_2]. It stands in Paris [corpus_1].\nAnswer: Paris", errors: "C5"},
		{name: "no citation", message: "It was finished in 1889.\nAnswer: 1889", errors: "C9"},
		{name: "citations in code only", message: "It was finished in 1889 `[corpus_1]`.\n```\n[corpus_1]\n```\nAnswer: 1889", errors: "C9"},
		{name: "references alone", message: "It was finished in 1889.\nAnswer: 1889\nReferences:\n[corpus_1] Eiffel Tower", errors: "C9"},
	}
}

func TestAudit(t *testing.T) {
	for _, c := range append(goodCases(), badCases()...) {
		t.Run(c.name, func(t *testing.T) {
			r := cite.Audit(cite.Input{Message: c.message, Documents: library(), Calcs: c.calcs, Query: c.query})
			if got := errorChecks(r); got != c.errors {
				t.Errorf("%s\nerrors %q, want %q:\n%s", c.message, got, c.errors, show(r))
			}
			if r.Grounded != (c.errors == "") {
				t.Errorf("grounded is %v with the errors %q", r.Grounded, c.errors)
			}
			if (r.Complaint() == "") != r.Grounded {
				t.Errorf("grounded %v, complaint %q", r.Grounded, r.Complaint())
			}
		})
	}
}

// errorChecks lists the checks that fail as errors, each once, in order.
func errorChecks(r cite.Report) string {
	var out []string
	for _, p := range r.Problems {
		if p.Level == cite.Error && (len(out) == 0 || out[len(out)-1] != p.Check) {
			out = append(out, p.Check)
		}
	}
	return strings.Join(out, " ")
}

func show(r cite.Report) string {
	var b strings.Builder
	for _, p := range r.Problems {
		b.WriteString(p.Check + " " + string(p.Level) + ": " + p.Detail + " (in: " + p.Claim + ")\n")
	}
	return b.String()
}
