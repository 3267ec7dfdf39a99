package otel

// SchemaURL names the version of the conventions whose names are below.
const SchemaURL = "https://opentelemetry.io/schemas/gen-ai/1.42.0"

// The operations of spans, and the beginnings of their names.
const (
	invokeWorkflow = "invoke_workflow"
	invokeAgent    = "invoke_agent"
	chat           = "chat"
	executeTool    = "execute_tool"
	retrieval      = "retrieval"
	plan           = "plan"
	toolsCall      = "tools/call" // a call of an MCP server
)

// The names of attributes. They may change until the conventions are stable.
const (
	operationName  = "gen_ai.operation.name"
	providerName   = "gen_ai.provider.name"
	workflowName   = "gen_ai.workflow.name"
	agentName      = "gen_ai.agent.name"
	requestModel   = "gen_ai.request.model"
	temperature    = "gen_ai.request.temperature"
	maxTokens      = "gen_ai.request.max_tokens"
	seed           = "gen_ai.request.seed"
	stopSequences  = "gen_ai.request.stop_sequences"
	responseModel  = "gen_ai.response.model"
	finishReasons  = "gen_ai.response.finish_reasons"
	inputTokens    = "gen_ai.usage.input_tokens"
	outputTokens   = "gen_ai.usage.output_tokens"
	cacheRead      = "gen_ai.usage.cache_read.input_tokens"
	cacheWrite     = "gen_ai.usage.cache_write.input_tokens"
	cacheCreation  = "gen_ai.usage.cache_creation.input_tokens" // the older name of cacheWrite, which backends still read
	reasoning      = "gen_ai.usage.reasoning.output_tokens"
	inputMessages  = "gen_ai.input.messages"
	outputMessages = "gen_ai.output.messages"
	toolName       = "gen_ai.tool.name"
	toolType       = "gen_ai.tool.type"
	toolCallID     = "gen_ai.tool.call.id"
	toolArguments  = "gen_ai.tool.call.arguments"
	toolResult     = "gen_ai.tool.call.result"
	dataSource     = "gen_ai.data_source.id"
	retrievedDocs  = "gen_ai.retrieval.documents"
	evaluationName = "gen_ai.evaluation.name"
	scoreValue     = "gen_ai.evaluation.score.value"
	scoreLabel     = "gen_ai.evaluation.score.label"
	explanation    = "gen_ai.evaluation.explanation"
	mcpMethod      = "mcp.method.name"
	errorType      = "error.type"
	eventName      = "event.name" // for backends that do not read the event's name of a log record
)

// EvaluationEvent is the name of a log record with a verdict.
const EvaluationEvent = "gen_ai.evaluation.result"

// The names of concur's own attributes.
const (
	ownRun           = "concur.run"
	ownConfiguration = "concur.configuration"
	ownQuery         = "concur.query"
	ownCategory      = "concur.category"
	ownTrace         = "concur.trace.index" // among the K traces, from 0
	ownAgent         = "concur.agent.hash"
	ownOutcome       = "concur.outcome"
	ownStopReason    = "concur.stop_reason"
	ownMethod        = "concur.consensus.method"
	ownAgreement     = "concur.consensus.agreement" // 0 to 1
	ownVotes         = "concur.vote.of"             // traces
	ownWinners       = "concur.vote.size"           // traces of the winning class
	ownRight         = "concur.traces.right"
	ownJudged        = "concur.traces.judged" // traces that are not lost and have a verdict
	ownValid         = "concur.traces.valid"  // traces that are not lost
	ownLow           = "concur.ci.low"        // the lower end of the interval of the share of right traces
	ownHigh          = "concur.ci.high"
	ownLevel         = "concur.ci.level"
	ownVerdict       = "concur.verdict"
	ownJudge         = "concur.judge" // what gave a verdict
	ownAnswer        = "concur.answer"
	ownExpected      = "concur.expected"
	ownPurpose       = "concur.purpose"
	ownTask          = "concur.task"
	ownPath          = "concur.path"
	ownAttempts      = "concur.attempts"
)
