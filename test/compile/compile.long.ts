import { since58, testCompiler } from "./test-compiler.js";

testCompiler("typescript", since58, ["nodenext"]);
// Between the oldest and the newest, the last one that is JavaScript.
testCompiler("typescript-5.9", since58);
// The oldest.
testCompiler("typescript-5.4", {});
