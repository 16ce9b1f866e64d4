package rust

import "github.com/ralph-index/ralph-index/extract/internal/sitter"

// The node kinds that are read, in the order of kindNames.
const (
	kLineComment sitter.Kind = iota + 1
	kBlockComment
	kIdentifier
	kTypeIdentifier
	kFieldIdentifier
	kShorthandField
	kScoped
	kScopedType
	kCrate
	kSelf
	kSuper
	kMetavariable
	kVisibility
	kModifiers
	kAttributeItem
	kInnerAttribute
	kAttribute
	kMod
	kForeignMod
	kFunction
	kFunctionSig
	kStruct
	kUnion
	kEnum
	kEnumVariant
	kFieldDecl
	kFieldList
	kTupleFields
	kTrait
	kImpl
	kTypeItem
	kAssocType
	kConst
	kStatic
	kUse
	kUseList
	kScopedUseList
	kUseAs
	kUseWildcard
	kExternCrate
	kMacroDef
	kMacroCall
	kTokenTree
	kTypeParams
	kConstrainedParam
	kOptionalParam
	kConstParam
	kParams
	kParam
	kSelfParam
	kBounds
	kWhere
	kWherePredicate
	kGenericType
	kTypeArgs
	kTypeBinding
	kReferenceType
	kPointerType
	kTupleType
	kArrayType
	kFunctionType
	kDynType
	kHigherRanked
	kAbstractType
	kBracketedType
	kQualifiedType
	kPrimitive
	kUnitType
	kLifetime
	kBlock
	kLet
	kExprStmt
	kIf
	kElse
	kLetCondition
	kLetChain
	kMatch
	kMatchBlock
	kMatchArm
	kMatchPattern
	kWhile
	kFor
	kLoop
	kUnsafeBlock
	kAsyncBlock
	kTryBlock
	kClosure
	kClosureParams
	kCall
	kArguments
	kField
	kGenericFunction
	kStructExpr
	kInitList
	kShorthandInit
	kInit
	kTry
	kAwait
	kReference
	kUnary
	kBinary
	kAssign
	kCompoundAssign
	kCast
	kIndex
	kArray
	kTuple
	kParen
	kReturn
	kBreak
	kContinue
	kRange
	kString
	kRawString
	kChar
	kBool
	kInt
	kFloat
	kLabel
	kMutable
	kTupleStructPattern
	kStructPattern
	kFieldPattern
	kTuplePattern
	kRefPattern
	kMutPattern
	kCapturedPattern
	kReferencePattern
	kSlicePattern
	kOrPattern
	kRangePattern
	kNegative
	kRemaining
)

// kindNames returns the names in the grammar by kind.
func kindNames() []string {
	return []string{
		kLineComment: "line_comment", kBlockComment: "block_comment", kIdentifier: "identifier",
		kTypeIdentifier: "type_identifier", kFieldIdentifier: "field_identifier", kShorthandField: "shorthand_field_identifier",
		kScoped: "scoped_identifier", kScopedType: "scoped_type_identifier", kCrate: "crate", kSelf: "self", kSuper: "super",
		kMetavariable: "metavariable", kVisibility: "visibility_modifier", kModifiers: "function_modifiers",
		kAttributeItem: "attribute_item", kInnerAttribute: "inner_attribute_item", kAttribute: "attribute", kMod: "mod_item",
		kForeignMod: "foreign_mod_item", kFunction: "function_item", kFunctionSig: "function_signature_item",
		kStruct: "struct_item", kUnion: "union_item", kEnum: "enum_item", kEnumVariant: "enum_variant",
		kFieldDecl: "field_declaration", kFieldList: "field_declaration_list", kTupleFields: "ordered_field_declaration_list",
		kTrait: "trait_item", kImpl: "impl_item", kTypeItem: "type_item", kAssocType: "associated_type", kConst: "const_item",
		kStatic: "static_item", kUse: "use_declaration", kUseList: "use_list", kScopedUseList: "scoped_use_list",
		kUseAs: "use_as_clause", kUseWildcard: "use_wildcard", kExternCrate: "extern_crate_declaration",
		kMacroDef: "macro_definition", kMacroCall: "macro_invocation", kTokenTree: "token_tree", kTypeParams: "type_parameters",
		kConstrainedParam: "constrained_type_parameter", kOptionalParam: "optional_type_parameter",
		kConstParam: "const_parameter", kParams: "parameters", kParam: "parameter", kSelfParam: "self_parameter",
		kBounds: "trait_bounds", kWhere: "where_clause", kWherePredicate: "where_predicate", kGenericType: "generic_type",
		kTypeArgs: "type_arguments", kTypeBinding: "type_binding", kReferenceType: "reference_type",
		kPointerType: "pointer_type", kTupleType: "tuple_type", kArrayType: "array_type", kFunctionType: "function_type",
		kDynType: "dynamic_type", kHigherRanked: "higher_ranked_trait_bound", kAbstractType: "abstract_type", kBracketedType: "bracketed_type",
		kQualifiedType: "qualified_type", kPrimitive: "primitive_type", kUnitType: "unit_type", kLifetime: "lifetime",
		kBlock: "block", kLet: "let_declaration", kExprStmt: "expression_statement", kIf: "if_expression",
		kElse: "else_clause", kLetCondition: "let_condition", kLetChain: "let_chain", kMatch: "match_expression",
		kMatchBlock: "match_block", kMatchArm: "match_arm", kMatchPattern: "match_pattern", kWhile: "while_expression",
		kFor: "for_expression", kLoop: "loop_expression", kUnsafeBlock: "unsafe_block", kAsyncBlock: "async_block",
		kTryBlock: "try_block", kClosure: "closure_expression", kClosureParams: "closure_parameters", kCall: "call_expression",
		kArguments: "arguments", kField: "field_expression", kGenericFunction: "generic_function",
		kStructExpr: "struct_expression", kInitList: "field_initializer_list", kShorthandInit: "shorthand_field_initializer",
		kInit: "field_initializer", kTry: "try_expression", kAwait: "await_expression", kReference: "reference_expression",
		kUnary: "unary_expression", kBinary: "binary_expression", kAssign: "assignment_expression",
		kCompoundAssign: "compound_assignment_expr", kCast: "type_cast_expression", kIndex: "index_expression",
		kArray: "array_expression", kTuple: "tuple_expression", kParen: "parenthesized_expression",
		kReturn: "return_expression", kBreak: "break_expression", kContinue: "continue_expression", kRange: "range_expression",
		kString: "string_literal", kRawString: "raw_string_literal", kChar: "char_literal", kBool: "boolean_literal",
		kInt: "integer_literal", kFloat: "float_literal", kLabel: "label", kMutable: "mutable_specifier",
		kTupleStructPattern: "tuple_struct_pattern", kStructPattern: "struct_pattern", kFieldPattern: "field_pattern",
		kTuplePattern: "tuple_pattern", kRefPattern: "ref_pattern", kMutPattern: "mut_pattern",
		kCapturedPattern: "captured_pattern", kReferencePattern: "reference_pattern", kSlicePattern: "slice_pattern",
		kOrPattern: "or_pattern", kRangePattern: "range_pattern", kNegative: "negative_literal", kRemaining: "remaining_field_pattern",
	}
}

// The fields that are read, in the order of fieldNames.
const (
	fName sitter.Field = iota + 1
	fType
	fValue
	fBody
	fPath
	fPattern
	fParameters
	fReturn
	fTypeParameters
	fTypeArguments
	fTrait
	fArgument
	fAlias
	fList
	fMacro
	fFunction
	fArguments
	fField
	fLeft
	fRight
	fCondition
	fConsequence
	fAlternative
	fBounds
	fElement
	fLength
	fDefault
)

// fieldNames returns the names in the grammar by field.
func fieldNames() []string {
	return []string{
		fName: "name", fType: "type", fValue: "value", fBody: "body", fPath: "path", fPattern: "pattern",
		fParameters: "parameters", fReturn: "return_type", fTypeParameters: "type_parameters",
		fTypeArguments: "type_arguments", fTrait: "trait", fArgument: "argument", fAlias: "alias", fList: "list",
		fMacro: "macro", fFunction: "function", fArguments: "arguments", fField: "field", fLeft: "left", fRight: "right",
		fCondition: "condition", fConsequence: "consequence", fAlternative: "alternative", fBounds: "bounds",
		fElement: "element", fLength: "length", fDefault: "default_type",
	}
}
