import { optionsSince58, testCompiler } from "./test-compiler.js";

// The newest version, with bundler resolution. Long tests cover others.
testCompiler("typescript", optionsSince58, ["bundler"]);
