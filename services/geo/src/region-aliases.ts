export const REGION_ALIASES: Readonly<Record<string, Readonly<Record<string, string>>>> = {};
