import { since58, testCompiler } from "./test-compiler.js";

// The newest and the oldest.
testCompiler("typescript", since58);
testCompiler("typescript-5.4", {});
