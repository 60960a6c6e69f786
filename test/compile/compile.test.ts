import { since58, testCompiler } from "./test-compiler.js";

// The newest; those before it take far longer.
testCompiler("typescript", since58);
