// Describes files in messages. A handler can return a file as a `File`, a `Blob`, or a `FileData`, whose bytes are read while they are sent.
import { isFileData, toFile, type FileData } from "@ridlkit/runtime/file-data";

const cover: FileData = {
  name: "cover.txt",
  type: "text/plain",
  size: 5,
  stream: () => new Blob(["cover"]).stream(),
};
if (isFileData(cover)) {
  const file = await toFile(cover);
  console.log(file.name, file.size); // cover.txt 5
}
