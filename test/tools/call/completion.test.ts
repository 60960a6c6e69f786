import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { createSandbox } from "../../cli/support/sandbox.js";

const files = {
  "shop.ridl": `webrpc = v1
name = shop
version = v1.0.0

enum Cover: string
  - hard
  - soft

service Shop
  # Finds a book.
  - GetBook(id: uint64, cover?: Cover, covers?: []Cover, isNew?: bool) => ()
  - AddBook() => ()

service Hook
  @webhook
  - Notify(text: string)
`,
  "ridl.config.yaml": "schema: [shop.ridl]\n",
};

test.each([
  [["expl"], ["explain"]],
  [["comple"], ["completion"]],
  [["completion", "z"], ["zsh"]],
  [
    ["call", ""],
    ["Shop/GetBook", "Shop/AddBook"],
  ],
  [["call", "Shop/G"], ["Shop/GetBook"]],
  [["call", "--schema", "shop.ridl", "Shop/A"], ["Shop/AddBook"]],
  [["call", "--curl", "Shop/A"], ["Shop/AddBook"]],
  [
    ["call", "GetBook", "i"],
    ["id=", "isNew=", "isNew=false", "isNew=true"],
  ],
  [["call", "GetBook", "--url", "http://a", "id"], ["id="]],
  [
    ["call", "Shop/GetBook", "cover="],
    ["cover=hard", "cover=soft"],
  ],
  [["call", "Shop/GetBook", "covers=s"], ["covers=soft"]],
  [
    ["call", "GetBook", "--format", ""],
    ["text", "json"],
  ],
  [["call", "--cu"], ["--curl"]],
  [["call", "--schema", ""], []],
  [["call", "--schema", "none.ridl", ""], []],
  [["call", "Nothing", ""], []],
  [["nothing", ""], []],
])("completes %j", async (words, expected) => {
  const { exitCode, stderr, stdout } = await createSandbox(files).run([
    ...["complete", "--", ...words],
  ]);
  const lines = stdout.split("\n").slice(0, -1);
  expect(lines.map((line) => line.split("\t")[0])).toEqual(expected);
  expect([exitCode, stderr]).toEqual([0, ""]);
});

test("describes candidates by the contract's comments", async () => {
  const words = ["complete", "--", "call", "Shop/G"];
  const { stdout } = await createSandbox(files).run(words);
  expect(stdout).toBe("Shop/GetBook\tFinds a book.\n");
});

test("rejects an unknown shell", async () => {
  const { exitCode, stderr } = await createSandbox().run(["completion", "zhs"]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("did you mean `zsh`?");
});

test.each([
  ["ridl call Get", "call,Get: Shop/GetBook"],
  ["ridl call ", "call,: Shop/GetBook"],
  // Bash only replaces the text after the last `=`.
  ["ridl call GetBook cover=s", "call,GetBook,cover=s: soft"],
])("the script for bash completes %j", async (line, expected) => {
  const { stdout: script } = await createSandbox().run(["completion", "bash"]);
  // The script calls this function instead of `ridl`.
  const program = `${script}
ridl() {
  shift 2
  IFS=,
  echo "$*" > asked
  case "$*" in
    *=*) printf 'cover=soft\\tsoft\\n' ;;
    *) printf 'Shop/GetBook\\tFinds a book.\\n' ;;
  esac
}
COMP_LINE=${JSON.stringify(line)}
COMP_POINT=\${#COMP_LINE}
_ridl
echo "$(cat asked): \${COMPREPLY[*]}"`;
  const options = { encoding: "utf8", cwd: createSandbox().root } as const;
  const run = spawnSync("bash", ["-c", program], options);
  expect(run.stdout).toBe(`${expected}\n`);
});
