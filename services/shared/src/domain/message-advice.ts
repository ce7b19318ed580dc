/** Works wherever the service runs. Single quotes, because JSON would escape double quotes. */
export const keysCommand = (command: string) => `\`./geolookup keys ${command}\``;

/** How operators issue a key, and change its plan. */
export const ISSUE = `issue a key in the console, or with ${keysCommand("issue …")}`;
export const SET_PLAN = `change the key's plan in the console, or with ${keysCommand("set-plan ID PLAN")}`;

/** How to send a key. */
export const HOW_TO_SEND = "as `?key=…`, `Authorization: Bearer …` or `X-API-Key: …`";
