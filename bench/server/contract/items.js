const seller = "0x4fA0b74fA0b74fA0b74fA0b74fA0b74fA0b74fA0";
const content = { name: "Ship", seller, price: "1250000", tags: ["a", "b"] };

/** The handler of PUT in both servers. */
export function put({ id, name, price, tags }) {
  return { id, name, seller, price, tags };
}

const items = Array.from({ length: 10 }, (_, index) => ({
  id: `item-${index}`,
  ...content,
}));

/** The handler of GET in both servers. */
export function list() {
  return items;
}

/** The requests that are measured, with their responses. */
export const calls = [
  {
    name: "PUT with a query and a body",
    verb: "PUT",
    path: "/items/item-1?notify=true",
    body: JSON.stringify(content),
    response: { id: "item-1", ...content },
  },
  {
    name: "GET with a query, 10 items",
    verb: "GET",
    path: `/items?seller=${seller}&limit=10&tag=a&tag=b`,
    body: "",
    response: items,
  },
];
