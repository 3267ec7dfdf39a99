// Package suspects finds golds that are probably wrong, by what runs answered: the better an
// agent is elsewhere the less it is right here, all models give the same "wrong" answer, or a
// judge or a person accepts what the gold refuses.
package suspects
