const KEY_ID = /^key_[0-9A-Za-z]{1,40}$/;

/** Whether a text can be a key ID. Nothing else gets into a header or a link. */
export function isKeyId(text: string): boolean {
  return KEY_ID.test(text);
}
