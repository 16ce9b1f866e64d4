package tool

import "context"

type grantsKey struct{}

// WithGrants returns a context whose handler may ask what the session was granted.
func WithGrants(ctx context.Context, grants func(Capability) bool) context.Context {
	return context.WithValue(ctx, grantsKey{}, grants)
}

// Granted reports whether the session has a capability. Outside a session it has all.
func Granted(ctx context.Context, c Capability) bool {
	grants, ok := ctx.Value(grantsKey{}).(func(Capability) bool)
	return !ok || grants(c)
}
