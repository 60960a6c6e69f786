// A schema of any size in a realistic style: docs, metadata, annotations,
// optional fields, lists and maps, and a service for each group.

/**
 * Returns RIDL of at least `lines` lines. The result depends only on that
 * number.
 */
export function writeSchema(lines) {
  const parts = [header];
  let written = countLines(header);
  for (let index = 0; written < lines; index++) {
    const part = writeGroup(index);
    parts.push(part);
    written += countLines(part);
  }
  return parts.join("");
}

function countLines(text) {
  return text.split("\n").length - 1;
}

const header = `webrpc = v1
name = large
version = v1.0.0
basepath = /rpc

# The address of an account.
type Address: string
  + pattern = "^0x[0-9a-fA-F]{40}$"
  + title = "an address"

error 1 NotFound "Not found" HTTP 404
`;

function writeGroup(index) {
  const previous = Math.max(0, index - 1);
  return `
error ${index + 2} Failed${index} "Group ${index} failed" HTTP 500

# How items of group ${index} are sorted.
enum Order${index}: uint32
  - NONE
  - ASCENDING # smallest first
  - DESCENDING

# One item of group ${index}: what the
# platform knows about it.
struct Item${index}
  # Its number.
  - id: uint64
    + json = itemId
    + go.field.name = ID
  - owner: Address
  - title: string
    + maxLength = 80
  - tags?: []string # at most ten
    + maxItems = 10
  - balances: map<string,bigint>
  - related: []Item${previous}
  - order: Order${index}
  - createdAt: timestamp

struct ListItems${index}Request
  - owner: Address
  - order?: Order${index}

struct ListItems${index}Response
  - items: []Item${index}
  - next?: string

# Everything about group ${index}.
service Group${index}
  # One item by its number.
  @readonly
  - GetItem(id: uint64, owner?: Address) => (item: Item${index}) errors NotFound | Failed${index}

  # All items of an owner.
  @deprecated:"use GetItem"
  - ListItems(ListItems${index}Request) => (ListItems${index}Response)
  - PutItems(items: []Item${index}, labels: map<string,[]string>) => (count: uint32)
`;
}
