package golang

import "github.com/ralph-index/ralph-index/extract/internal/sitter"

// The node kinds that are read, in the order of kindNames.
const (
	kIdentifier sitter.Kind = iota + 1
	kTypeIdentifier
	kFieldIdentifier
	kPackageIdentifier
	kComment
	kPackageClause
	kImportSpec
	kConstDecl
	kConstSpec
	kVarDecl
	kVarSpec
	kVarSpecList
	kTypeDecl
	kTypeSpec
	kTypeAlias
	kFuncDecl
	kMethodDecl
	kTypeParams
	kTypeParam
	kParams
	kParam
	kVariadicParam
	kFieldList
	kField
	kStructType
	kInterfaceType
	kMethodElem
	kTypeElem
	kNegatedType
	kQualifiedType
	kGenericType
	kPointerType
	kSliceType
	kArrayType
	kImplicitArrayType
	kMapType
	kChanType
	kFuncType
	kParenType
	kBlock
	kShortVar
	kAssign
	kInc
	kDec
	kIf
	kFor
	kForClause
	kRange
	kExprSwitch
	kTypeSwitch
	kSelect
	kExprCase
	kTypeCase
	kDefaultCase
	kCommCase
	kReceive
	kCall
	kArgs
	kSelector
	kIndex
	kSlice
	kAssertion
	kConversion
	kInstantiation
	kComposite
	kLiteralValue
	kLiteralElement
	kKeyed
	kFuncLit
	kUnary
	kBinary
	kParen
	kExprList
	kString
	kRawString
	kInt
	kFloat
	kRune
	kLabel
	kDot
)

// kindNames returns the names in the grammar by kind.
func kindNames() []string {
	return []string{
		kIdentifier: "identifier", kTypeIdentifier: "type_identifier", kFieldIdentifier: "field_identifier",
		kPackageIdentifier: "package_identifier", kComment: "comment", kPackageClause: "package_clause",
		kImportSpec: "import_spec", kConstDecl: "const_declaration", kConstSpec: "const_spec",
		kVarDecl: "var_declaration", kVarSpec: "var_spec", kVarSpecList: "var_spec_list", kTypeDecl: "type_declaration",
		kTypeSpec: "type_spec", kTypeAlias: "type_alias", kFuncDecl: "function_declaration",
		kMethodDecl: "method_declaration", kTypeParams: "type_parameter_list", kTypeParam: "type_parameter_declaration",
		kParams: "parameter_list", kParam: "parameter_declaration", kVariadicParam: "variadic_parameter_declaration",
		kFieldList: "field_declaration_list", kField: "field_declaration", kStructType: "struct_type",
		kInterfaceType: "interface_type", kMethodElem: "method_elem", kTypeElem: "type_elem",
		kNegatedType: "negated_type", kQualifiedType: "qualified_type", kGenericType: "generic_type",
		kPointerType: "pointer_type", kSliceType: "slice_type", kArrayType: "array_type",
		kImplicitArrayType: "implicit_length_array_type", kMapType: "map_type", kChanType: "channel_type",
		kFuncType: "function_type", kParenType: "parenthesized_type", kBlock: "block",
		kShortVar: "short_var_declaration", kAssign: "assignment_statement", kInc: "inc_statement", kDec: "dec_statement",
		kIf: "if_statement", kFor: "for_statement", kForClause: "for_clause", kRange: "range_clause",
		kExprSwitch: "expression_switch_statement", kTypeSwitch: "type_switch_statement", kSelect: "select_statement",
		kExprCase: "expression_case", kTypeCase: "type_case", kDefaultCase: "default_case",
		kCommCase: "communication_case", kReceive: "receive_statement", kCall: "call_expression",
		kArgs: "argument_list", kSelector: "selector_expression", kIndex: "index_expression", kSlice: "slice_expression",
		kAssertion: "type_assertion_expression", kConversion: "type_conversion_expression",
		kInstantiation: "type_instantiation_expression", kComposite: "composite_literal", kLiteralValue: "literal_value",
		kLiteralElement: "literal_element", kKeyed: "keyed_element", kFuncLit: "func_literal", kUnary: "unary_expression",
		kBinary: "binary_expression", kParen: "parenthesized_expression", kExprList: "expression_list",
		kString: "interpreted_string_literal", kRawString: "raw_string_literal", kInt: "int_literal",
		kFloat: "float_literal", kRune: "rune_literal", kLabel: "label_name", kDot: "dot",
	}
}

// The fields that are read, in the order of fieldNames.
const (
	fName sitter.Field = iota + 1
	fType
	fValue
	fPath
	fBody
	fReceiver
	fParameters
	fResult
	fTypeParameters
	fTypeArguments
	fOperand
	fField
	fFunction
	fArguments
	fLeft
	fRight
	fAlias
	fIndex
	fElement
	fKey
	fTag
	fPackage
	fInitializer
)

// fieldNames returns the names in the grammar by field.
func fieldNames() []string {
	return []string{
		fName: "name", fType: "type", fValue: "value", fPath: "path", fBody: "body", fReceiver: "receiver",
		fParameters: "parameters", fResult: "result", fTypeParameters: "type_parameters", fTypeArguments: "type_arguments",
		fOperand: "operand", fField: "field", fFunction: "function", fArguments: "arguments", fLeft: "left", fRight: "right",
		fAlias: "alias", fIndex: "index", fElement: "element", fKey: "key", fTag: "tag", fPackage: "package",
		fInitializer: "initializer",
	}
}
