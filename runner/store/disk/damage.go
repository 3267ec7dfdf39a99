package disk

import "errors"

// ErrDamaged is wrapped by every error about a damaged file of a run. Such a file was cut or changed, or is
// not a plain file.
var ErrDamaged = errors.New("the run is damaged")

// damage is an error about a damaged file.
type damage struct{ error }

func (damage) Is(target error) bool { return target == ErrDamaged }

func (d damage) Unwrap() error { return d.error }

// Damage wraps an error about a file of a run folder, so that it matches ErrDamaged.
func Damage(err error) error { return damage{err} }
