import { since58, testCompiler } from "./test-compiler.js";

// The newest version, with bundler resolution. Long tests cover the others.
testCompiler("typescript", since58, ["bundler"]);
