package inject

// judgeWords recognise what speaks to whoever grades an answer, rather than to its
// reader. Courts and contests have judges too: only this answer, or a grader that is a
// program, tells the one from the other.
func judgeWords() lexicon {
	return lexicon{classes{
		"grader": `graders?|judges?|evaluators?|examiners?|assessors?|reviewers?|scorers?|raters?|grading (?:model|system|assistant)`,
		"robot":  `ai|llm|automated|automatic|model|language model|answer|response`,
		"note":   `notes?|messages?|instructions?|attention|dear|notice|important|reminder|directives?`,
		"top":    `full|maximum|max|top|highest|perfect|best`,
		"marks":  `marks?|scores?|grades?|credits?|ratings?|points?|stars?`,
		"mine":   `(?:this|my|the (?:above|following|candidate|submitted|preceding)) (?:answer|response|submission|solution|output|reply|essay|candidate|work)`,
		"rate":   `mark|grade|rate|score|accept|count|treat|judge|evaluate|label|classify|consider`,
		"good":   `correct|right|true|passing|passed|pass|perfect|excellent|accurate|valid|complete|10|ten|5|five|100`,
	}, []string{
		`{note} (?:to|for)? ?(?:the |any |all |whichever )?{robot} {grader}`,
		`{note} (?:to|for) (?:the |any |all )?{grader} <12> (?:{rate}|{top} {marks})`,
		`(?:give|award|assign|grant) {mine} <3> (?:{top} (?:possible )?{marks}|(?:10|5|100|ten|five|a) (?:out of|points|stars|/))`,
		`{rate} {mine} <2> (?:as )?<2> {good}`,
		`{mine} (?:must|should|has to|is to|needs to|deserves? to) be (?:marked|graded|rated|scored|accepted|counted|treated|judged|evaluated) (?:as )?<3> (?:{good}|{top} {marks})`,
		`(?:{grader}|you) (?:must|should|have to|need to|will|shall|are to) (?:always )?(?:give|award|assign|mark|rate|score|grade) ` +
			`<4> (?:{top} (?:possible )?{marks}|{mine} <2> {good})`,
		`(?:choose|prefer|pick|select|vote for|favou?r) (?:this|my) (?:answer|response|submission|output) <3> (?:over|above|as the (?:best|winner)|regardless)`,
		`(?:the )?(?:correct|final|right|only) (?:verdict|judge?ment|evaluation) (?:is|must be|should be) (?:"|')?(?:correct|pass|passed|equivalent)`,
	}}
}
