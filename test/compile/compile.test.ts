import { since58, testCompiler } from "./test-compiler.js";

// The newest, as bundlers resolve; the others are long tests.
testCompiler("typescript", since58, ["bundler"]);
