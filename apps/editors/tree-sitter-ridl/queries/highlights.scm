; Later patterns take precedence.

(comment) @comment
(string) @string
(escape) @string.escape
[(literal) (path) (value)] @string

(word) @type

[
  "webrpc"
  "name"
  "version"
  "basepath"
  "import"
  "error"
  "enum"
  "type"
  "struct"
  "message"
  "service"
  "errors"
  "HTTP"
  "stream"
  "proxy"
] @keyword

(type) @type
(core_type) @type.builtin
(map_start) @type.builtin

(number) @number
(member name: (word) @constant)
(field name: (word) @property)
(method name: (word) @function)
(argument name: (word) @variable.parameter)
(annotation "@" @attribute name: (word) @attribute)
(metadata key: (word) @attribute)

(service name: (literal) @type)

((value) @number
  (#match? @number "^-?[0-9]+(\\.[0-9]+)?$"))
((value) @boolean
  (#match? @boolean "^(true|false)$"))

["=" "=>" "?" "|"] @operator
[":" "," "-" "+"] @punctuation.delimiter
["(" ")" "[" "]" ">"] @punctuation.bracket
