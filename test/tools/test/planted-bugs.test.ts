import { test } from "vitest";
import { bugs, expectFound } from "./planted-bugs.js";

/** Those that need no other server, with methods of few fields. */
const quick = bugs.filter(
  ([, name, { contract }]) => contract === undefined && name !== "Echo",
);

test.each(quick)("finds %s", (...bug) => expectFound(bug));
