import type { Page } from "playwright-core";

/** More tab stops than any page has before the target. */
const MAX_STOPS = 60;

interface Focus {
  name: string;
  outline: string;
  isShown: boolean;
}

/** Runs in the page. */
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
 * @returns the label or text of the element that now has the focus.
 * @throws Error if the focus isn't visible.
 */
export async function tab(page: Page): Promise<string> {
  await page.keyboard.press("Tab");
  const { name, outline, isShown } = await page.evaluate<Focus>(FOCUS);
  if (outline === "none" || !isShown) throw new Error(`${page.url()}: the focus on ${name} isn't visible`);
  return name;
}

/** Presses Tab until `name` has the focus. @throws Error if it can't be reached, or if the focus isn't visible on the way. */
export async function tabTo(page: Page, name: string): Promise<void> {
  const stops: string[] = [];
  for (let stop = await tab(page); stop !== name; stop = await tab(page)) {
    stops.push(stop);
    if (stops.length > MAX_STOPS)
      throw new Error(`${page.url()}: ${name} can't be reached by Tab: ${stops.join(", ")}`);
  }
}
