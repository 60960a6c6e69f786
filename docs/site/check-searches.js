import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import MiniSearch from "minisearch";
import { weightOf } from "./ranking.js";
import { searches } from "./searches.js";

/** How many searches may find another page first. */
const tolerance = 6;

/**
 * Searches a built site as its search box does. Returns the searches that find
 * another page first than they should, if there are too many. Input: the folder of
 * the site, and the path at which it is served.
 */
export async function checkSearches(folder, base) {
  const boostDocument = (id, term) => weightOf(id.slice(base.length), term);
  const chunks = join(folder, "assets/chunks");
  const [name] = readdirSync(chunks).filter((each) =>
    each.startsWith("@localSearchIndex"),
  );
  const { default: data } = await import(pathToFileURL(join(chunks, name)));
  // The options of VitePress.
  const index = MiniSearch.loadJSON(data, {
    fields: ["title", "titles", "text"],
    storeFields: ["title", "titles"],
  });
  const boost = { title: 4, text: 2, titles: 1 };
  const options = { fuzzy: 0.2, prefix: true, boost, boostDocument };
  const faults = searches.flatMap(([query, page]) => {
    const [{ id = "" } = {}] = index.search(query, options);
    const found = id.slice(base.length).replace(/#.*$|\.html.*$/u, "");
    return found === page ? [] : [`${query}: ${found} before ${page}`];
  });
  const right = searches.length - faults.length;
  console.log(`searches: ${right} of ${searches.length} find the right page`);
  return faults.length > tolerance ? faults : [];
}
