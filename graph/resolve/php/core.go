package php

// isCore reports whether a name is one of the methods of the classes of the language:
// dates, documents, iterators, exceptions, reflection. It tells nothing where the object
// is not known.
func isCore(name string) bool {
	switch name {
	case "C14N", "C14NFile", "XML", "_bad_state_ex", "accept", "addAll", "adoptNode", "after", "allowsNull", "appendChild", "appendData", "appendXML",
		"asXML", "asort", "attachIterator", "attributes", "before", "beginChildren", "beginIteration", "beginTransaction", "bindColumn", "bindParam",
		"bindValue", "bottom", "callGetChildren", "callHasChildren", "canBePassedByValue", "children", "cloneNode", "closeCursor", "columnCount", "commit",
		"compare", "containsIterator", "count", "countIterators", "createAttribute", "createAttributeNS", "createCDATASection", "createComment",
		"createDocument", "createDocumentFragment", "createDocumentType", "createElement", "createElementNS", "createEntityReference",
		"createFromDateString", "createFromFormat", "createFromImmutable", "createFromInterface", "createFromMutable", "createProcessingInstruction",
		"createTextNode", "current", "debugDumpParams", "deleteData", "dequeue", "detachIterator", "endAttribute", "endCdata", "endChildren", "endComment",
		"endDocument", "endDtd", "endDtdAttlist", "endDtdElement", "endDtdEntity", "endElement", "endIteration", "endPi", "enqueue", "eof", "errorCode",
		"errorInfo", "exchangeArray", "exec", "expand", "fetchAll", "fetchColumn", "fetchObject", "fflush", "fgetc", "fgetcsv", "fgets", "flock", "flush",
		"format", "fpassthru", "fputcsv", "fread", "fromArray", "fromArrayElement", "fromCallable", "fscanf", "fseek", "fstat", "ftell", "ftruncate",
		"fullEndElement", "fwrite", "getATime", "getArrayCopy", "getArrayIterator", "getAttribute", "getAttributeNS", "getAttributeNo", "getAttributeNode",
		"getAttributeNodeNS", "getAttributeNs", "getAuthor", "getAvailableDrivers", "getBackingType", "getBackingValue", "getBasename", "getCTime",
		"getCache", "getCallable", "getCase", "getCases", "getChildren", "getClassNames", "getClosure", "getClosureCalledClass", "getClosureScopeClass",
		"getClosureThis", "getClosureUsedVariables", "getCode", "getColumnMeta", "getConstructor", "getCopyright", "getCsvControl", "getCurrentLine",
		"getDateInterval", "getDeclaringClass", "getDeclaringFunction", "getDefaultProperties", "getDefaultValueConstantName", "getDepth", "getDocComment",
		"getDocNamespaces", "getElementById", "getElementsByTagName", "getElementsByTagNameNS", "getEndDate", "getEntry", "getEnum", "getExecutingFile",
		"getExecutingGenerator", "getExecutingLine", "getExtension", "getExtensionName", "getExtractFlags", "getFeature", "getFiber", "getFile",
		"getFileInfo", "getFileName", "getFlags", "getFunction", "getGroup", "getHash", "getINIEntries", "getInfo", "getInnerIterator", "getInode",
		"getInterfaceNames", "getIterator", "getIteratorClass", "getIteratorIndex", "getIteratorMode", "getLastErrors", "getLine", "getLineNo",
		"getLinkTarget", "getLocation", "getMTime", "getMaxDepth", "getMaxLineLen", "getMessage", "getMode", "getModifierNames", "getModifiers",
		"getNamedItem", "getNamedItemNS", "getNamespaces", "getNodePath", "getNumberOfParameters", "getNumberOfRequiredParameters", "getOffset", "getOwner",
		"getParserProperty", "getPathInfo", "getPathname", "getPerms", "getPostfix", "getPregFlags", "getPrevious", "getPrototype", "getRealPath",
		"getRecurrences", "getReflectionConstant", "getReflectionConstants", "getRegex", "getSeverity", "getStartDate", "getStaticProperties",
		"getStaticPropertyValue", "getStaticVariables", "getSubIterator", "getSubPath", "getSubPathname", "getTentativeReturnType", "getThis",
		"getTimestamp", "getTimezone", "getTrace", "getTraceAsString", "getTraitAliases", "getTraitNames", "getTraits", "getTransitions", "getTypes",
		"getURL", "hasAttribute", "hasAttributeNS", "hasAttributes", "hasCase", "hasChildNodes", "hasChildren", "hasConstant", "hasDefaultValue",
		"hasFeature", "hasMethod", "hasNext", "hasProperty", "hasPrototype", "hasReturnType", "hasTentativeReturnType", "hasType", "implementsInterface",
		"importNode", "inNamespace", "inTransaction", "info", "insertBefore", "insertData", "invokeArgs", "isAnonymous", "isBacked", "isBuiltin",
		"isCloneable", "isClosure", "isCorrupted", "isDefaultNamespace", "isDefaultValueAvailable", "isDefaultValueConstant", "isDestructor", "isDir",
		"isDisabled", "isDot", "isElementContentWhitespace", "isEnum", "isEnumCase", "isExecutable", "isFile", "isId", "isInitialized", "isInstantiable",
		"isIterable", "isIterateable", "isLink", "isPassedByReference", "isPromoted", "isReadOnly", "isReadable", "isRepeated", "isSameNode", "isSubclassOf",
		"isSupported", "isTrait", "isValid", "isWhitespaceInElementContent", "isWritable", "item", "jsonSerialize", "key", "ksort", "lastInsertId",
		"listAbbreviations", "listIdentifiers", "loadHTML", "loadHTMLFile", "loadXML", "lookupNamespace", "lookupNamespaceURI", "lookupPrefix", "modify",
		"moveToAttribute", "moveToAttributeNo", "moveToAttributeNs", "moveToElement", "moveToFirstAttribute", "moveToNextAttribute", "natcasesort",
		"natsort", "newInstance", "newInstanceArgs", "newInstanceWithoutConstructor", "next", "nextElement", "nextRowset", "normalize", "normalizeDocument",
		"offsetExists", "offsetGet", "offsetSet", "offsetUnset", "openFile", "openMemory", "openUri", "outputMemory", "prepend", "prev", "quote",
		"readInnerXml", "readOuterXml", "readString", "recoverFromCorruption", "registerNamespace", "registerNodeClass", "registerPhpFunctions",
		"registerXPathNamespace", "relaxNGValidate", "relaxNGValidateSource", "removeAll", "removeAllExcept", "removeAttribute", "removeAttributeNS",
		"removeAttributeNode", "removeChild", "replaceChild", "replaceData", "replaceWith", "returnsReference", "rewind", "rollBack", "rowCount", "saveHTML",
		"saveHTMLFile", "saveXML", "schemaValidate", "schemaValidateSource", "seek", "serialize", "setAccessible", "setAttribute", "setAttributeNS",
		"setAttributeNode", "setAttributeNodeNS", "setCsvControl", "setDate", "setExtractFlags", "setFetchMode", "setFileClass", "setFlags", "setISODate",
		"setIdAttribute", "setIdAttributeNS", "setIdAttributeNode", "setIndent", "setIndentString", "setInfo", "setInfoClass", "setIteratorClass",
		"setIteratorMode", "setMaxDepth", "setMaxLineLen", "setMode", "setParserProperty", "setPostfix", "setPrefixPart", "setPregFlags", "setRelaxNGSchema",
		"setRelaxNGSchemaSource", "setSchema", "setSize", "setStaticPropertyValue", "setTime", "setTimestamp", "setTimezone", "shift", "splitText",
		"startAttribute", "startAttributeNs", "startCdata", "startComment", "startDocument", "startDtd", "startDtdAttlist", "startDtdElement",
		"startDtdEntity", "startElement", "startElementNs", "startPi", "substringData", "uasort", "uksort", "unserialize", "unshift", "valid",
		"writeAttribute", "writeAttributeNs", "writeCdata", "writeComment", "writeDtd", "writeDtdAttlist", "writeDtdElement", "writeDtdEntity",
		"writeElement", "writeElementNs", "writePi", "writeRaw", "xinclude", "xpath":
		return true
	}
	return false
}
