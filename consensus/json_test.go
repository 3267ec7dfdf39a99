package consensus_test

import (
	"encoding/json"
	"testing"
)

// Fields are never omitted: undefined is null, and no class is an empty list.
func TestDecisionAsJSON(t *testing.T) {
	for _, c := range []struct{ votes, want string }{
		{
			"yxx", `{"method":"majority","answer":"x","outcome":"answered","key":"x","representative":1,` +
				`"agreement":0.6666666666666666,"margin":0.3333333333333333,"entropy":0.6365141682948128,` +
				`"votes":[{"key":"x","keys":["x"],"traces":[1,2]},{"key":"y","keys":["y"],"traces":[0]}],` +
				`"valid":3,"infra":0,"unscored":false,"verifier_calls":0,` +
				`"verifier_errors":0,"verifier_unparseable":0,"verifier_unread":0,"verifier_unread_tokens":0,"intransitive":0,"pick":null,"k_curve":true}`,
		},
		{
			"rr", `{"method":"exact","answer":null,"outcome":"refused","key":"refused","representative":0,` +
				`"agreement":1,"margin":1,"entropy":0,"votes":[{"key":"refused","keys":["refused"],"traces":[0,1]}],` +
				`"valid":2,"infra":0,"unscored":false,"verifier_calls":0,` +
				`"verifier_errors":0,"verifier_unparseable":0,"verifier_unread":0,"verifier_unread_tokens":0,"intransitive":0,"pick":null,"k_curve":true}`,
		},
		{
			"i", `{"method":"none","answer":null,"outcome":"infra","key":null,"representative":null,` +
				`"agreement":null,"margin":null,"entropy":null,"votes":[],` +
				`"valid":0,"infra":1,"unscored":true,"verifier_calls":0,` +
				`"verifier_errors":0,"verifier_unparseable":0,"verifier_unread":0,"verifier_unread_tokens":0,"intransitive":0,"pick":null,"k_curve":true}`,
		},
	} {
		got, err := json.Marshal(countVotes(cast(c.votes), stages()))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.votes, got, c.want)
		}
	}
}
