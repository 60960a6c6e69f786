import { NotAnImageError } from "./generated/errors.js";
import { createUsersServer } from "./generated/server.js";

/** Pictures by user. */
export const pictures = new Map<string, Uint8Array>();

function save(user: string, picture: Uint8Array): void {
  pictures.set(user, picture);
}

const signatures = [
  [0x89, 0x50, 0x4e, 0x47],
  [0xff, 0xd8, 0xff],
];

export const users = createUsersServer({
  maxUploadBytes: 100_000,
  handlers: {
    users: {
      listUsers: () => ({
        users: Array.from(pictures.keys(), (name) => ({ name })),
      }),
      async setPicture({ user, picture }) {
        const content = new Uint8Array(
          await new Response(picture.stream()).arrayBuffer(),
        );
        const isImage = signatures.some((signature) =>
          signature.every((byte, index) => content[index] === byte),
        );
        if (!isImage) throw new NotAnImageError();
        save(user, content);
        return { bytes: content.length };
      },
    },
  },
});
