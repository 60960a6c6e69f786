import { describe, expect, test } from "vitest";
import { printSet } from "../../generator/4-emit/templates/template-set.js";
import { createSandbox } from "../cli/support/sandbox.js";
import { goldenCases } from "../support/golden-cases.js";
import { readExample } from "./read-example.js";

const { files, set } = readExample("kotlin");

test("the templates in examples/kotlin print a client", async () => {
  const sandbox = createSandbox(files);
  const check = await sandbox.run(["check"]);
  expect(check).toMatchObject({ exitCode: 0, stderr: "" });
  const { exitCode, stderr } = await sandbox.run(["generate"]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(sandbox.read("generated/library/Types.kt")).toContain(`
@Serializable
data class Book(
    val isbn: Isbn,
    @MinLength(1)
    @MaxLength(80)
    val title: String,
    val loan: Loan,
    val copies: UInt,
    /**
     * Counts all copies that were ever printed.
     */
    val printed: ULong,
    val added: Timestamp,
    @MaxItems(100)
    val cover: Bytes? = null,
    /**
     * The value in the smallest unit of a currency, or null if it is unknown.
     */
    val value: Present<BigInt>? = null,
`);
  expect(sandbox.read("generated/library/Client.kt")).toContain(`
        /**
         * Looks up one book.
         *
         * @throws BookNotFoundException
         */
        suspend fun getBook(request: GetBookRequest): GetBookResponse =
            rpc.call(
                Route("GET") { listOf("books", it("isbn")) },
                request,
                body = "book",
            )
`);
  expect(sandbox.read("generated/ridl/Rpc.kt")).toBe(
    files["templates/files/ridl/Rpc.kt"],
  );
});

test("listed values are annotations", () => {
  const golden = goldenCases().find(({ name }) => name === "listed-values");
  const printed = golden ? printSet(set, golden.contract) : [];
  const types = printed.find(({ path }) => path.endsWith("Types.kt"));
  expect(types?.text).toContain(`
    @OneOf("", "kg", "a|b", "\\"q\\"")
    val value: String,
`);
  expect(types?.text).toContain(`
    @OneOf("true")
    val done: Boolean,
`);
});

describe("text of a contract", () => {
  test.each(goldenCases().map((golden) => [golden.name, golden] as const))(
    "of %s stays in strings and comments",
    (_, { contract }) => {
      for (const { path, text } of printSet(set, contract)) {
        if (path.startsWith("ridl/")) continue;
        const rest = text.replaceAll(
          // Comments of Kotlin can be nested.
          /"(?:[^"\n\\$]|\\.)*"|\/\*(?:(?!\/\*)[^])*?\*\/|\/\/.*$|^import .*$/gmu,
          "",
        );
        expect(rest, path).toMatch(/^[\w\s@.,:;?=+(){}<>-]*$/u);
        expect(rest, path).not.toMatch(/globalThis\b/u);
      }
    },
  );
});
