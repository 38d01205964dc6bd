const LINE_FEED = 0x0a;

/** Yields, for each chunk, the lines that it completes, without their LF; then a last open line. */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly Uint8Array[]> {
  let open: Uint8Array[] = [];
  for await (const chunk of chunks) {
    const lines: Uint8Array[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      open.push(chunk.subarray(start, end));
      lines.push(Buffer.concat(open));
      open = [];
      start = end + 1;
    }
    if (start < chunk.length) {
      open.push(chunk.subarray(start));
    }
    if (lines.length > 0) {
      yield lines;
    }
  }
  if (open.length > 0) {
    yield [Buffer.concat(open)];
  }
}
