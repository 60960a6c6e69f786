// These modules define the tests. They share a test file, so that one process
// parses all sources, and only once.
import "./emitters.js";
import "./entries.js";
import "./folders.js";
import "./imports.js";
import "./outside.js";
import "./style.js";
