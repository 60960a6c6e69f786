import { describe, expect, test } from "vitest";
import { createSandbox } from "./support/sandbox.js";

const head = "webrpc = v1\nname = shop\nversion = v1.0.0\n\n";

/**
 * Returns the output of `ridl breaking --format markdown` for two documents.
 */
async function compare(
  before: string,
  after: string,
  ...flags: readonly string[]
) {
  const sandbox = createSandbox({
    "now/ridl.config.yaml": "schema: [shop.ridl]\n",
    "now/shop.ridl": head + after,
    "before/shop.ridl": head + before,
  });
  const args = ["breaking", "--against", "../before", "--format", "markdown"];
  return sandbox.run([...args, ...flags], { folder: "now" });
}

describe("ridl breaking --format markdown", () => {
  test("groups changes by affected audience, with breaking changes first", async () => {
    const before = `struct Book
  - id: uint32
  - name: string

service Shop
  - GetBook(id: uint32) => (book: Book)
  - Ping()

service Events
  @webhook
  - Sold(id: uint32, name: string)
`;
    const after = `struct Book
  - id: uint32
  - name: string
  - more: string

service Shop
  - GetBook(id: uint32) => (book: Book)

service Events
  @webhook
  - Sold(id: uint32)
`;
    const { exitCode, stderr, stdout } = await compare(before, after);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: "" });
    expect(stdout).toBe(`## Contract changes

Compared with \`../before\`: 2 errors, 1 warning.

### Breaks existing clients

- **error:** method \`Shop.Ping\` was removed (\`method-no-delete\`)
  - \`shop.ridl:10\`, before \`../before/shop.ridl:11\`
  - breaks old clients of the new server, code that calls the client, code that implements the server
  - **Instead:** mark it \`@deprecated\`, and keep it until no client calls it

### Breaks existing receivers

- **error:** \`Events.Sold.name\` was removed from webhooks (\`response-field-no-delete\`)
  - \`shop.ridl:15\`, before \`../before/shop.ridl:15\`
  - breaks old clients of the new server, code that calls the client, code that implements the server
  - found in the request of \`Events.Sold\`
  - **Instead:** mark it \`+ deprecated\`, and keep it until no client reads it; if it was renamed, add \`+ json = name\` to the new field

### Breaks code

- **warning:** responses require the new field \`Book.more\` (\`response-field-add-required\`)
  - \`shop.ridl:8\`, before \`../before/shop.ridl:5\`
  - breaks new clients of an old server, code that implements the server
  - found in the response of \`Shop.GetBook\`, \`book\`
  - **Instead:** release the server before clients that rely on it
`);
  });

  test("shows strings from the contract as code", async () => {
    const contract = (value: string, pattern: string): string =>
      `enum Kind: string
  - Odd = "${value}"

type Word: string
  + pattern = "${pattern}"

service Shop
  - Put(kind: Kind, word: Word)
`;
    const { stdout } = await compare(
      contract("`<b>", "^`+$"),
      contract("` [x](http://evil.example) @someone", "^<`$"),
    );
    expect(stdout).toContain(
      'was `"\\u0060<b>"` on the wire and is now `"\\u0060 [x](http://evil.example) @someone"`',
    );
    expect(stdout).toContain(
      "had the pattern `^\\u0060+$` and now has `^<\\u0060$`",
    );
  });

  test("is short if there are no breaking changes", async () => {
    const same = "service Shop\n  - Ping()\n";
    expect(await compare(same, same, "--heading-level", "3")).toEqual({
      exitCode: 0,
      stderr: "",
      stdout:
        "### Contract changes\n\nCompared with `../before`: nothing breaks.\n",
    });
  });

  test("shows notes with `--all`, and accepts `--strict`", async () => {
    const before = "service Shop\n  - Ping()\n";
    const after = `${before}  - Pong()\n`;
    const all = await compare(before, after, "--all", "--strict");
    expect(all.stdout).toContain("### Other changes\n\n- **info:** ");
    const wider = "service Shop\n  - Ping(a?: uint32)\n";
    const strict = await compare(before, wider, "--strict", "--all");
    expect(strict.exitCode).toBe(0);
    expect(strict.stdout).toContain("Compared with");
  });

  test("reports errors in documents as text", async () => {
    const same = "service Shop\n  - Ping()\n";
    const run = await compare(same, `${same}  - Ping()\n`);
    expect(run).toMatchObject({ exitCode: 1, stdout: "" });
    expect(run.stderr).toContain("error[duplicate-method]");
  });

  test("rejects a heading level that is too deep", async () => {
    const same = "service Shop\n  - Ping()\n";
    const run = await compare(same, same, "--heading-level", "6");
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain("It must be a number from 1 to 5.");
  });
});
