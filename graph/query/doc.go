// Package query plans and answers the five graph questions over one View.
//
// It binds references late: the edges of a definition are made when they are
// asked for, by the resolvers it is given, and are memoised. It never reads the
// disk, never waits, and looks at its context on a stride inside every loop: out
// of time, it returns what it has and says so.
package query
