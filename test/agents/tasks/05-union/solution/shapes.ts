import { createShapesServer } from "./generated/server.js";

export const shapes = createShapesServer({
  handlers: {
    shapes: {
      area({ shape }) {
        switch (shape.kind) {
          case "circle":
            return { area: Math.PI * shape.radius ** 2 };
          case "rectangle":
            return { area: shape.width * shape.height };
        }
      },
    },
  },
});
