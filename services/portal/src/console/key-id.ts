const KEY_ID = /^key_[0-9A-Za-z]{1,40}$/;

/** Whether a text has the form of a key ID. Only such texts are put into headers and links. */
export function isKeyId(text: string): boolean {
  return KEY_ID.test(text);
}
