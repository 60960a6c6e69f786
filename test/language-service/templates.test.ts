import { describe, expect, test } from "vitest";
import { completeTemplate } from "../../tools/editor/service/templates/complete-template.js";
import { hoverTemplate } from "../../tools/editor/service/templates/hover-template.js";
import type { EditedTemplate } from "../../tools/editor/service/templates/list-members.js";

/**
 * Opens a partial that gets methods, and its title as a parameter. `§` marks the
 * cursor.
 */
function openPartial(marked: string): {
  readonly template: EditedTemplate;
  readonly offset: number;
} {
  const offset = marked.indexOf("§");
  const text = marked.replace("§", "");
  const texts = {
    "files/{host}/a.txt":
      '{{#each host.services}}{{#each methods}}{{> method title="Method"}}{{> mixed}}{{/each}}{{> mixed}}{{/each}}',
    method: text,
    mixed: text,
    "value/list": "",
  };
  const sources = new Map(
    Object.entries(texts).map(([name, each]) => [
      `${name}.hbs`,
      { path: `${name}.hbs`, text: each },
    ]),
  );
  const set = { sources, record: null };
  return { template: { set, name: "method", text }, offset };
}

function complete(marked: string): readonly string[] {
  const { offset, template } = openPartial(marked);
  return completeTemplate(template, offset).map(({ label }) => label);
}

describe("completions", () => {
  test.each([
    ["properties, parameters and helpers", "{{§", ["name", "title", "md"]],
    ["values of a helper", "{{md na§", ["name", "title"]],
    ["helpers in parentheses", "{{md (§", ["upper"]],
    ["properties of a list", "{{#each request.fields}}{{na§", ["name"]],
    [
      "properties outside of a list",
      "{{#each request.fields}}{{../§",
      ["title"],
    ],
    ["properties of a record", "{{md route.§", ["kind"]],
    [
      "properties of a record that can be null",
      "{{#if (and (exists docs) docs.§",
      ["lines"],
    ],
    ["properties for a parameter", "{{> method title=na§", ["name"]],
    ["values to compare with", '{{#if (is route.kind "§', ["rpc", "rest"]],
    ["partials", "{{> va§", ["method", "value/list"]],
    ["blocks", "{{#§", ["if", "unless", "each"]],
    ["the block to close", "{{#each a}}{{#if b}}{{/§", ["if"]],
    ["else in a block", "{{#if name}}{{e§", ["else", "exists"]],
    ["positions in a list", "{{#each request.fields}}{{@§", ["first", "index"]],
    [
      "names although the rest is unfinished",
      "{{#if (exists docs)}}{{na§ {{#each}} {{",
      ["name"],
    ],
  ])("are %s", (_, marked, expected) => {
    expect(complete(marked)).toEqual(expect.arrayContaining(expected));
  });

  test.each([
    ["outside of a tag", "{{name}}§"],
    ["in a comment", "{{!-- {{name§"],
    ["in text", '{{md "na§'],
    ["behind a mistake", "{{nothing.§"],
    ["for a position outside of a list", "{{@§"],
  ])("are empty %s", (_, marked) => {
    expect(complete(marked)).toEqual([]);
  });

  test("replace what was typed", () => {
    const { offset, template } = openPartial("{{md ../route.ki§");
    const [found] = completeTemplate(template, offset);
    expect(found).toBeUndefined();
    const other = openPartial("{{md route.ki§");
    expect(completeTemplate(other.template, other.offset)).toEqual([
      expect.objectContaining({
        label: "kind",
        detail: "one of `rpc`, `rest`, `webhook`",
        span: { start: 11, end: 13 },
      }),
    ]);
  });

  test("are names that exist for everything that a partial gets", () => {
    const { offset, template } = openPartial("{{§");
    const labels = completeTemplate({ ...template, name: "mixed" }, offset).map(
      ({ label }) => label,
    );
    expect(labels).toContain("name");
    expect(labels).not.toContain("route");
    expect(labels).not.toContain("methods");
  });
});

describe("hovers", () => {
  const hover = (marked: string) => {
    const { offset, template } = openPartial(marked);
    return hoverTemplate(template, offset);
  };

  test.each([
    ["a property", "{{md na§me}}", 5, "name", "`name`: text"],
    ["a record", "{{#if (exists do§cs)}}", 14, "docs", "A doc comment"],
    ["a property of a record", "{{md route.k§ind}}", 11, "kind", "`rpc`"],
    ["a parameter", "{{md §title}}", 5, "title", "`title`"],
    ["a helper", "{{§md name}}", 2, "md", "Prints text in Markdown"],
    [
      "a helper in a helper",
      "{{upper (sn§ake name)}}",
      9,
      "snake",
      "snake_case",
    ],
  ])("describe %s", (_, marked, start, name, expected) => {
    const found = hover(marked);
    expect(found?.markdown).toContain(expected);
    expect(found?.span).toEqual({ start, end: start + name.length });
  });

  test.each(["te§xt {{name}}", "{{#§if a}}", "{{not§hing}}", "{{> met§hod}}"])(
    "are absent: %s",
    (marked) => {
      expect(hover(marked)).toBeNull();
    },
  );
});
