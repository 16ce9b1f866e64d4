// Package tool is the contract that every tool of the server keeps, without any
// protocol library: what a tool is called and takes (Spec), how its arguments are
// checked and read (Arg), and what a call gives back (Result).
//
// It knows no transport and no session. Tools are defined in mcpserver/tools and
// run by mcpserver.
package tool
