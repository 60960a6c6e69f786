import { expect, test } from "vitest";
import { explainFailure } from "../../apps/explorer/calls/failure-text.js";
import { firstSentence } from "../../apps/explorer/views/text-view.js";

const url = "http://api.example.com:8080/rpc/A/B";

test.each([
  [
    "refused",
    "https://docs.example.com",
    "pages from https://docs.example.com",
  ],
  ["refused", "null", "pages from files on this computer"],
  ["unreachable", "http://a", "api.example.com:8080 does not respond."],
  ["unreachable", "https://a", "browsers do not let it call api.example.com"],
  ["redirected", "http://a", "api.example.com:8080 redirects the call"],
  ["changed", "http://a", "The file bad header has changed"],
  ["incomplete", "http://a", "api.example.com:8080 was closed before"],
  ["large", "http://a", "api.example.com:8080, bad header, is larger than 32"],
  ["slow", "http://a", "was not complete after 60 seconds"],
  ["invalid", "http://a", "rejected this call: bad header"],
  ["aborted", "http://a", "may still have processed it"],
] as const)("explains the failure %s from %s: %s", (reason, origin, help) => {
  const text = explainFailure(reason, url, origin, "bad header");
  expect(text.help).toContain(help);
  expect(text.title).not.toBe("");
});

test("shows an invalid address unchanged", () => {
  const { help } = explainFailure("unreachable", "http://", "http://a", "");
  expect(help).toContain("http:// does not respond.");
});

test.each(["localhost:8080", "127.0.0.1", "[::1]:80"])(
  "does not blame the browser for a call to %s, which it allows",
  (host) => {
    const local = `http://${host}/webhook`;
    const { help } = explainFailure("unreachable", local, "https://a", "");
    expect(help).toContain("does not respond");
  },
);

test.each([
  [undefined, ""],
  [
    "Orders by\ncontract and id; none are lost.",
    "Orders by contract and id; none are lost.",
  ],
  ["Since v1.2 it works. Else not.", "Since v1.2 it works."],
  ["no end", "no end"],
])("the first sentence of %j is %j", (text, sentence) => {
  expect(firstSentence(text)).toBe(sentence);
});
