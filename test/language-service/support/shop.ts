/** Two documents that use most of the language. */
export const shop = {
  "common.ridl": `webrpc = v1

# A checksummed address.
type Address: string
  + pattern = "^0x[0-9a-fA-F]{40}$"

type ApiKey: string
  + header = X-Api-Key
  + error = Unauthorized

# Nobody knows this key.
error 1001 Unauthorized "Unauthorized" HTTP 401

enum Color: string
  # Like the sky.
  - Blue = "blue"
  - Red = "red"
`,
  "api.ridl": `webrpc = v1
name = shop
version = v1.0.0

import "common.ridl"

# What is for sale.
struct Item
  - id: uint32
  # Who has it.
  - owner: Address
    + json = owned_by
  - tags?: []string
    + maxItems = 5
  - colors: map<Color,uint8>
    + maxProperties = 5

service Shop
  # One item.
  @auth:"X-Api-Key"
  @get:"/items/{id}"
  - GetItem(id: uint32) => (item: Item) errors Unauthorized
`,
} as const;

/** Returns {@link shop} with the cursor in front of a string in a document. */
export function shopAt(
  path: keyof typeof shop,
  before: string,
  mark = "§",
): Record<string, string> {
  const at = shop[path].indexOf(before);
  if (at === -1) throw new Error(`${path} does not contain ${before}`);
  const text = shop[path].slice(0, at) + mark + shop[path].slice(at);
  return { ...shop, [path]: text };
}
