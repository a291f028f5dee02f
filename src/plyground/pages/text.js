// Text as the pages write it.

/** Escape text for markup. @param {unknown} text */
export function escapeMarkup(text) {
  return String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

/** Begin with a capital letter. @param {string} text */
export function capitalize(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Write minus signs where numbers have hyphens. @param {string} text */
export function typeset(text) {
  return text.replace(/-(?=[\d∞])/g, "−");
}

/** Separate the thousands of a number. @param {string} digits */
export function groupThousands(digits) {
  const [whole, ...rest] = digits.split(".");
  return [whole.replace(/\B(?=(\d{3})+$)/g, ","), ...rest].join(".");
}

/** Count things: 1 node, 1,200 nodes. @param {number} n @param {string} one @param {string} many */
export function quantity(n, one, many = `${one}s`) {
  return `${groupThousands(String(n))} ${n === 1 ? one : many}`;
}
