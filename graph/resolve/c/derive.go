package c

// What most bindings need again and again is derived once, where the view keeps it.
const (
	ruleInclude = "c/include" // In: directory, Name: path, Flag: of the system
	ruleClosure = "c/closure" // File
)
