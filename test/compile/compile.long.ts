import { isSample } from "../support/draw-some.js";
import { optionsSince58, testCompiler } from "./test-compiler.js";

testCompiler("typescript", optionsSince58, ["nodenext"]);
// An intermediate version, whose compiler is still written in JavaScript.
if (!isSample) testCompiler("typescript-5.9", optionsSince58);
// The oldest supported version.
testCompiler("typescript-5.4", {}, isSample ? ["bundler"] : undefined);
