// Package mcpserver serves the tools over the Model Context Protocol: the list of
// tools, the chain that every call passes (recover, log, capability, budget,
// arguments, handler, error, encoding) and the transports.
//
// It answers through an api.Service and knows nothing of how answers are found.
// The protocol library is fenced into internal/sdk; tools live in
// mcpserver/tools, one file each, and the contract they keep in mcpserver/tool.
package mcpserver
