package offline

// op is what a node of a read question does with its operands.
type op int

const (
	opAsk       op = iota // one chain of lookups
	opLiteral             // a number that the question itself gives
	opSum                 // a + b
	opMinus               // a - b
	opGap                 // the larger less the smaller
	opProduct             // a * b
	opRatio               // a / b
	opPercent             // 100 * a / b
	opPercentOf           // a per cent of b
	opChange              // 100 * (a - b) / b
	opMean                // (a + b) / 2
	opPower               // a ** b
	opDuration            // the time that a distance takes at a speed
	opAge                 // full years between two dates
	opPick                // which of two entities has the larger (or smaller) measure
	opTruth               // whether the first measure is the larger (or smaller)
	opSame                // whether two lookups agree
	opBoth                // whether two statements both hold
	opVerify              // whether a statement holds
)

// node is a read question: a tree of operations over lookups and given numbers.
type node struct {
	op      op
	args    []*node
	ask     *ask
	literal string
	unit    unit // of the literal
	// labels name the entities of a comparison, in the order of args.
	labels []string
	// smaller makes a comparison prefer the smaller number or the earlier date.
	smaller bool
}

func lookup(text string, w want) *node { return &node{op: opAsk, ask: newAsk(text, &w)} }

func literal(value string) *node { return &node{op: opLiteral, literal: value} }

func given(q quantity) *node { return &node{op: opLiteral, literal: q.value, unit: q.unit} }

func (n *node) numeric() bool { return n.op > opAsk && n.op < opPick }
