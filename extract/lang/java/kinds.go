package java

import "github.com/ralph-index/ralph-index/extract/internal/sitter"

// The node kinds that are read, in the order of kindNames.
const (
	kIdentifier sitter.Kind = iota + 1
	kTypeIdentifier
	kScopedType
	kGenericType
	kArrayType
	kAnnotatedType
	kIntegralType
	kFloatingType
	kBooleanType
	kVoidType
	kTypeArguments
	kWildcard
	kTypeParameters
	kTypeParameter
	kTypeBound
	kDimensions
	kLineComment
	kBlockComment
	kPackage
	kImport
	kScopedIdentifier
	kAsterisk
	kModifiers
	kMarker
	kAnnotation
	kAnnotationArgs
	kElementPair
	kElementArray
	kClass
	kInterface
	kEnum
	kRecord
	kAnnotationType
	kSuperclass
	kSuperInterfaces
	kExtendsInterfaces
	kTypeList
	kPermits
	kClassBody
	kEnumBodyDecls
	kEnumConstant
	kField
	kConstant
	kMethod
	kAnnotationElement
	kConstructor
	kCompactConstructor
	kExplicitCall
	kStaticInit
	kParameters
	kParameter
	kSpread
	kInferredParameters
	kDeclarator
	kBlock
	kConstructorBody
	kLocalVariable
	kIf
	kWhile
	kFor
	kEnhancedFor
	kDo
	kLabeled
	kBreak
	kContinue
	kReturn
	kTry
	kTryResources
	kResource
	kCatch
	kCatchParameter
	kCatchType
	kSwitch
	kSwitchBlock
	kSwitchGroup
	kSwitchRule
	kSwitchLabel
	kTypePattern
	kRecordPattern
	kRecordComponent
	kCall
	kArguments
	kCreation
	kArrayCreation
	kFieldAccess
	kArrayAccess
	kMethodReference
	kLambda
	kAssign
	kBinary
	kUnary
	kUpdate
	kTernary
	kCast
	kInstanceof
	kParen
	kClassLiteral
	kThis
	kSuper
	kString
	kChar
	kInt
	kHex
	kOctal
	kBinaryInt
	kFloat
	kHexFloat
	kTrue
	kFalse
	kNull
	kArrayInit
	kModule
)

// kindNames returns the names in the grammar by kind.
func kindNames() []string {
	return []string{
		kIdentifier: "identifier", kTypeIdentifier: "type_identifier", kScopedType: "scoped_type_identifier", kGenericType: "generic_type",
		kArrayType: "array_type", kAnnotatedType: "annotated_type", kIntegralType: "integral_type", kFloatingType: "floating_point_type",
		kBooleanType: "boolean_type", kVoidType: "void_type", kTypeArguments: "type_arguments", kWildcard: "wildcard",
		kTypeParameters: "type_parameters", kTypeParameter: "type_parameter", kTypeBound: "type_bound", kDimensions: "dimensions",
		kLineComment: "line_comment", kBlockComment: "block_comment", kPackage: "package_declaration", kImport: "import_declaration",
		kScopedIdentifier: "scoped_identifier", kAsterisk: "asterisk", kModifiers: "modifiers", kMarker: "marker_annotation",
		kAnnotation: "annotation", kAnnotationArgs: "annotation_argument_list", kElementPair: "element_value_pair", kElementArray: "element_value_array_initializer",
		kClass: "class_declaration", kInterface: "interface_declaration", kEnum: "enum_declaration", kRecord: "record_declaration",
		kAnnotationType: "annotation_type_declaration", kSuperclass: "superclass", kSuperInterfaces: "super_interfaces", kExtendsInterfaces: "extends_interfaces",
		kTypeList: "type_list", kPermits: "permits", kClassBody: "class_body", kEnumBodyDecls: "enum_body_declarations",
		kEnumConstant: "enum_constant", kField: "field_declaration", kConstant: "constant_declaration", kMethod: "method_declaration",
		kAnnotationElement: "annotation_type_element_declaration", kConstructor: "constructor_declaration", kCompactConstructor: "compact_constructor_declaration", kExplicitCall: "explicit_constructor_invocation",
		kStaticInit: "static_initializer", kParameters: "formal_parameters", kParameter: "formal_parameter", kSpread: "spread_parameter",
		kInferredParameters: "inferred_parameters", kDeclarator: "variable_declarator", kBlock: "block", kConstructorBody: "constructor_body",
		kLocalVariable: "local_variable_declaration", kIf: "if_statement", kWhile: "while_statement", kFor: "for_statement",
		kEnhancedFor: "enhanced_for_statement", kDo: "do_statement", kLabeled: "labeled_statement", kBreak: "break_statement",
		kContinue: "continue_statement", kReturn: "return_statement", kTry: "try_statement", kTryResources: "try_with_resources_statement",
		kResource: "resource", kCatch: "catch_clause", kCatchParameter: "catch_formal_parameter", kCatchType: "catch_type",
		kSwitch: "switch_expression", kSwitchBlock: "switch_block", kSwitchGroup: "switch_block_statement_group", kSwitchRule: "switch_rule",
		kSwitchLabel: "switch_label", kTypePattern: "type_pattern", kRecordPattern: "record_pattern", kRecordComponent: "record_pattern_component",
		kCall: "method_invocation", kArguments: "argument_list", kCreation: "object_creation_expression", kArrayCreation: "array_creation_expression",
		kFieldAccess: "field_access", kArrayAccess: "array_access", kMethodReference: "method_reference", kLambda: "lambda_expression",
		kAssign: "assignment_expression", kBinary: "binary_expression", kUnary: "unary_expression", kUpdate: "update_expression",
		kTernary: "ternary_expression", kCast: "cast_expression", kInstanceof: "instanceof_expression", kParen: "parenthesized_expression",
		kClassLiteral: "class_literal", kThis: "this", kSuper: "super", kString: "string_literal",
		kChar: "character_literal", kInt: "decimal_integer_literal", kHex: "hex_integer_literal", kOctal: "octal_integer_literal",
		kBinaryInt: "binary_integer_literal", kFloat: "decimal_floating_point_literal", kHexFloat: "hex_floating_point_literal", kTrue: "true",
		kFalse: "false", kNull: "null_literal", kArrayInit: "array_initializer", kModule: "module_declaration",
	}
}

// The fields that are read, in the order of fieldNames.
const (
	fName sitter.Field = iota + 1
	fType
	fValue
	fBody
	fParameters
	fTypeParameters
	fTypeArguments
	fSuperclass
	fInterfaces
	fPermits
	fArguments
	fObject
	fField
	fArray
	fIndex
	fLeft
	fRight
	fOperator
	fCondition
	fConsequence
	fAlternative
	fDeclarator
	fDimensions
	fElement
	fConstructor
	fInit
	fUpdate
	fKey
	fModifiers
	fOperand
	fScope
	fPattern
	fResources
)

// fieldNames returns the names in the grammar by field.
func fieldNames() []string {
	return []string{
		fName: "name", fType: "type", fValue: "value", fBody: "body", fParameters: "parameters",
		fTypeParameters: "type_parameters", fTypeArguments: "type_arguments", fSuperclass: "superclass", fInterfaces: "interfaces", fPermits: "permits",
		fArguments: "arguments", fObject: "object", fField: "field", fArray: "array", fIndex: "index",
		fLeft: "left", fRight: "right", fOperator: "operator", fCondition: "condition", fConsequence: "consequence",
		fAlternative: "alternative", fDeclarator: "declarator", fDimensions: "dimensions", fElement: "element", fConstructor: "constructor",
		fInit: "init", fUpdate: "update", fKey: "key", fModifiers: "modifiers", fOperand: "operand",
		fScope: "scope", fPattern: "pattern", fResources: "resources",
	}
}
