/**
 * The reader program: one JSON request a line on standard input, one answer a line on standard
 * output, in order, until the input ends.
 */

import { once } from "node:events";

import { answer } from "./answering.js";
import { splitLines } from "./lines.js";

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // Whoever asked is gone: nothing is left to answer.
  process.exit(error.code === "EPIPE" ? 0 : 1);
});

for await (const lines of splitLines(process.stdin)) {
  const text = lines.map((line) => `${JSON.stringify(answer(line))}\n`).join("");
  if (!process.stdout.write(text)) {
    await once(process.stdout, "drain");
  }
}
