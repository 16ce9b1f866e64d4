package rust

// What most bindings need again and again is derived once, where the view keeps it.
// Each key names all that its value depends on beside the view.
const (
	ruleParent   = "rust/parent"   // In: path of a file
	ruleManifest = "rust/manifest" // In: directory
	ruleCrate    = "rust/crate"    // In: directory of the manifest, Name: of the crate
	ruleName     = "rust/name"     // File, Name, Owner: the definition of the module and the namespace
	ruleMembers  = "rust/members"  // File, Name, Owner: the type and its definition
	ruleTraits   = "rust/traits"   // Name: traits with such an item
	ruleMacros   = "rust/macros"   // In: directory of the manifest, Name
	ruleLeft     = "rust/left"     // In: path of a file; whether a plain build leaves it out
	ruleFeatures = "rust/features" // In: path of the manifest
	ruleSelf     = "rust/types"    // File, Name, Owner: module of an impl block
)
