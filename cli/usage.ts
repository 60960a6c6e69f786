import { exitCodes } from "./system/exit-codes.js";

/** A term, e.g. a flag or a command line, and what it means or does. */
type Row = readonly [term: string, does: string];

/** A command as its usage text describes it. */
export interface Usage {
  readonly name: string;
  readonly alias: string | null;
  readonly description: string;
  readonly arguments: readonly Row[];
  readonly flags: readonly Row[];
  /** Every flag appears in an example. */
  readonly examples: readonly Row[];
}

const schema = `
[schema...]  documents, folders or patterns (default: those in the configuration)
--config <file>  configuration file (default: ridl.config.yaml)`;

/** Flags that select methods. */
const methods = `
--service <names>  include only these services (separated by commas)
--match <annotations>  include only methods with one of these annotations, e.g. @public,@auth:X-Key
--ignore <annotations>  exclude methods with one of these annotations, e.g. @internal`;

/** Flags that select part of the contract. */
const filter = `${methods}
--unused <what>  keep or omit types and errors that no method uses (default: omit if a filter excludes methods)`;

/** Flags of commands that call a running server. */
const server = `
--header <header>  send a header, e.g. "X-Key: 1"
--address <host=url>  address of a host
--parameter <name=value>  value for a parameter in an address, e.g. network=polygon`;

const compat = `
--compat <client>  also generate a client with the names of another generator`;

const format = `
--format <format>  format of the diagnostics`;

/**
 * The usage text of each command: its name and description, then its arguments,
 * flags and examples. The help of `ridl` shows the first example of each.
 */
const texts = `
init  create a contract and a server that implements it
[folder]  folder to create
--template <template>  \`node\`, \`next\`, a folder, or an installed package with a folder \`template\` (default: \`next\` in a project with Next.js, otherwise \`node\`)
ridl init my-api  create a contract and a server that implements it
ridl init  create both in the current folder
ridl init my-api --template next  create a Next.js app that serves and calls its contract
ridl init my-api --template ../our-template  create a project from other files

generate|gen  write clients, servers, types and validators${schema}${filter}
--out <folder>  output folder${compat}
--check  write nothing; fail if a file would change
--dry-run  write nothing; list what would change
--watch  regenerate on every change
--run <command>  with --watch, run a command, such as a compiler, once the code is generated; repeatable
--force  regenerate everything and replace conflicting files${format}
ridl generate  generate what ridl.config.yaml describes
ridl generate --check  fail in CI if generated files are out of date
ridl generate --watch  regenerate on every change
ridl generate --watch --run "tsc --watch"  also run the compiler
ridl generate --dry-run  list the files that would change
ridl generate schema/*.ridl --out src/generated  generate without a configuration
ridl generate --config api/ridl.config.yaml  use another configuration
ridl generate --force  replace files that ridl did not write
ridl generate --compat webrpc  also generate a client with webrpc's names
ridl generate --service Shop --unused keep  generate one service
ridl generate --match @public --ignore @internal  select methods by annotation
ridl generate --check --format github  annotate a pull request

check  find errors in documents and give advice${schema}
--fix  apply fixes that do not change the contract
--fix-all  also apply fixes that change the contract
--strict  also fail on warnings
--all  show every finding instead of the first few of each kind${format}
ridl check  report errors and advice
ridl check --fix  apply fixes that do not change the contract
ridl check --fix-all  apply all fixes
ridl check --strict  fail on warnings
ridl check --all  show every finding
ridl check --format github  annotate a pull request
ridl check --config api/ridl.config.yaml  use another configuration

breaking  find changes that break existing clients and servers${schema}
--against <revision>  git revision, or a folder such as ../before (default: the main branch)
--strict  also require new clients to work with old servers
--record  write what servers know about released contracts, instead of comparing
--in-use <file>  JSON with the number of calls of each version, e.g. {"v1.3.0": 120}; say which of them break
--all  also show notes
--format <format>  format of the findings; markdown is for pull requests and changelogs
--heading-level <level>  level of the first Markdown heading
ridl breaking --against main  find changes that break existing clients
ridl breaking --against ../before  compare with a folder
ridl breaking --strict  also require new clients to work with old servers
ridl breaking --record  write the history that the setting \`skew\` uses
ridl breaking --in-use calls.json  say which versions in use would break
ridl breaking --all  also show notes
ridl breaking --format markdown --heading-level 3  write a changelog section
ridl breaking --config api/ridl.config.yaml  use another configuration

fmt  format documents; \`-\` reads standard input${schema}
--check  write nothing; fail if a file would change${format}
ridl fmt  format all documents
ridl fmt --check  fail if a document is not formatted
ridl fmt - < shop.ridl  format standard input
ridl fmt --check --format github  annotate a pull request
ridl fmt --config api/ridl.config.yaml  use another configuration

export  print the contract for other tools${schema}${methods}
--unused <what>  keep or omit types and errors that no method uses (default: keep; for --format ir, omit if a filter excludes methods)
--inline-aliases  replace aliases by their types, for webrpc's TypeScript and Dart generators
--format <format>  output: webrpc's JSON form or its hash, one RIDL document, or the input for emitters
ridl export --format json shop.ridl  print the schema for webrpc's generators
ridl export --format hash shop.ridl  print webrpc's hash of the schema
ridl export --format ridl --match @public  print the public methods as RIDL
ridl export --format ridl --ignore @internal  exclude methods
ridl export --format json --inline-aliases shop.ridl  print the schema for generators without aliases
ridl export --format ir --service Shop --unused keep  print the input for emitters
ridl export --format ir --config api/ridl.config.yaml  use another configuration

import  turn an OpenAPI document, a JSON Schema or a tRPC router into RIDL, or update RIDL with a newer one
<format>  what to import: openapi, json-schema or trpc
<file>  OpenAPI document or JSON Schema, in JSON or YAML, or a module that exports a router; importing a router runs the module
--out <file>  document to write (default: the name of the file with .ridl, in the current folder)
--export <name>  router to import, if the module exports several
--strict  fail if requests, responses or their values would differ
--force  replace the document if it exists, with all changes to it${format}
ridl import openapi shop.yaml  write shop.ridl, or update it and keep changes to it
ridl import openapi shop.yaml --out schema/shop.ridl --force  replace another document
ridl import openapi shop.yaml --strict  fail if RIDL cannot say the whole API
ridl import openapi shop.yaml --format sarif  report the notes to code scanning
ridl import json-schema types.json  write types.ridl, which has types and no methods
ridl import trpc src/router.ts  write router.ridl
ridl import trpc src/routers.ts --export shopRouter  import one of several routers

package  write an npm package that contains the client, ready to publish${schema}${filter}
--out <folder>  folder to write the package to
--name <name>  name of the package, e.g. @scope/api-client
--version <version>  version (default: the schema's version)${compat}
--force  replace conflicting files${format}
ridl package --out client  write an npm package with the client
ridl package --out client --name @acme/shop --version 1.2.0  set its name and version
ridl package --out client --compat webrpc  also include webrpc's names
ridl package --out client --service Shop  include one service
ridl package --out client --match @public --ignore @internal --unused omit  include only the public methods
ridl package --out client --force  replace files that ridl did not write
ridl package --out client --format json  print diagnostics as JSON
ridl package --out client --config api/ridl.config.yaml  use another configuration

implement  add the contract's methods to your own handlers${schema}${filter}
--out <path>  folder or file for the handlers of new services
--tsconfig <file>  project that contains the handlers (default: tsconfig.json)
--rename <old=new>  rename a method; can be repeated
--check  write nothing; fail if a method is missing or unknown
--dry-run  write nothing; list what would change${format}
ridl implement  add missing methods to your handlers
ridl implement --check  fail in CI if a handler is missing a method
ridl implement --dry-run  show what would change
ridl implement --out src/handlers  write handlers for new services
ridl implement --rename GetBook=FindBook  rename a method and keep its body
ridl implement --tsconfig server/tsconfig.json  find handlers in another project
ridl implement --check --format github  annotate a pull request
ridl implement --service Shop --match @public  implement part of the contract
ridl implement --ignore @internal --unused omit  exclude methods
ridl implement --config api/ridl.config.yaml  use another configuration

migrate  change calls of another client into calls of the generated client
<client>  client whose calls are changed: openapi-fetch, hey-api, ts-rest or trpc
<folder>  folder with the code
--tsconfig <file>  the project that includes the code (default: the nearest tsconfig.json in or above the folder)
--dry-run  write nothing; print the difference
--config <file>  configuration file (default: ridl.config.yaml)${format}
ridl migrate openapi-fetch src  change the calls in a folder
ridl migrate hey-api src  change the calls of functions that hey-api generated
ridl migrate ts-rest src  change the calls of a contract of ts-rest
ridl migrate trpc src  change the calls of tRPC's clients
ridl migrate openapi-fetch src --dry-run  show what would change
ridl migrate openapi-fetch src --tsconfig tsconfig.app.json  find the code in another project
ridl migrate openapi-fetch src --config api/ridl.config.yaml --format json  report to another program

mcp  serve methods as Model Context Protocol tools on standard input and output${schema}
--url <address>  base address of the server that tools call${server}${filter}
--read-only  serve only methods marked as \`@readonly\`
--tools <mode>  list each method as a tool, or provide tools that search, describe and call methods (default: search if there are more than 10 methods)
ridl mcp --url http://localhost:8080  serve all methods as tools
ridl mcp --url http://localhost:8080 --read-only  serve only methods that change nothing
ridl mcp --url http://localhost:8080 --tools list  list all methods as tools, however many there are
ridl mcp --url http://localhost:8080 --header "X-Api-Key: secret"  send a credential
ridl mcp --address shop=https://{network}.example.com --parameter network=polygon  set the address of a host and its parameter
ridl mcp --url http://localhost:8080 --service Shop --match @tool  serve selected methods
ridl mcp --url http://localhost:8080 --ignore @internal --unused omit  exclude methods
ridl mcp --url http://localhost:8080 --config api/ridl.config.yaml  use another configuration

call  call a method of a running server
[method]  method, e.g. Shop/GetBook, or GetBook if no other has this name (default: list the methods)
[request...]  name=value, name:=json, name=@file, a JSON object, @file, or - for standard input
--schema <documents>  document, folder or pattern; repeatable (default: those in the configuration)
--config <file>  configuration file (default: ridl.config.yaml)
--url <address>  base address of the server (default: RIDL_URL, or the address in the contract)${server}
--timeout <seconds>  time limit for the response, or until a stream or a file begins (default: 60)
--output <file>  write the response to a file; \`-\` is standard output
--check  fail if the response violates the contract
--curl  print the equivalent curl command instead of sending the request
--format <format>  how to print errors: as text to standard error, or as JSON to standard output
ridl call Shop/GetBook id=1 --url http://localhost:8080  call a method
ridl call  list the methods
ridl call GetBook '{"id":1}' --schema shop.ridl --timeout 5  send JSON, without a configuration
ridl call UploadCover id=1 cover=@cover.png  upload a file
ridl call GetCover id=1 --output cover.png  download a file
ridl call GetBook id=1 --header "X-Api-Key: secret" --curl  print a curl command
ridl call GetBook id=1 --check --format json  validate the response, and print errors as JSON
ridl call GetBook id=1 --address shop=https://{network}.example.com --parameter network=polygon  set the address of a host and its parameter
ridl call GetBook id=1 --config api/ridl.config.yaml  use another configuration

conformance  run the conformance cases with a client or a server in any language
<role>  what the program is: client or server
<command>  command that starts it, in a shell
--exceptions <file>  JSON with the cases that may fail, and why
--case <text>  run only cases whose names contain this text
--all  also list the cases that pass, and exceptions
ridl conformance client "go run ./driver"  test a generated client
ridl conformance server "go run ./server" --exceptions exceptions.json  test a server
ridl conformance client "python driver.py" --case "client rest" --all  run some cases, and list them

test  test a running server against the contract
<url>  address of the server, e.g. http://localhost:8080${schema}
--writes  also call methods that may change data
--method <names>  test only these methods, e.g. Shop.GetBook,Cart.*
--value <field=value>  valid value for a field, e.g. projectId=1
--webrpc  accept known differences in servers generated by webrpc
--seed <number>  seed of an earlier run, to repeat the run
--runs <number>  number of valid requests to send to each method
--timeout <seconds>  time limit for each response (default: 10)
--max-time <seconds>  time limit for the whole run (default: 60)
--format <format>  format of the report${server}${filter}
ridl test http://localhost:8080  test a running server
ridl test http://localhost:8080 --writes  also call methods that write
ridl test http://localhost:8080 --method Shop.*  test selected methods
ridl test http://localhost:8080 --value projectId=1  send values that exist on the server
ridl test http://localhost:8080 --header "X-Api-Key: secret"  send a credential
ridl test http://localhost:8080 --format junit  write a report for CI
ridl test http://localhost:8080 --seed 7 --runs 200  repeat a run with more requests
ridl test http://localhost:8080 --timeout 5 --max-time 600  set time limits
ridl test http://localhost:8080 --webrpc  test a server generated by webrpc
ridl test http://localhost:8080 --address shop=http://localhost:9090  set the address of a host
ridl test https://{network}.example.com --parameter network=polygon  set the parameters in an address
ridl test http://localhost:8080 --service Shop --match @public --ignore @internal  test part of the contract
ridl test http://localhost:8080 --unused omit --config api/ridl.config.yaml  use another configuration

mock  serve the contract with mock data${schema}${filter}
--port <port>  port; 0 picks a free one
--host <address>  address to listen on
--seed <seed>  seed for the mock data
--latency <ms>  response time in milliseconds, e.g. 100-400
--error-rate <rate>  fraction of calls that fail, e.g. 0.1
--overrides <folder>  folder of custom JSON responses
ridl mock  serve the contract with mock data
ridl mock --port 3000 --host 0.0.0.0  listen on another port and address
ridl mock --seed demo  generate different data
ridl mock --latency 100-400 --error-rate 0.1  simulate a slow, failing server
ridl mock --overrides mocks  respond with your own files
ridl mock --service Shop --match @public  serve part of the contract
ridl mock --ignore @internal --unused omit  exclude methods
ridl mock --config api/ridl.config.yaml  use another configuration

template  print what templates get, or copy one to replace it
<action>  view, list or copy
[names...]  for copy: a set and one of its templates; for view: a host (default: all)
--set <set>  for view: a set of ridlkit's or of \`emit\`, whose names are used (default: names as in RIDL)
--config <file>  configuration file (default: ridl.config.yaml)
ridl template copy markdown method  start to replace a template
ridl template list  list the templates that can be replaced
ridl template view  print the contract as templates get it
ridl template view shop  print the view of one host
ridl template view --set python  print names as Python gets them
ridl template view --config api/ridl.config.yaml  use another configuration

lsp  start a language server on standard input and output
--config <file>  configuration file (default: the nearest ridl.config.yaml above each document)
--stdio  accepted for editors that pass it; has no effect
ridl lsp --stdio  start a language server for an editor
ridl lsp --config api/ridl.config.yaml  use another configuration

completion  print a script that completes commands, flags, methods and fields in a shell
<shell>  bash, zsh or fish
ridl completion bash  print the script for bash
ridl completion zsh  print the script for zsh
ridl completion fish  print the script for fish

explain  explain a diagnostic, with examples
[code]  code of the diagnostic, e.g. duplicate-method (default: list all codes)
ridl explain duplicate-method  explain a diagnostic
ridl explain  list all diagnostics
`;

/** All commands by name. */
export const usages: ReadonlyMap<string, Usage> = new Map(
  texts
    .trim()
    .split("\n\n")
    .map(readUsage)
    .map((usage) => [usage.name, usage]),
);

function readUsage(text: string): Usage {
  const rows = text.split("\n").map((line): Row => {
    const end = line.indexOf("  ");
    return [line.slice(0, end), line.slice(end + 2)];
  });
  const [[names, description] = ["", ""], ...parts] = rows;
  const [name = "", alias = null] = names.split("|");
  const partsWith = (start: RegExp) =>
    parts.filter(([term]) => start.test(term));
  return {
    name,
    alias,
    description,
    arguments: partsWith(/^[[<]/u),
    flags: partsWith(/^--/u),
    examples: partsWith(/^ridl /u),
  };
}

/** Prints the examples section of a help text. */
export function printExamples(examples: readonly Row[]): string {
  const width = 42;
  const lines = examples.map(([line, does]) =>
    line.length < width
      ? `  $ ${line.padEnd(width)}${does}`
      : `  $ ${line}\n    ${" ".repeat(width)}${does}`,
  );
  return `\nExamples:\n${lines.join("\n")}`;
}

/** The meaning of each exit code, as shown at the end of the help text. */
export const exitCodeMeanings: readonly Row[] = [
  [String(exitCodes.success), "success"],
  [String(exitCodes.failure), "errors or failed checks"],
  [
    String(exitCodes.usage),
    "invalid command line, invalid request or incomplete test",
  ],
  [String(exitCodes.noResponse), "no valid response (`ridl call`)"],
  [String(exitCodes.crash), "a bug in ridlkit; please report it"],
];

/** Prints the first example of each command, and the exit codes. */
export function printFirstExamples(): string {
  const first = [...usages.values()].flatMap(({ examples }) =>
    examples.slice(0, 1),
  );
  const codes = exitCodeMeanings.map((words) => words.join(" "));
  return `${printExamples(first)}\n\nExit codes: ${codes.join(", ")}.`;
}
