import { since58, testCompiler } from "./test-compiler.js";

// The newest, and the oldest, which has the same rules for paths.
testCompiler("typescript", since58);
testCompiler("typescript-5.4", {}, ["bundler"]);
