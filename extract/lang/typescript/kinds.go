package typescript

import "github.com/ralph-index/ralph-index/extract/internal/sitter"

// kind is a node kind of this family of grammars: an index into what kindNames
// returns.
type kind uint8

const (
	kOther kind = iota
	kAbstractClass
	kAbstractMethod
	kAccessibility
	kAmbient
	kArguments
	kArray
	kArrayPattern
	kArrow
	kAs
	kAssignment
	kAssignmentPattern
	kAugmented
	kAwait
	kBinary
	kCall
	kCallSignature
	kCatch
	kClass
	kClassBody
	kClassDecl
	kClassHeritage
	kComment
	kComputedName
	kConstructSignature
	kConstructorType
	kDecorator
	kEnum
	kEnumAssignment
	kEnumBody
	kExportClause
	kExportSpecifier
	kExportStatement
	kExtendsClause
	kExtendsTypeClause
	kField
	kFieldJS
	kForIn
	kFor
	kParameters
	kFunctionDecl
	kFunctionExpr
	kFunctionSignature
	kFunctionType
	kGeneratorExpr
	kGeneratorDecl
	kGenericType
	kIdentifier
	kIf
	kImplements
	kImportKeyword
	kImportAlias
	kImportClause
	kImportRequire
	kImportSpecifier
	kImportStatement
	kIndexSignature
	kInferType
	kInterfaceBody
	kInterface
	kInternalModule
	kIntersection
	kJSXAttribute
	kJSXOpening
	kJSXSelfClosing
	kJSXClosing
	kLexical
	kMappedType
	kMember
	kMetaProperty
	kMethodDef
	kMethodSignature
	kModule
	kNamedImports
	kNamespaceExport
	kNamespaceImport
	kNestedIdentifier
	kNestedType
	kNew
	kNonNull
	kNull
	kNumber
	kObject
	kObjectAssignmentPattern
	kObjectPattern
	kObjectType
	kOptionalParameter
	kPair
	kPairPattern
	kParenthesized
	kParenthesizedType
	kPredefinedType
	kPrivateName
	kProgram
	kPropertyName
	kPropertySignature
	kRegex
	kRequiredParameter
	kRestPattern
	kReturn
	kSatisfies
	kSequence
	kShorthand
	kShorthandPattern
	kSpread
	kBlock
	kStaticBlock
	kString
	kStringFragment
	kSubscript
	kSuper
	kSwitch
	kTemplateString
	kTernary
	kThis
	kTry
	kTypeAlias
	kTypeAnnotation
	kTypeArguments
	kTypeAssertion
	kTypeIdentifier
	kTypeParameter
	kTypeParameters
	kTypePredicate
	kTypeQuery
	kUnary
	kUndefined
	kUnion
	kUpdate
	kVariableDecl
	kDeclarator
	kError // text that the grammar could not read; last
)

// kindNames returns the names of the kinds in the grammars.
func kindNames() [kError]string {
	return [kError]string{
		kAbstractClass: "abstract_class_declaration", kAbstractMethod: "abstract_method_signature",
		kAccessibility: "accessibility_modifier", kAmbient: "ambient_declaration", kArguments: "arguments", kArray: "array",
		kArrayPattern: "array_pattern", kArrow: "arrow_function", kAs: "as_expression", kAssignment: "assignment_expression",
		kAssignmentPattern: "assignment_pattern", kAugmented: "augmented_assignment_expression", kAwait: "await_expression",
		kBinary: "binary_expression", kCall: "call_expression", kCallSignature: "call_signature", kCatch: "catch_clause",
		kClass: "class", kClassBody: "class_body", kClassDecl: "class_declaration", kClassHeritage: "class_heritage",
		kComment: "comment", kComputedName: "computed_property_name", kConstructSignature: "construct_signature",
		kConstructorType: "constructor_type", kDecorator: "decorator", kEnum: "enum_declaration",
		kEnumAssignment: "enum_assignment", kEnumBody: "enum_body", kExportClause: "export_clause",
		kExportSpecifier: "export_specifier", kExportStatement: "export_statement", kExtendsClause: "extends_clause",
		kExtendsTypeClause: "extends_type_clause", kField: "public_field_definition", kFieldJS: "field_definition",
		kForIn: "for_in_statement", kFor: "for_statement", kParameters: "formal_parameters",
		kFunctionDecl: "function_declaration", kFunctionExpr: "function_expression", kFunctionSignature: "function_signature",
		kFunctionType: "function_type", kGeneratorExpr: "generator_function", kGeneratorDecl: "generator_function_declaration",
		kGenericType: "generic_type", kIdentifier: "identifier", kIf: "if_statement", kImplements: "implements_clause",
		kImportKeyword: "import", kImportAlias: "import_alias", kImportClause: "import_clause",
		kImportRequire: "import_require_clause", kImportSpecifier: "import_specifier", kImportStatement: "import_statement",
		kIndexSignature: "index_signature", kInferType: "infer_type", kInterfaceBody: "interface_body",
		kInterface: "interface_declaration", kInternalModule: "internal_module", kIntersection: "intersection_type", kJSXAttribute: "jsx_attribute",
		kJSXOpening: "jsx_opening_element", kJSXSelfClosing: "jsx_self_closing_element", kJSXClosing: "jsx_closing_element",
		kLexical: "lexical_declaration", kMappedType: "mapped_type_clause", kMember: "member_expression",
		kMetaProperty: "meta_property", kMethodDef: "method_definition", kMethodSignature: "method_signature", kModule: "module",
		kNamedImports: "named_imports", kNamespaceExport: "namespace_export", kNamespaceImport: "namespace_import",
		kNestedIdentifier: "nested_identifier", kNestedType: "nested_type_identifier", kNew: "new_expression",
		kNonNull: "non_null_expression", kNull: "null", kNumber: "number", kObject: "object",
		kObjectAssignmentPattern: "object_assignment_pattern", kObjectPattern: "object_pattern", kObjectType: "object_type",
		kOptionalParameter: "optional_parameter", kPair: "pair", kPairPattern: "pair_pattern",
		kParenthesized: "parenthesized_expression", kParenthesizedType: "parenthesized_type", kPredefinedType: "predefined_type", kPrivateName: "private_property_identifier",
		kProgram: "program", kPropertyName: "property_identifier", kPropertySignature: "property_signature", kRegex: "regex",
		kRequiredParameter: "required_parameter", kRestPattern: "rest_pattern", kReturn: "return_statement",
		kSatisfies: "satisfies_expression", kSequence: "sequence_expression", kShorthand: "shorthand_property_identifier",
		kShorthandPattern: "shorthand_property_identifier_pattern", kSpread: "spread_element", kBlock: "statement_block",
		kStaticBlock: "class_static_block", kString: "string", kStringFragment: "string_fragment", kSubscript: "subscript_expression",
		kSuper: "super", kSwitch: "switch_statement", kTemplateString: "template_string", kTernary: "ternary_expression",
		kThis: "this", kTry: "try_statement", kTypeAlias: "type_alias_declaration", kTypeAnnotation: "type_annotation",
		kTypeArguments: "type_arguments", kTypeAssertion: "type_assertion", kTypeIdentifier: "type_identifier",
		kTypeParameter: "type_parameter", kTypeParameters: "type_parameters", kTypePredicate: "type_predicate",
		kTypeQuery: "type_query", kUnary: "unary_expression", kUndefined: "undefined", kUnion: "union_type", kUpdate: "update_expression", kVariableDecl: "variable_declaration",
		kDeclarator: "variable_declarator",
	}
}

// Fields that are read, by index into fieldNames. Those from fReturnType on
// exist with types only.
const (
	fName sitter.Field = iota + 1
	fAlias
	fArguments
	fBody
	fConstructor
	fDeclaration
	fFunction
	fIndex
	fKey
	fLeft
	fObject
	fOperator
	fParameter
	fParameters
	fPattern
	fProperty
	fRight
	fSource
	fValue
	fConsequence
	fAlternative
	fInitializer
	fCondition
	fReturnType
	fType
	fTypeParameters
	fModule
	fConstraint
)

func fieldNames() []string {
	return []string{"", "name", "alias", "arguments", "body", "constructor", "declaration", "function", "index", "key",
		"left", "object", "operator", "parameter", "parameters", "pattern", "property", "right", "source", "value", "consequence",
		"alternative", "initializer", "condition", "return_type", "type", "type_parameters", "module", "constraint"}
}

// dialect is one grammar of the family with the vocabulary that it has.
type dialect struct {
	vocabulary sitter.Vocabulary
	kinds      []kind // by sitter.Kind
	javascript bool
}

// lacks lists the kinds that a grammar does not know.
func lacks(grammar string) []kind {
	switch grammar {
	case "typescript":
		return []kind{kFieldJS, kJSXAttribute, kJSXOpening, kJSXSelfClosing, kJSXClosing}
	case "tsx":
		return []kind{kFieldJS, kTypeAssertion}
	case "javascript":
		return []kind{
			kAbstractClass, kAbstractMethod, kAccessibility, kAmbient, kAs, kCallSignature, kConstructSignature, kConstructorType,
			kEnum, kEnumAssignment, kEnumBody, kExtendsClause, kExtendsTypeClause, kField, kFunctionSignature, kFunctionType,
			kGenericType, kImplements, kImportAlias, kImportRequire, kIndexSignature, kInferType, kInterfaceBody, kInterface,
			kInternalModule, kIntersection, kParenthesizedType, kUnion, kMappedType, kMethodSignature, kModule, kNestedIdentifier, kNestedType, kNonNull, kObjectType,
			kOptionalParameter, kPredefinedType, kPropertySignature, kRequiredParameter, kSatisfies, kTypeAlias, kTypeAnnotation,
			kTypeArguments, kTypeAssertion, kTypeIdentifier, kTypeParameter, kTypeParameters, kTypePredicate, kTypeQuery}
	}
	return nil
}

func newDialect(name string) *dialect {
	d := &dialect{kinds: make([]kind, 1, kError), javascript: name == "javascript"}
	d.vocabulary.Kinds = make([]string, 1, kError)
	var missing [kError]bool
	for _, k := range lacks(name) {
		missing[k] = true
	}
	for k, node := range kindNames() {
		if k > int(kOther) && !missing[k] {
			d.vocabulary.Kinds = append(d.vocabulary.Kinds, node)
			d.kinds = append(d.kinds, kind(k))
		}
	}
	d.vocabulary.Fields = fieldNames()
	if d.javascript {
		d.vocabulary.Fields = d.vocabulary.Fields[:fReturnType]
	}
	return d
}
