package share

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"reflect"

	"github.com/ralph-index/ralph-index/engine/api"
)

// fingerprint is the shape of everything that goes over the socket. Two programs with
// the same one read each other's requests to the last field: one that silently
// dropped a field it does not know would answer another question.
func fingerprint() string {
	h := sha256.New()
	for _, t := range []reflect.Type{
		reflect.TypeFor[api.Status](), reflect.TypeFor[api.GraphRequest](), reflect.TypeFor[api.GraphAnswer](),
		reflect.TypeFor[api.GrepRequest](), reflect.TypeFor[api.GrepAnswer](), reflect.TypeFor[api.ReadRequest](),
		reflect.TypeFor[api.ReadAnswer](), reflect.TypeFor[api.ReindexRequest](), reflect.TypeFor[line](),
		reflect.TypeFor[api.MutateRequest](), reflect.TypeFor[api.MutateAnswer](), reflect.TypeFor[api.ChangedRequest](), reflect.TypeFor[api.ChangedAnswer](),
		reflect.TypeFor[api.EditRequest](), reflect.TypeFor[api.EditAnswer](),
		reflect.TypeFor[api.ReadManyRequest](), reflect.TypeFor[api.ReadManyAnswer](), reflect.TypeFor[api.StatRequest](),
		reflect.TypeFor[api.StatAnswer](), reflect.TypeFor[api.RootsAnswer](), reflect.TypeFor[api.ListRequest](), reflect.TypeFor[api.ListAnswer](),
		reflect.TypeFor[api.FindRequest](), reflect.TypeFor[api.FindAnswer](),
	} {
		describe(h, t, map[reflect.Type]bool{})
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// describe writes the kind of a type and, for what it is made of, the same. A type
// inside itself is written once.
func describe(w io.Writer, t reflect.Type, inside map[reflect.Type]bool) {
	_, _ = fmt.Fprintf(w, "%s(", t.Kind()) // a hash takes everything
	defer func() { _, _ = io.WriteString(w, ")") }()
	if inside[t] {
		return
	}
	inside[t] = true
	defer delete(inside, t)
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() {
				_, _ = fmt.Fprintf(w, "%s %q ", f.Name, f.Tag.Get("json"))
				describe(w, f.Type, inside)
			}
		}
	case reflect.Map:
		describe(w, t.Key(), inside)
		describe(w, t.Elem(), inside)
	case reflect.Pointer, reflect.Slice, reflect.Array:
		describe(w, t.Elem(), inside)
	}
}
