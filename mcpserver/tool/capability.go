package tool

// Capability is what a session must have been granted for a tool to run.
type Capability string

// The closed set. Package session says which drain grants which.
const (
	WorkspaceRead           Capability = "workspace.read"
	WorkspaceMetadataRead   Capability = "workspace.metadata_read"
	WorkspaceWriteEphemeral Capability = "workspace.write_ephemeral"
	WorkspaceWriteTracked   Capability = "workspace.write_tracked"
	WorkspaceEdit           Capability = "workspace.edit"
	WorkspaceDelete         Capability = "workspace.delete"
	ProcessExecBounded      Capability = "process.exec_bounded"
	ProcessExecUnbounded    Capability = "process.exec_unbounded"
	ArtifactSubmit          Capability = "artifact.submit"
	ArtifactPlanRead        Capability = "artifact.plan_read"
	ArtifactPlanWrite       Capability = "artifact.plan_write"
	RunReportProgress       Capability = "run.report_progress"
	GitStatusRead           Capability = "git.status_read"
	GitDiffRead             Capability = "git.diff_read"
	EnvRead                 Capability = "env.read"
	UpstreamToolUse         Capability = "upstream.tool_use"
	WebSearch               Capability = "web.search"
	WebVisit                Capability = "web.visit"
	MediaRead               Capability = "media.read"
)
