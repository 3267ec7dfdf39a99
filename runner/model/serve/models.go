package serve

import (
	"net/http"
	"time"
)

// models lists the model with the given name, if one is set. List and model have the fields
// of both APIs.
func (s *Server) models(w http.ResponseWriter) {
	data := []any{}
	var id *string
	if s.Name != "" {
		data, id = append(data, s.modelObject(s.Name)), &s.Name
	}
	write(w, http.StatusOK, map[string]any{"object": "list", "data": data, "has_more": false, "first_id": id, "last_id": id})
}

// model describes the model that requests get by a name.
func (s *Server) model(w http.ResponseWriter, r *http.Request, key, name string, fail func(http.ResponseWriter, error)) {
	if _, err := s.resolve(r, key, name); err != nil {
		fail(w, err)
		return
	}
	write(w, http.StatusOK, s.modelObject(name))
}

func (s *Server) modelObject(name string) map[string]any {
	created := s.now()
	return map[string]any{
		"id": name, "object": "model", "created": created, "owned_by": "concur",
		"type": "model", "display_name": name, "created_at": time.Unix(created, 0).UTC().Format(time.RFC3339),
	}
}
