package store

import "github.com/seed-5817661a/concur/runner/model"

// Calls reports every answered model call, of all sessions, including replaced ones,
// because they were all paid. spec is the model as configured.
func (r *Run) Calls(report func(spec string, took model.Usage)) error {
	models := map[string]string{} // settings → model
	for x, err := range lines[Exchange](r, chatFile) {
		if err != nil {
			return err
		}
		if x.RequestSettings != nil {
			models[x.Settings] = x.RequestSettings.Model
		}
		if x.Usage != nil {
			report(models[x.Settings], *x.Usage)
		}
	}
	return nil
}
