import { createShapesServer } from "./generated/server.js";

export const shapes = createShapesServer({
  handlers: {
    shapes: {
      area({ kind, radius, width, height }) {
        if (kind === "circle" && radius !== undefined) {
          return { area: Math.PI * radius ** 2 };
        }
        return { area: (width ?? 0) * (height ?? 0) };
      },
    },
  },
});
