/** The value of a JSON text, or of its bytes in UTF-8; undefined if it isn't JSON. */
export function parseJson(text: string | Uint8Array): unknown {
  try {
    return JSON.parse(
      typeof text === "string" ? text : Buffer.from(text.buffer, text.byteOffset, text.length).toString(),
    );
  } catch {
    return undefined;
  }
}
