package store

import "github.com/seed-5817661a/concur/runner/model"

// Calls tells of every model call that was answered, of all sessions and superseded ones
// too: they all were paid. spec is the model as the configuration names it.
func (r *Run) Calls(tell func(spec string, took model.Usage)) error {
	named := map[string]string{} // settings → model
	for x, err := range lines[Exchange](r, chatFile) {
		if err != nil {
			return err
		}
		if x.RequestSettings != nil {
			named[x.Settings] = x.RequestSettings.Model
		}
		if x.Usage != nil {
			tell(named[x.Settings], *x.Usage)
		}
	}
	return nil
}
