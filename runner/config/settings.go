package config

// Settings gives every setting by its dotted key, as in concur.yaml.
func Settings(c Configuration) map[string]string { return flat(c) }
