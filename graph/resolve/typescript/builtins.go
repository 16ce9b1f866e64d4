package typescript

// isBuiltinName reports whether a name is a global value of the language, of
// browsers and Node, or of test runners: where nothing declares it, it is external.
func isBuiltinName(name string) bool {
	switch name {
	case "AbortController", "AbortSignal", "AggregateError", "Array", "ArrayBuffer", "Atomics", "BigInt",
		"BigInt64Array", "BigUint64Array", "Blob", "Boolean", "BroadcastChannel", "Buffer", "CustomEvent",
		"DOMException", "DOMParser", "DataView", "Date", "Document", "Element", "Error", "EvalError", "Event",
		"EventSource", "EventTarget", "File", "FileList", "FileReader", "FinalizationRegistry", "Float32Array",
		"Float64Array", "FormData", "Function", "Headers", "HTMLElement", "Image", "Infinity", "Int16Array",
		"Int32Array", "Int8Array", "IntersectionObserver", "Intl", "Iterator", "JSON", "KeyboardEvent", "Map",
		"Math", "MessageChannel", "MessageEvent", "MouseEvent", "MutationObserver", "NaN", "Node", "NodeList",
		"Number", "Object", "Option", "PerformanceObserver", "Promise", "Proxy", "RangeError", "ReadableStream",
		"ReferenceError", "Reflect", "RegExp", "Request", "ResizeObserver", "Response", "Set", "SharedArrayBuffer",
		"String", "Symbol", "SyntaxError", "TextDecoder", "TextEncoder", "TransformStream", "TypeError", "URIError",
		"URL", "URLSearchParams", "Uint16Array", "Uint32Array", "Uint8Array", "Uint8ClampedArray", "WeakMap",
		"WeakRef", "WeakSet", "WebAssembly", "WebSocket", "Worker", "WritableStream", "XMLHttpRequest",
		"XMLSerializer", "XPathResult", "__dirname", "__filename", "addEventListener", "alert", "arguments", "atob",
		"btoa", "cancelAnimationFrame", "cancelIdleCallback", "clearImmediate", "clearInterval", "clearTimeout",
		"close", "confirm", "console", "crypto", "customElements", "decodeURI", "decodeURIComponent", "define",
		"dispatchEvent", "document", "encodeURI", "encodeURIComponent", "escape", "eval", "exports", "fetch",
		"getComputedStyle", "global", "globalThis", "history", "import", "indexedDB", "isFinite", "isNaN",
		"localStorage", "location", "matchMedia", "module", "navigator", "parseFloat", "parseInt", "performance",
		"postMessage", "process", "prompt", "queueMicrotask", "removeEventListener", "requestAnimationFrame",
		"requestIdleCallback", "require", "screen", "self", "sessionStorage", "setImmediate", "setInterval",
		"setTimeout", "structuredClone", "undefined", "unescape", "window", "after", "afterAll", "afterEach",
		"assert", "before", "beforeAll", "beforeEach", "bench", "chai", "context", "cy", "describe", "expect",
		"fdescribe", "fit", "it", "jasmine", "jest", "mocha", "pending", "sinon", "specify", "spyOn", "suite",
		"test", "vi", "xdescribe", "xit", "xtest", "QUnit", "Cypress":
		return true
	}
	return false
}

// isBuiltinType reports whether a name is a global type without a value of the
// same name, or a generic one that evaluation knows.
func isBuiltinType(name string) bool {
	switch name {
	case "Array", "ArrayBuffer", "ArrayLike", "AsyncGenerator", "AsyncIterable", "AsyncIterableIterator",
		"AsyncIterator", "Awaited", "Blob", "BodyInit", "BufferSource", "Capitalize", "ConstructorParameters",
		"Date", "Document", "DOMRect", "Element", "Error", "Event", "EventListener", "EventTarget", "Exclude",
		"Extract", "Function", "Generator", "HTMLAnchorElement", "HTMLButtonElement", "HTMLCanvasElement",
		"HTMLDivElement", "HTMLElement", "HTMLImageElement", "HTMLInputElement", "HeadersInit", "InstanceType",
		"Iterable", "IterableIterator", "Iterator", "IteratorResult", "JSX", "KeyboardEvent", "Lowercase", "Map",
		"MessageEvent", "MouseEvent", "NodeJS", "NonNullable", "Object", "Omit", "OmitThisParameter", "Parameters",
		"Partial", "Pick", "Promise", "PromiseConstructorLike", "PromiseLike", "PropertyDescriptor", "PropertyKey",
		"Proxy", "Readonly", "ReadonlyArray", "ReadonlyMap", "ReadonlySet", "ReadableStream", "Record", "RegExp",
		"RegExpExecArray", "RegExpMatchArray", "RequestInit", "Required", "Response", "ReturnType", "SVGElement",
		"Set", "String", "Number", "Boolean", "Symbol", "TemplateStringsArray", "ThisParameterType", "ThisType",
		"TypedPropertyDescriptor", "Uint8Array", "Uncapitalize", "Uppercase", "URL", "WeakMap", "WeakRef", "WeakSet",
		"WebSocket", "Window", "XMLHttpRequest", "BigInt", "React", "Buffer":
		return true
	}
	return false
}

// isBuiltinMember reports whether a name is a member of built-in values: on a
// receiver of unknown type it says nothing about this tree.
func isBuiltinMember(name string) bool {
	switch name {
	case "add", "addEventListener", "all", "allSettled", "any", "append", "appendChild", "apply", "assign", "at",
		"bind", "call", "catch", "charAt", "charCodeAt", "clear", "click", "clone", "close", "codePointAt", "concat",
		"constructor", "copyWithin", "create", "createElement", "defineProperty", "delete", "description",
		"disconnect", "dispatchEvent", "endsWith", "entries", "error", "every", "exec", "fill", "filter", "finally",
		"find", "findIndex", "findLast", "flat", "flatMap", "focus", "forEach", "freeze", "from", "get",
		"getAttribute", "getTime", "has", "hasOwnProperty", "includes", "indexOf", "info", "isArray", "item", "join",
		"json", "keys", "lastIndexOf", "length", "localeCompare", "log", "map", "match", "matchAll", "message",
		"name", "next", "normalize", "now", "observe", "of", "on", "once", "off", "emit", "open", "padEnd",
		"padStart", "parse", "pop", "prototype", "push", "race", "random", "reduce", "reduceRight", "reject",
		"remove", "removeEventListener", "repeat", "replace", "replaceAll", "resolve", "return", "reverse", "search",
		"send", "set", "shift", "size", "slice", "some", "sort", "splice", "split", "startsWith", "stringify",
		"substr", "substring", "test", "text", "then", "throw", "toFixed", "toISOString", "toJSON", "toLocaleString",
		"toLowerCase", "toPrecision", "toString", "toUpperCase", "trim", "trimEnd", "trimStart", "type", "unshift",
		"valueOf", "value", "values", "warn", "write", "end", "data", "target", "id", "status", "stack", "not",
		"toBe", "toEqual", "called", "args", "default", "index", "count", "done", "stop", "start", "abort", "url",
		"body", "headers", "method", "getDate", "getDay", "getFullYear", "getHours", "getMilliseconds", "getMinutes",
		"getMonth", "getSeconds", "getTimezoneOffset", "setDate", "setFullYear", "setHours", "setMilliseconds",
		"setMinutes", "setMonth", "setSeconds", "setTime", "toDateString", "toLocaleDateString", "toTimeString",
		"toUTCString":
		return true
	}
	return false
}

// isPageMember reports whether a name is a member of the nodes of a page, or of the
// objects of libraries that wrap them: on a receiver of unknown type it says as little.
func isPageMember(name string) bool {
	switch name {
	case "addClass", "ajax", "animate", "appendTo", "attr", "before", "bindAll", "blur", "change", "children", "closest",
		"contains", "contents", "css", "detach", "each", "empty", "eq", "extend", "fadeIn", "fadeOut", "fadeTo",
		"first", "getElementById", "getElementsByClassName", "getElementsByTagName", "getJSON", "hasAttribute",
		"hasClass", "height", "hide", "hover", "html", "inArray", "innerHTML", "insertAfter", "insertBefore", "last",
		"live", "nextAll", "offset", "outerHeight", "outerWidth", "parent", "parents", "post", "prepend", "prependTo",
		"preventDefault", "prevAll", "prop", "proxy", "querySelector", "querySelectorAll", "ready", "removeAttr",
		"removeAttribute", "removeChild", "removeClass", "removeData", "replaceWith", "scrollLeft", "scrollTop",
		"select", "serialize", "setAttribute", "show", "siblings", "slideDown", "slideUp", "stopPropagation",
		"submit", "textContent", "toggle", "toggleClass", "trigger", "triggerHandler", "unbind", "undelegate", "unwrap",
		"val", "width", "wrapAll", "wrapInner":
		return true
	}
	return false
}

// isIterable reports whether the first argument of a built-in type is what it
// yields.
func isIterable(name string) bool {
	switch name {
	case "Array", "ReadonlyArray", "Set", "ReadonlySet", "Iterable", "IterableIterator", "Iterator", "Generator",
		"AsyncIterable", "AsyncIterableIterator", "AsyncGenerator", "ArrayLike", "WeakSet":
		return true
	}
	return false
}

// returnsElement reports whether a method of iterables returns an element.
func returnsElement(name string) bool {
	switch name {
	case "find", "findLast", "pop", "shift", "at", "next":
		return true
	}
	return false
}

// returnsSame reports whether a method of iterables returns the iterable's type.
func returnsSame(name string) bool {
	switch name {
	case "filter", "slice", "concat", "reverse", "sort", "splice", "fill", "toSorted", "toReversed":
		return true
	}
	return false
}

// callsBack reports whether a method hands elements to a function.
func callsBack(name string) bool {
	switch name {
	case "forEach", "map", "filter", "find", "findLast", "findIndex", "some", "every", "flatMap", "sort":
		return true
	}
	return false
}

// literalType maps a primitive to the built-in that holds its members.
func literalType(name string) string {
	switch name {
	case "string":
		return "String"
	case "number":
		return "Number"
	case "boolean", "true", "false":
		return "Boolean"
	case "array", "list":
		return "Array"
	}
	return ""
}
