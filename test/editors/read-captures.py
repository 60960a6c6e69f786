"""Prints what highlights.scm finds in texts, as JSON.

Arguments: the compiled grammar and the query. Input: a list of texts as JSON.
Output: for each text, the captures: name, kind of node, whether the node has a
name, start, end, and the position of the pattern. Offsets are in bytes.
"""

import ctypes
import json
import sys

from tree_sitter import Language, Parser, Query, QueryCursor

library, query_path = sys.argv[1:]
function = ctypes.CDLL(library).tree_sitter_ridl
function.restype = ctypes.c_void_p
language = Language(function())
parser = Parser(language)
with open(query_path, encoding="utf-8") as file:
    query = Query(language, file.read())

found = []
for text in json.load(sys.stdin):
    root = parser.parse(text.encode()).root_node
    captures = [
        [name, node.type, node.is_named, node.start_byte, node.end_byte, rank]
        for rank, match in QueryCursor(query).matches(root)
        for name, nodes in match.items()
        for node in nodes
    ]
    found.append({"hasError": root.has_error, "captures": captures})
json.dump(found, sys.stdout)
