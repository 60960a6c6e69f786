import { createWarehouseApiV2HostClient } from "./generated/client.js";

/** What the shop needs from the warehouse. */
export interface Stock {
  listNames(tags: readonly string[]): Promise<string[]>;
  sell(sku: string, pieces: number): Promise<number | string[]>;
  addPhoto(sku: string, photo: Blob, altText: string): Promise<string>;
}

export function createStock(baseUrl: string, key: string): Stock {
  const { articles, stockMovements } = createWarehouseApiV2HostClient({
    baseUrl,
    credentials: { apiKey: key },
  });
  return {
    async listNames(tags) {
      const names: string[] = [];
      let cursor: string | null | undefined;
      do {
        const page = await articles.listArticles({
          ...{ tags: [...tags], inStock: true, sort: "name" },
          ...(cursor && { cursor }),
        });
        names.push(...page.items.map(({ name }) => name));
        cursor = page["next-cursor"];
      } while (cursor);
      return names;
    },

    async sell(sku, pieces) {
      const result = await stockMovements.postMovement.result({
        sku,
        amount: -pieces,
        reason: "sale",
      });
      if (result.ok) return result.value.stock;
      const { error } = result;
      if (error.name !== "UnprocessableEntity" || !error.data) throw error;
      return error.data.errors.map(({ text }) => text);
    },

    async addPhoto(sku, photo, altText) {
      const request = { sku, file: photo, "alt-text": altText };
      return (await articles.createArticlePhoto(request)).href;
    },
  };
}
