import { expect, test } from "vitest";
import { renderDiagnostic } from "../../generator/diagnostics/render.js";
import { readTemplateSet } from "../../generator/4-emit/templates/template-set.js";

/** Returns the first line of each diagnostic, with its place and help. */
function faultsOf(texts: Readonly<Record<string, string>>): readonly string[] {
  const sources = new Map(
    Object.entries(texts).map(([name, text]) => {
      const path = name.endsWith(".json") ? name : `${name}.hbs`;
      return [path, { path, text }];
    }),
  );
  const { diagnostics } = readTemplateSet(sources);
  return diagnostics.map((each) => {
    const [first, place = ""] = renderDiagnostic(each, { color: false }).split(
      "\n",
    );
    const help = each.help === undefined ? "" : `; ${each.help}`;
    return `${place.replace(/^ *--> /u, "")} ${first}${help}`;
  });
}

const page = "files/{host}/page";

test.each([
  [
    "{{host.nam}}",
    "error[unknown-template-name]: `HostView` has no `nam`; did you mean `name`?",
  ],
  [
    "{{hosst.name}}",
    "error[unknown-template-name]: `HostContractView` has no `hosst`; did you mean `host`?",
  ],
  [
    "{{host.name}}",
    "error[invalid-template]: text from a contract is printed without quoting",
  ],
  [
    "{{host.version}}",
    "error[invalid-template]: text from a contract is printed without quoting",
  ],
  [
    "{{md host.version}}",
    "`md` needs text, and this is text or null; use it inside `{{#if (exists …)}}`",
  ],
  ["{{host}}", "error[invalid-template]: `HostView` cannot be printed"],
  [
    "{{mdd host.name}}",
    "error[unknown-template-name]: there is no helper `mdd`; did you mean `md`?",
  ],
  ["{{camel host.docs}}", "`camel` needs text, and this is `DocsView` or null"],
  ["{{md}}", "`md` needs at least 1 value"],
  ["{{#if host.name}}x{{/if}}", "text is not a condition"],
  ["{{#if host.version}}x{{/if}}", "text or null is not a condition"],
  ["{{#each errors}}{{#if code}}x{{/if}}{{/each}}", "a number is not a cond"],
  ["{{#each host}}x{{/each}}", "`{{#each}}` needs a list, and this is `Hos"],
  [
    '{{#each types}}{{> (concat "t/" kind)}}{{/each}}',
    "no partial `t/struct`, which the kind `struct` needs",
  ],
  ["{{> prat host}}", "there is no partial `prat`; did you mean `part`?"],
  ["{{> part host.docs}}", "this can be null"],
  ["{{host.docs.lines}}", "this can be null, so it may have no `lines`"],
  ["{{../host.name}}", "`../` leads out of the template"],
  ["{{@first}}", "`@first` is used outside of `{{#each}}`"],
  ["{{#each types}}{{@key}}{{/each}}", "templates cannot contain `@key`"],
  ['{{lookup host "name"}}', "there is no helper `lookup`"],
  [
    "{{#with host}}x{{/with}}",
    "templates cannot contain the block `{{#with}}`",
  ],
  [
    "{{#each types as |type|}}x{{/each}}",
    "templates cannot contain a block parameter",
  ],
  [
    "{{#> part host}}x{{/part}}",
    "templates cannot contain a partial with a block",
  ],
  ['{{#*inline "x"}}x{{/inline}}', "templates cannot contain a decorator"],
  ["{{* x}}", "templates cannot contain a decorator"],
  [
    '{{#each types}}{{#if (is kind "strukt")}}x{{/if}}{{/each}}',
    "the value is never `strukt`; did you mean `struct`?",
  ],
  [
    "{{#each types}}{{fields}}{{/each}}",
    '`TypeView` has no `fields`; only `struct` has it: call a partial for each kind, as in `{{> (concat "type/" kind)}}`',
  ],
  [
    "{{#each types}}{{> part types title=name}}{{/each}}",
    "`TypeView` has no `types`",
  ],
  [
    "{{> part types title=host.name}}",
    "a partial that gets a list of union cannot have parameters",
  ],
  [
    "{{> (md host.name) host}}",
    "templates cannot contain this name of a partial",
  ],
  [
    '{{> (concat "x" host.name) host}}',
    "the name of a partial cannot contain text",
  ],
  [
    "{{#if (exists host.name)}}x{{/if}}",
    "`exists` needs a value that can be null, and this is text",
  ],
  [
    "{{md a=host.name}}",
    "templates cannot contain a named argument of a helper",
  ],
  ["{{#if true}}x{{/if}}", "templates cannot contain `true`"],
  [
    "{{#if (exists host.version)}}",
    "`{{#if}}` is never closed; write `{{/if}}`",
  ],
  [
    "{{#if types}}{{^types}}x{{/types}}",
    "`{{#if}}` is never closed; write `{{/if}}`",
  ],
  ["{{^types}}x", "`{{^types}}` is never closed; write `{{/types}}`"],
  ["{{md host.name", "the template ends before a tag or block is closed"],
  [
    "{{#if types}}x{{/each}}",
    "`{{#if}}` is closed by `{{/each}}`; write `{{/if}}`",
  ],
  ["a {{/if}}", "no block is open here"],
  ["{{#if}}x{{/if}}", "`{{#if}}` without exactly one value"],
  ["{{host.{name}}", "this tag is not valid Handlebars"],
  [
    '{"a": {{json host.name}}}',
    'this tag is not valid Handlebars; separate a brace from a tag by a space, or print it with `{{"{"}}` or `{{"}"}}`',
  ],
])("refuses %s", (text, fault) => {
  const [first = "", ...others] = faultsOf({
    [page]: `One line.\n${text}\n`,
    part: "A part.\n",
  });
  expect(first).toContain(fault);
  expect(first).toMatch(/^files\/\{host\}\/page\.hbs:[23]:\d+ /u);
  // The part is unused, unless another fault hides that.
  expect(others.filter((each) => !each.includes("no partial `t/"))).toEqual([]);
});

test("finds the place of a fault in lines that end with CRLF", () => {
  const [fault] = faultsOf({ [page]: "One.\r\n\r\n ☃ {{host.nam}}\r\n" });
  expect(fault).toContain(".hbs:3:6 ");
});

test("reports partials that no template uses", () => {
  expect(faultsOf({ [page]: "x", "type/x": "y", z: "{{> z}}" })).toEqual([
    "type/x.hbs:1:1 error[unused-template]: no template uses the partial `type/x`; call it with `{{> type/x}}`, or remove the file",
    "z.hbs:1:1 error[unused-template]: no template uses the partial `z`; call it with `{{> z}}`, or remove the file",
  ]);
});

test.each([
  "{{#if (exists host.version)}}{{md host.version}}{{/if}}",
  "{{#unless (exists host.version)}}none{{else}}{{md host.version}}{{/unless}}",
  "{{#if (not (exists host.version))}}none{{else}}{{md host.version}}{{/if}}",
  "{{#if (and (exists host.version) types)}}{{md host.version}}{{/if}}",
  "{{#if (and host.docs host.docs.lines)}}{{md-docs host.docs}}{{/if}}",
  "{{#if host.docs}}{{#each types}}{{md-docs ../host.docs}}{{/each}}{{/if}}",
  "{{#each types}}{{#if ../host.docs}}{{md-docs ../host.docs}}{{/if}}{{/each}}",
  "{{#each types}}{{identifier}}{{kind}}{{@index}}{{#unless @last}},{{/unless}}{{/each}}",
  "{{#each errors}}{{upper (snake name)}} = {{code}}{{/each}}",
])("accepts %s", (text) => {
  expect(faultsOf({ [page]: text })).toEqual([]);
});

test("refuses partials that call themselves with the same record", () => {
  expect(
    faultsOf({
      [page]: "{{#each host.services}}{{> ends}}{{/each}}{{> whole x=types}}",
      // These get a part of the record, and then other types.
      ends: "{{#each methods}}{{> ends/method}}{{/each}}",
      "ends/method": "{{identifier}}",
      whole: "{{#each x}}{{> part ..}}{{/each}}",
      part: "{{#if types}}{{> whole x=types}}{{/if}}",
    }),
  ).toEqual([
    "part.hbs:1:14 error[invalid-template]: `whole` calls itself with the same record, and so without end",
  ]);
});

test("checks a partial for each type that it gets", () => {
  const part = "{{#each this}}{{md name}} {{code}}{{/each}}";
  expect(
    faultsOf({ [page]: "{{> part errors}}{{> part credentials}}", part }),
  ).toEqual([
    "part.hbs:1:29 error[unknown-template-name]: `CredentialView` has no `code`",
  ]);
});

test("names a call that gives a partial something that others do not", () => {
  const call =
    "{{#each host.services}}{{> part}}{{#each methods}}{{> part}}{{/each}}{{/each}}";
  const check = (text: string) => {
    const texts = { [page]: text, part: "{{#each methods}}x{{/each}}" };
    const sources = Object.entries(texts).map(
      ([name, each]) => [`${name}.hbs`, { path: name, text: each }] as const,
    );
    return readTemplateSet(new Map(sources)).diagnostics;
  };
  expect(check(call)).toMatchObject([
    {
      message: "`MethodView` has no `methods`",
      location: { source: { path: "part" } },
      related: [
        {
          label: "the partial gets `MethodView` here",
          location: { source: { path: page }, span: { start: 50 } },
        },
      ],
    },
  ]);
  const [only] = check("{{> part host}}");
  expect(only?.message).toBe("`HostView` has no `methods`");
  expect(only?.related).toBeUndefined();
});
