package c

// word is what a name is to the language.
type word uint8

const (
	wordNone    word = iota
	wordType         // a built-in type
	wordTag          // struct, union, enum, class
	wordStorage      // may stand before or between the words of a type
	wordStmt         // begins or continues a statement, or is an operator
)

// wordOf classifies a name. An unknown one is wordNone.
func wordOf(s string, cpp bool) word {
	switch s {
	case "void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "_Bool", "bool", "_Complex", "__int128", "wchar_t":
		return wordType
	case "struct", "union", "enum":
		return wordTag
	case "static", "extern", "inline", "const", "volatile", "register", "restrict", "typedef", "_Noreturn", "__inline", "__inline__",
		"__const", "__volatile__", "__restrict", "__restrict__", "__extension__", "_Thread_local", "__thread", "_Atomic", "__volatile",
		"__forceinline", "auto", "__signed__", "_Alignas", "__signed":
		return wordStorage
	case "if", "else", "for", "while", "do", "switch", "case", "default", "return", "break", "continue", "goto", "sizeof",
		"_Alignof", "_Generic", "asm", "__asm__", "__asm", "typeof", "__typeof__", "__typeof", "_Static_assert", "__attribute__",
		"__attribute", "__declspec", "offsetof", "__alignof__":
		return wordStmt
	}
	if !cpp {
		return wordNone
	}
	switch s {
	case "class", "typename":
		return wordTag
	case "char8_t", "char16_t", "char32_t":
		return wordType
	case "virtual", "explicit", "friend", "constexpr", "consteval", "constinit", "mutable", "thread_local":
		return wordStorage
	case "namespace", "using", "template", "public", "private", "protected", "operator", "new", "delete", "this", "throw", "try",
		"catch", "decltype", "noexcept", "alignas", "alignof", "requires", "concept", "static_assert", "static_cast",
		"const_cast", "reinterpret_cast", "dynamic_cast", "typeid", "co_return", "co_await", "co_yield", "nullptr", "true", "false",
		"and", "or", "not":
		return wordStmt
	}
	return wordNone
}

func isKeyword(s string, cpp bool) bool { return wordOf(s, cpp) != wordNone }

// shouts reports whether a name looks like a macro's: in capitals, or with two
// underscores before it.
func shouts(s string) bool {
	if len(s) > 2 && s[0] == '_' && s[1] == '_' {
		return true
	}
	letters := 0
	for i := 0; i < len(s); i++ {
		switch ch := s[i]; {
		case ch >= 'a' && ch <= 'z', ch >= 0x80:
			return false
		case ch >= 'A' && ch <= 'Z':
			letters++
		}
	}
	return letters > 1
}
