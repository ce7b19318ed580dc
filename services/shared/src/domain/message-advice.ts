/** Works wherever the service runs. Single quotes, because JSON would escape double quotes. */
export const keysCommand = (command: string) => `\`make keys ARGS='${command}'\``;

/** How to send a key. */
export const HOW_TO_SEND = "as `?key=…`, `Authorization: Bearer …` or `X-API-Key: …`";
