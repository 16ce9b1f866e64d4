package python

import "github.com/ralph-index/ralph-index/extract/internal/sitter"

// The node kinds that the rules look at.
const (
	kModule sitter.Kind = iota + 1
	kIdentifier
	kAttribute
	kCall
	kArgumentList
	kKeywordArgument
	kSubscript
	kSlice
	kString
	kStringContent
	kInterpolation
	kFormatExpression
	kConcatenatedString
	kInteger
	kFloat
	kTrue
	kFalse
	kNone
	kList
	kTuple
	kSet
	kDictionary
	kListComprehension
	kSetComprehension
	kDictComprehension
	kGenerator
	kForIn
	kLambda
	kLambdaParameters
	kParenthesized
	kConditional
	kBooleanOperator
	kBinaryOperator
	kComparison
	kNot
	kAwait
	kYield
	kNamedExpression
	kAssignment
	kAugmented
	kExpressionStatement
	kExpressionList
	kPatternList
	kTuplePattern
	kListPattern
	kListSplatPattern
	kDictSplatPattern
	kListSplat
	kDictSplat
	kFunction
	kClass
	kDecorated
	kDecorator
	kBlock
	kParameters
	kTypedParameter
	kDefaultParameter
	kTypedDefaultParameter
	kType
	kGenericType
	kUnionType
	kTypeParameter
	kTypeAlias
	kMemberType
	kConstrainedType
	kIf
	kElif
	kElse
	kTry
	kExcept
	kExceptGroup
	kFor
	kWhile
	kWith
	kWithItem
	kAsPattern
	kAsPatternTarget
	kMatch
	kCaseClause
	kCasePattern
	kClassPattern
	kKeywordPattern
	kSplatPattern
	kReturn
	kAssert
	kRaise
	kBreak
	kContinue
	kImport
	kImportFrom
	kFutureImport
	kAliasedImport
	kDottedName
	kRelativeImport
	kWildcard
	kGlobal
	kNonlocal
	kDelete
	kComment
	kPair
)

// The fields that the rules ask for.
const (
	fName sitter.Field = iota + 1
	fBody
	fParameters
	fReturnType
	fTypeParameters
	fSuperclasses
	fDefinition
	fLeft
	fRight
	fType
	fValue
	fObject
	fAttribute
	fFunction
	fArguments
	fSubscript
	fAlias
	fModuleName
	fCondition
	fConsequence
	fAlternative
	fOperator
	fSubject
	fKey
)

func vocabulary() sitter.Vocabulary {
	return sitter.Vocabulary{
		Kinds: []string{
			kModule: "module", kIdentifier: "identifier", kAttribute: "attribute", kCall: "call",
			kArgumentList: "argument_list", kKeywordArgument: "keyword_argument", kSubscript: "subscript", kSlice: "slice",
			kString: "string", kStringContent: "string_content", kInterpolation: "interpolation",
			kFormatExpression: "format_expression", kConcatenatedString: "concatenated_string",
			kInteger: "integer", kFloat: "float", kTrue: "true", kFalse: "false", kNone: "none",
			kList: "list", kTuple: "tuple", kSet: "set", kDictionary: "dictionary",
			kListComprehension: "list_comprehension", kSetComprehension: "set_comprehension",
			kDictComprehension: "dictionary_comprehension", kGenerator: "generator_expression", kForIn: "for_in_clause",
			kLambda: "lambda", kLambdaParameters: "lambda_parameters", kParenthesized: "parenthesized_expression",
			kConditional: "conditional_expression", kBooleanOperator: "boolean_operator", kBinaryOperator: "binary_operator",
			kComparison: "comparison_operator", kNot: "not_operator", kAwait: "await", kYield: "yield",
			kNamedExpression: "named_expression", kAssignment: "assignment", kAugmented: "augmented_assignment",
			kExpressionStatement: "expression_statement", kExpressionList: "expression_list", kPatternList: "pattern_list",
			kTuplePattern: "tuple_pattern", kListPattern: "list_pattern", kListSplatPattern: "list_splat_pattern",
			kDictSplatPattern: "dictionary_splat_pattern", kListSplat: "list_splat", kDictSplat: "dictionary_splat",
			kFunction: "function_definition", kClass: "class_definition", kDecorated: "decorated_definition",
			kDecorator: "decorator", kBlock: "block", kParameters: "parameters", kTypedParameter: "typed_parameter",
			kDefaultParameter: "default_parameter", kTypedDefaultParameter: "typed_default_parameter",
			kType: "type", kGenericType: "generic_type", kUnionType: "union_type", kTypeParameter: "type_parameter",
			kTypeAlias: "type_alias_statement", kMemberType: "member_type", kConstrainedType: "constrained_type",
			kIf: "if_statement", kElif: "elif_clause", kElse: "else_clause", kTry: "try_statement",
			kExcept: "except_clause", kExceptGroup: "except_group_clause",
			kFor: "for_statement", kWhile: "while_statement", kWith: "with_statement", kWithItem: "with_item", kAsPattern: "as_pattern",
			kAsPatternTarget: "as_pattern_target", kMatch: "match_statement", kCaseClause: "case_clause",
			kCasePattern: "case_pattern", kClassPattern: "class_pattern", kKeywordPattern: "keyword_pattern",
			kSplatPattern: "splat_pattern", kReturn: "return_statement", kAssert: "assert_statement", kRaise: "raise_statement", kBreak: "break_statement", kContinue: "continue_statement",
			kImport: "import_statement", kImportFrom: "import_from_statement", kFutureImport: "future_import_statement",
			kAliasedImport: "aliased_import", kDottedName: "dotted_name", kRelativeImport: "relative_import",
			kWildcard: "wildcard_import", kGlobal: "global_statement", kNonlocal: "nonlocal_statement", kDelete: "delete_statement",
			kComment: "comment", kPair: "pair",
		},
		Fields: []string{
			fName: "name", fBody: "body", fParameters: "parameters", fReturnType: "return_type",
			fTypeParameters: "type_parameters", fSuperclasses: "superclasses", fDefinition: "definition",
			fLeft: "left", fRight: "right", fType: "type", fValue: "value", fObject: "object", fAttribute: "attribute",
			fFunction: "function", fArguments: "arguments", fSubscript: "subscript", fAlias: "alias",
			fModuleName: "module_name", fCondition: "condition", fConsequence: "consequence",
			fAlternative: "alternative", fOperator: "operator", fSubject: "subject", fKey: "key",
		},
	}
}
