; The names of colors are those of Helix. Later patterns take precedence.

(comment) @comment
(string) @string
(escape) @constant.character.escape
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

(number) @constant.numeric
(member name: (word) @constant)
(field name: (word) @variable.other.member)
(method name: (word) @function)
(argument name: (word) @variable.parameter)
(annotation "@" @attribute name: (word) @attribute)
(metadata key: (word) @attribute)

(service name: (literal) @type)

((value) @constant.numeric
  (#match? @constant.numeric "^-?[0-9]+(\\.[0-9]+)?$"))
((value) @constant.builtin.boolean
  (#match? @constant.builtin.boolean "^(true|false)$"))

["=" "=>" "?" "|"] @operator
[":" "," "-" "+"] @punctuation.delimiter
["(" ")" "[" "]" ">"] @punctuation.bracket
