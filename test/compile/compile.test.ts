import { since58, testCompiler } from "./test-compiler.js";

// The newest, with the resolution of bundlers. The others are long tests.
testCompiler("typescript", since58, ["bundler"]);
