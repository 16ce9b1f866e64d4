package c

import "github.com/ralph-index/ralph-index/extract/internal/sitter"

// The node kinds that are read, in the order of kindNames. Those from kAuto on are of
// C++ alone.
const (
	kIdentifier sitter.Kind = iota + 1
	kTypeIdentifier
	kFieldIdentifier
	kStatementIdentifier
	kPrimitiveType
	kSizedType
	kComment
	kString
	kChar
	kNumber
	kConcatenated
	kTranslationUnit
	kFunctionDef
	kDeclaration
	kTypeDef
	kLinkage
	kDeclarationList
	kPointerDecl
	kArrayDecl
	kFunctionDecl
	kParenDecl
	kInitDecl
	kAttributedDecl
	kAbstractFunctionDecl
	kCompound
	kStorage
	kTypeQualifier
	kEnum
	kEnumeratorList
	kStruct
	kUnion
	kFieldList
	kField
	kBitfield
	kEnumerator
	kParams
	kParam
	kExprStmt
	kFor
	kCall
	kArgs
	kAssign
	kCast
	kTypeDescriptor
	kFieldExpr
	kCompoundLiteral
	kInitList
	kInitPair
	kFieldDesignator
	kSubscript
	kParen
	kPointerExpr
	kUpdate
	kConditional
	kComma
	kGoto
	kLabeled
	kAuto
	kThis
	kClass
	kBaseClause
	kNamespace
	kNamespaceAlias
	kNamespaceIdentifier
	kNestedNamespace
	kUsing
	kAlias
	kTemplate
	kTemplateParams
	kTypeParam
	kVariadicTypeParam
	kOptionalTypeParam
	kOptionalParam
	kVariadicParam
	kReferenceDecl
	kVariadicDecl
	kOperatorCast
	kOperatorName
	kDestructorName
	kQualified
	kTemplateType
	kTemplateFunction
	kTemplateMethod
	kTemplateArgs
	kDependentName
	kDependentType
	kFriend
	kAccess
	kNew
	kDelete
	kLambda
	kLambdaCapture
	kRangeFor
	kCatch
	kFieldInitList
	kFieldInit
	kStructuredBinding
	kTrailingReturn
	kDefaultMethod
	kPureVirtual
	kVirtual
	kConcept
	kDecltype
	kConditionClause
	kRawString
	kBinary
	kNot
	kTrue
	kFalse
	kNull
	kSizeof
)

func kindNames(cpp bool) []string {
	all := []string{
		kIdentifier: "identifier", kTypeIdentifier: "type_identifier", kFieldIdentifier: "field_identifier",
		kStatementIdentifier: "statement_identifier", kPrimitiveType: "primitive_type", kSizedType: "sized_type_specifier",
		kComment: "comment", kString: "string_literal", kChar: "char_literal", kNumber: "number_literal",
		kConcatenated: "concatenated_string", kTranslationUnit: "translation_unit",
		kFunctionDef: "function_definition", kDeclaration: "declaration", kTypeDef: "type_definition",
		kLinkage: "linkage_specification", kDeclarationList: "declaration_list", kPointerDecl: "pointer_declarator",
		kArrayDecl: "array_declarator", kFunctionDecl: "function_declarator", kParenDecl: "parenthesized_declarator",
		kInitDecl: "init_declarator", kAttributedDecl: "attributed_declarator", kAbstractFunctionDecl: "abstract_function_declarator",
		kCompound: "compound_statement", kStorage: "storage_class_specifier", kTypeQualifier: "type_qualifier",
		kEnum: "enum_specifier", kEnumeratorList: "enumerator_list", kStruct: "struct_specifier", kUnion: "union_specifier",
		kFieldList: "field_declaration_list", kField: "field_declaration", kBitfield: "bitfield_clause", kEnumerator: "enumerator",
		kParams: "parameter_list", kParam: "parameter_declaration",
		kExprStmt: "expression_statement", kFor: "for_statement", kCall: "call_expression", kArgs: "argument_list",
		kAssign: "assignment_expression", kCast: "cast_expression", kTypeDescriptor: "type_descriptor",
		kFieldExpr: "field_expression", kCompoundLiteral: "compound_literal_expression", kInitList: "initializer_list",
		kInitPair: "initializer_pair", kFieldDesignator: "field_designator", kSubscript: "subscript_expression",
		kParen: "parenthesized_expression", kPointerExpr: "pointer_expression", kUpdate: "update_expression",
		kConditional: "conditional_expression", kComma: "comma_expression",
		kGoto: "goto_statement", kLabeled: "labeled_statement",
		kAuto: "auto", kThis: "this", kClass: "class_specifier", kBaseClause: "base_class_clause", kNamespace: "namespace_definition",
		kNamespaceAlias: "namespace_alias_definition", kNamespaceIdentifier: "namespace_identifier",
		kNestedNamespace: "nested_namespace_specifier", kUsing: "using_declaration", kAlias: "alias_declaration",
		kTemplate: "template_declaration", kTemplateParams: "template_parameter_list", kTypeParam: "type_parameter_declaration",
		kVariadicTypeParam: "variadic_type_parameter_declaration", kOptionalTypeParam: "optional_type_parameter_declaration",
		kOptionalParam: "optional_parameter_declaration", kVariadicParam: "variadic_parameter_declaration",
		kReferenceDecl: "reference_declarator", kVariadicDecl: "variadic_declarator", kOperatorCast: "operator_cast",
		kOperatorName: "operator_name", kDestructorName: "destructor_name", kQualified: "qualified_identifier",
		kTemplateType: "template_type", kTemplateFunction: "template_function", kTemplateMethod: "template_method",
		kTemplateArgs: "template_argument_list", kDependentName: "dependent_name", kDependentType: "dependent_type",
		kFriend: "friend_declaration", kAccess: "access_specifier", kNew: "new_expression", kDelete: "delete_expression",
		kLambda: "lambda_expression", kLambdaCapture: "lambda_capture_specifier", kRangeFor: "for_range_loop", kCatch: "catch_clause",
		kFieldInitList: "field_initializer_list", kFieldInit: "field_initializer", kStructuredBinding: "structured_binding_declarator",
		kTrailingReturn: "trailing_return_type", kDefaultMethod: "default_method_clause",
		kPureVirtual: "pure_virtual_clause", kVirtual: "virtual", kConcept: "concept_definition", kDecltype: "decltype",
		kConditionClause: "condition_clause", kRawString: "raw_string_literal", kBinary: "binary_expression", kNot: "unary_expression",
		kTrue: "true", kFalse: "false", kNull: "null", kSizeof: "sizeof_expression",
	}
	if !cpp {
		return all[:kAuto]
	}
	return all
}

// The fields that are read, in the order of fieldNames. Those from fScope on are of C++
// alone.
const (
	fDeclarator sitter.Field = iota + 1
	fType
	fName
	fBody
	fParameters
	fValue
	fFunction
	fArguments
	fArgument
	fField
	fLeft
	fRight
	fDesignator
	fInitializer
	fCondition
	fIndex
	fUnderlying
	fScope
	fTemplateParameters
	fDefaultType
	fDefaultValue
	fCaptures
)

func fieldNames(cpp bool) []string {
	all := []string{
		fDeclarator: "declarator", fType: "type", fName: "name", fBody: "body", fParameters: "parameters", fValue: "value",
		fFunction: "function", fArguments: "arguments", fArgument: "argument", fField: "field", fLeft: "left", fRight: "right",
		fDesignator: "designator", fInitializer: "initializer", fCondition: "condition", fIndex: "index", fUnderlying: "underlying_type",
		fScope: "scope", fTemplateParameters: "template_parameters", fDefaultType: "default_type", fDefaultValue: "default_value",
		fCaptures: "captures",
	}
	if !cpp {
		return all[:fScope]
	}
	all[fIndex], all[fUnderlying] = "indices", "base"
	return all
}
