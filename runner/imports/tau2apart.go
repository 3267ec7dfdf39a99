package imports

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/seed-5817661a/concur/internal/lines"
)

// tau2Entry is an entry of the index of simulations in separate files.
type tau2Entry struct {
	ID    scalar
	Task  scalar `json:"task_id"`
	Trial *int
}

// tau2Folder is the folder of the separate files, in the same folder as the results.
const tau2Folder = "simulations"

// simulationsApart reads the simulations of the index from the separate files. The names of the files do not
// matter. A file with a simulation that is not in the index is an error, and so is a missing file. The
// results of an unfinished run have no index; then all files count.
func (file tau2File) simulationsApart(beside fs.FS) ([]tau2Simulation, error) {
	if beside == nil {
		return nil, errors.New("the simulations are in separate files: give the path of the results file to read them")
	}
	names, err := fs.Glob(beside, tau2Folder+"/*.json")
	if err != nil {
		return nil, err
	}
	index := map[scalar]tau2Entry{}
	for i, e := range file.Index {
		if _, twice := index[e.ID]; e.ID == "" || twice {
			return nil, fmt.Errorf("entry %d of simulation_index has no unique id: write the results again", i)
		}
		index[e.ID] = e
	}
	var out []tau2Simulation
	for _, name := range names {
		s, err := readSimulation(beside, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		e, listed := index[s.ID]
		switch {
		case !listed && file.Index != nil:
			const stray = "%s: the simulation %q is not in simulation_index, or occurs twice: remove the file"
			return nil, fmt.Errorf(stray, name, s.ID)
		case e.Task != "" && e.Task != s.Task, e.Trial != nil && *e.Trial != s.Trial:
			return nil, fmt.Errorf("%s: simulation_index has another task or trial for %q: copy both again", name, s.ID)
		}
		delete(index, s.ID)
		out = append(out, s)
	}
	for _, e := range file.Index {
		if _, missing := index[e.ID]; missing {
			return nil, fmt.Errorf("the simulation %q is in no file of %s/: copy that folder to the folder of the results",
				e.ID, tau2Folder)
		}
	}
	return out, nil
}

func readSimulation(beside fs.FS, name string) (s tau2Simulation, err error) {
	f, err := beside.Open(name)
	if err != nil {
		return s, err
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, maxSample+1))
	switch {
	case err != nil:
		return s, err
	case len(raw) > maxSample:
		return s, fmt.Errorf("it is longer than %d bytes", maxSample)
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		return s, fmt.Errorf("%w; copy the file again", lines.Fault(err, raw))
	}
	return s, nil
}
