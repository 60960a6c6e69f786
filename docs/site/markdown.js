import { existsSync, readdirSync, statSync } from "node:fs";
import { posix } from "node:path";
import { root, sitePath } from "./pages.js";

/**
 * A markdown-it plugin that turns links between files of the repository into links
 * between pages of the site. A link to a folder leads to its README or its first
 * page. A link to a source file becomes plain text, because the site has no page
 * for it.
 */
export function toSiteLinks(md) {
  md.core.ruler.after("inline", "site-links", ({ env, tokens }) => {
    const folder = posix.dirname(env.realPath ?? env.path);
    for (const { children } of tokens) changeLinks(children ?? [], folder);
  });
}

function changeLinks(tokens, folder) {
  const open = [];
  for (const token of tokens) {
    if (token.type === "link_open") {
      open.push(token);
      changeLink(token, folder);
    } else if (token.type === "link_close") {
      token.tag = open.pop().tag;
    }
  }
}

function changeLink(token, folder) {
  const href = token.attrGet("href");
  if (href === null || /^(?:[a-z]+:|#|\/)/iu.test(href)) return;
  const [, path, hash] = /^([^#]*)(.*)$/u.exec(href);
  const target = posix.join(folder, decodeURIComponent(path));
  // A link to a missing file is left unchanged and fails the build as a dead link.
  if (!existsSync(target)) return;
  const page = pageOf(target);
  if (page === null) {
    // VitePress would render `link_open` as a link, regardless of the tag.
    Object.assign(token, { type: "source_open", tag: "span", attrs: [] });
  } else {
    token.attrSet("href", `/${sitePath(posix.relative(root, page))}${hash}`);
  }
}

/** Returns the page to which a path leads, or null for a source file. */
export function pageOf(target) {
  if (!statSync(target).isDirectory()) {
    return target.endsWith(".md") ? target : null;
  }
  const names = readdirSync(target).filter((name) => name.endsWith(".md"));
  const name = names.find((each) => each === "README.md") ?? names.sort()[0];
  return name === undefined ? null : posix.join(target, name);
}

/**
 * A markdown-it plugin that shows the file name of a code block above the block,
 * unless the page already does.
 */
export function showFileNames(md) {
  const { fence } = md.renderer.rules;
  md.renderer.rules.fence = (tokens, index, ...others) => {
    const [, name] =
      /^\S+ (\S*\.\w+|Dockerfile)/u.exec(tokens[index].info) ?? [];
    const block = fence(tokens, index, ...others);
    const isShown = tokens[index - 2]?.content === `\`${name}\``;
    return name === undefined || isShown
      ? block
      : `<p class="file-name">${md.utils.escapeHtml(name)}</p>${block}`;
  };
}

/**
 * A markdown-it plugin that shows `{{ … }}` in text and inline code as it is. Vue
 * would evaluate it, because pages are its templates. Code blocks are safe.
 */
export function keepBraces(md) {
  md.core.ruler.after("inline", "keep-braces", ({ tokens }) => {
    const inline = tokens.flatMap(({ children }) => children ?? []);
    for (const token of inline) {
      if (!token.content.includes("{{")) continue;
      if (token.type === "code_inline") token.attrSet("v-pre", "");
      if (token.type !== "text") continue;
      const text = md.utils.escapeHtml(token.content);
      token.type = "html_inline";
      token.content = `<span v-pre>${text}</span>`;
    }
  });
}

/**
 * A markdown-it plugin that turns the empty header of a table's first column into
 * an ordinary cell, because screen readers announce headers.
 */
export function keepTableHeaders(md) {
  md.core.ruler.after("inline", "table-headers", ({ tokens }) => {
    tokens.forEach((token, index) => {
      const isEmpty = tokens[index + 1]?.content === "";
      if (token.type !== "th_open" || !isEmpty) return;
      token.tag = "td";
      tokens[index + 2].tag = "td";
    });
  });
}

/**
 * Returns the anchor that GitHub creates for a heading, so that links work on
 * GitHub and on the site.
 */
export function toAnchor(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}
