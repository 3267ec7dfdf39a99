package offline

import (
	"strings"
	"sync"
)

// The tables of this file are closed lists of English: function words, relations with the
// words that express them, kinds of people, places and things. None names an entity.

var functionWords = sync.OnceValue(func() map[string]bool {
	return set(strings.Fields(`a an the of in on at by to from for with into onto as and or nor but than then that this these
		those there here it its itself he him his she her hers they them their who whom whose which what when where why how is
		are was were be been being am do does did done has have had having will would shall should can could may might must
		not no if so such also very just only both each either neither between among about around over under up out off
		please tell me you your i my we our us know like want find give name state identify say let one ones any some
		many much more most less least few other another same own per s upon during while after before since until till because exactly roughly
		approximately actually ever today now currently commonly usually called known question answer following
		calculate compute determine world altogether total combined take takes took taken place happen happened work ask asked need wonder curious whether`))
})

// relationTable holds one relation a line: its name, then the words that express it.
const relationTable = `
author: author wrote write writer written penned novelist playwright authored
compose: composer composed compose composition
paint: painter painted paint
sculpt: sculptor sculpted carved sculpture
discover: discoverer discovered discover discovery isolated identified detected spotted
fly: fly flew flown flight
see: saw seen see
invent: inventor invented invent invention devised patented
found: founder founded establish established foundation founding
design: designer designed architect idea conceived
build: built build builder constructed construct construction complete completed completion finished erected opened opening inaugurated unveiled
capital: capital
born: born birth birthplace birthday birthdate
die: died die death dead deceased passed
kill: killed kill assassin assassinated murdered murderer shot slain stabbed
bury: buried bury grave tomb burial
defeat: defeated defeat beat beaten beating conquered conquer overcame
steal: stole stolen steal theft thief
host: host hosted hosting staged venue
win: won win winner winning champion victory medal
length: long length longer stretch
longest: longest
highest: highest tallest
deepest: deepest
largest: largest biggest greatest
smallest: smallest tiniest
oldest: oldest
height: high height higher tall taller elevation altitude rises tower
depth: deep depth deeper
width: wide width wider widest broad
area: area surface cover covers covering
population: population inhabitant populous populated
mass: mass weigh weight heavy heavier heaviest weighs
speed: fast speed faster fastest velocity
boil: boil boiling
melt: melt melting
freeze: freeze freezing froze frozen
distance: distance far away farther further distant
diameter: diameter across
orbit: orbit revolve circle orbital orbits
moon: moon satellite
flow: flow flows runs pass passes winds
empty: empty drain discharge mouth
rise: source originate headwaters
border: border neighbour neighbor share adjoin bordering
locate: located location lies situated lie stands
currency: currency monetary
language: language spoken speak
marry: husband wife spouse married marriage wed
child: son daughter child children
parent: father mother parent
teach: teacher taught pupil student tutor teach tutored mentor supervisor supervised supervise
name: named eponym honour honor
succeed: successor succeeded succession
precede: predecessor preceded
reign: reign ruled ruler crowned coronation throne
president: president presidency presidential
begin: begin began start started beginning outbreak commenced
end: end ended ending ceased concluded conclusion
publish: published publication appeared publish
premiere: premiere premiered
land: landed landing
launch: launched launch
climb: climbed ascent ascended climb
reach: reached reach arrive arrived
sink: sank sunk sinking sink
fall: fell fall fallen
large: large larger big bigger greater
small: small smaller tiny
old: old older ancient
symbol: symbol
symphony: symphony
first: first earliest
last: last latest final
move: moved move relocated
destroy: destroyed destruction destroy ruined
split: split divided partition
lead: led lead leader leading commanded
house: houses housed kept displayed displays exhibited exhibits shows shown show hangs hung home museum
`

var relations = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for line := range strings.Lines(relationTable) {
		name, words, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok {
			continue
		}
		for _, w := range strings.Fields(words) {
			m[stem(w)] = name
		}
	}
	return m
})

// alternates are words that can stand for a relation without being its synonyms: who
// publishes a book mostly wrote it.
var alternates = sync.OnceValue(func() map[string][]string {
	m := map[string][]string{}
	for line := range strings.Lines(`author: publish book novel work set
compose: author work
paint: build hang contribut show portray
discover: find found see spot locat identify first notic
invent: build develop design discover
found: build creat begin discover
design: build plan draw drew
publish: print come appear edition out
see: show hang display
build: design work put use begin
born: nativ baptis
die: bury kill perish end
bury: die rest
kill: die
host: held hold place award game take took
house: own belong hang show see
teach: study stud supervis
flow: bank locate cross mouth reach rise enter empty
locate: bank house city flow
symbol: stand abbreviat letter
area: spread squar
length: course run
height: reach summit peak measur
marry: wif widow
begin: open
win: go went champion gold reward
reign: wore crown throne inherit
succeed: inherit crown throne becam
sign: law
name: call honour after
`) {
		head, list, ok := strings.Cut(strings.TrimSpace(line), ":")
		if ok {
			m[head] = strings.Fields(list)
		}
	}
	return m
})

// class is a kind of entity that a type noun names.
type class int

const (
	anything class = iota
	person
	place
	thing
)

// typeNouns maps a noun such as "painter" or "river" to its class.
var typeNouns = sync.OnceValue(func() map[string]class {
	lists := map[class]string{
		person: `person man woman people author writer poet novelist playwright composer painter artist sculptor architect
			engineer scientist physicist chemist mathematician astronomer biologist naturalist botanist geologist physician
			doctor surgeon philosopher economist historian king queen emperor empress monarch ruler sovereign prince princess
			president chancellor minister premier politician statesman leader general admiral captain commander soldier explorer
			navigator sailor mountaineer climber astronaut cosmonaut aviator pilot inventor discoverer founder designer
			musician pianist violinist conductor singer actor actress director athlete swimmer runner sprinter footballer
			player champion teacher tutor student pupil husband wife spouse father mother parent son daughter child brother
			sister saint pope bishop priest monk nurse lawyer journalist printer industrialist entrepreneur designer builder
			successor predecessor winner creator`,
		place: `city town capital country state nation kingdom republic empire province region county continent island
			archipelago peninsula point hill cape square street river lake sea ocean gulf bay mountain peak summit massif volcano range desert valley waterfall strait canal
			building tower bridge palace castle museum gallery cathedral church temple mosque stadium village port harbour birthplace
			hometown estate university school observatory park abbey suburb fortress dam reservoir theatre theater monastery hospital house place location site metropolis municipality district territory`,
		thing: `element metal gas mineral compound substance liquid planet star moon satellite galaxy comet asteroid dwarf book
			novel play poem opera ballet symphony painting work sculpture statue instrument animal mammal bird fish insect reptile
			organ bone gland hormone vitamin language currency company war battle treaty event team award prize disease
			particle unit symbol game spacecraft mission ship machine device theory law book colour color number word name title
			tree plant species crater process`,
	}
	m := map[string]class{}
	for c, list := range lists {
		for _, w := range strings.Fields(list) {
			m[stem(w)] = c
		}
	}
	return m
})

// classOf gives the class of a type noun, a noun for people also by its ending.
func classOf(low string) class {
	if c := typeNouns()[stem(low)]; c != anything {
		return c
	}
	for _, suffix := range []string{"sman", "yman", "swoman", "ologist", "grapher", "keeper", "maker", "monger"} {
		if strings.HasSuffix(low, suffix) {
			return person
		}
	}
	return anything
}

// relationNouns are the nouns whose "the … of X" is itself an entity, so that a question
// about it needs X's entity first.
var relationNouns = sync.OnceValue(func() map[string]bool {
	return set(strings.Fields(`author writer composer painter artist sculptor architect designer engineer creator builder founder
		discoverer inventor capital birthplace hometown homeland currency president king queen emperor monarch
		ruler leader conductor director husband wife spouse father mother son daughter brother sister teacher tutor pupil student
		successor predecessor winner champion nationality namesake`))
})

// irregular past participles that can open a clause after a noun: "the opera written by …".
var participles = sync.OnceValue(func() map[string]bool {
	return set(strings.Fields(`written built won born known named found held led taught made begun drawn sung sunk hung set
		containing bearing lying flowing standing forming sharing bordering belonging running orbiting having connecting
		separating crossing nearest closest`))
})

// auxiliaries invert in English questions: after one the subject comes first.
var auxiliaries = sync.OnceValue(func() map[string]bool {
	return set(strings.Fields(`is are was were do does did has have had can could will would`))
})

// clauseVerbs are words that are verbs wherever they follow another verb in one clause.
var clauseVerbs = sync.OnceValue(func() map[string]bool {
	return set(strings.Fields(`born die died live lived located lie lies situated stand stands write wrote written compose composed
		paint painted discover discovered invent invented found founded design designed build built host hosted win won
		crowned buried married flow flows run runs rise rises become became begin began end ended sign signed publish published
		complete completed opened open study studied teach taught work worked reign reigned rule ruled die start started
		land landed launch launched sink sank fall fell reach reached climb climbed borders border empties empty
		named established erected finished inaugurated abolished destroyed held come came grow grew
		happen happened occur occurred take took receive received arrive arrived see saw get got belong belongs weigh weighs
		measure measures comes have has passes pass orbits orbit contain contains serve served lead led succeed succeeded speak spoken cover covers`))
})

var months = sync.OnceValue(func() map[string]int {
	m := map[string]int{}
	for i, w := range strings.Fields("january february march april may june july august september october november december") {
		m[w] = i + 1
	}
	return m
})

// numberWords covers the counts that prose spells out.
var numberWords = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for line := range strings.Lines("zero:0\none:1\ntwo:2\nthree:3\nfour:4\nfive:5\nsix:6\nseven:7\neight:8\nnine:9\nten:10\neleven:11\n" +
		"twelve:12\nthirteen:13\nfourteen:14\nfifteen:15\nsixteen:16\nseventeen:17\neighteen:18\nnineteen:19\ntwenty:20\ndozen:12\n" +
		"thirty:30\nforty:40\nfifty:50\nsixty:60\nseventy:70\neighty:80\nninety:90\n") {
		w, n, _ := strings.Cut(strings.TrimSpace(line), ":")
		m[w] = n
	}
	return m
})
