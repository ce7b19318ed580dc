import type { Page } from "playwright-core";

/** More stops than any page has before what is looked for. */
const MOST_STOPS = 60;

interface Focus {
  name: string;
  outline: string;
  isShown: boolean;
}

/** Run in the page, which has a DOM. */
const FOCUS = `(() => {
  const element = document.activeElement;
  const { left, top, width, height } = element.getBoundingClientRect();
  const label = element.labels?.[0]?.firstChild.textContent ?? element.textContent;
  return {
    name: label.trim(),
    outline: getComputedStyle(element).outlineStyle,
    isShown: width > 1 && height > 1 && left + width > 0 && top + height > 0 && top < innerHeight,
  };
})()`;

/**
 * Presses Tab.
 * @returns what has the focus then: its label, or its text.
 * @throws Error when nobody could see that it has.
 */
export async function tab(page: Page): Promise<string> {
  await page.keyboard.press("Tab");
  const { name, outline, isShown } = await page.evaluate<Focus>(FOCUS);
  if (outline === "none" || !isShown) throw new Error(`${page.url()}: nobody sees that ${name} has the focus`);
  return name;
}

/** Presses Tab until this has the focus. @throws Error when it is not reached, or a stop on the way is not seen. */
export async function tabTo(page: Page, name: string): Promise<void> {
  const stops: string[] = [];
  for (let stop = await tab(page); stop !== name; stop = await tab(page)) {
    stops.push(stop);
    if (stops.length > MOST_STOPS) throw new Error(`${page.url()}: ${name} is none of its stops: ${stops.join(", ")}`);
  }
}
