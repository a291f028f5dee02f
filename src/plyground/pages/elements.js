// Elements of the document, found or made.

/** Return the element with this id. @param {string} id */
export function byId(id) {
  return find(`#${id}`);
}

/**
 * Return the first element that a selector finds; the page always has one.
 * @param {string} selector @param {ParentNode} root @returns {HTMLElement}
 */
export function find(selector, root = document) {
  const found = root.querySelector(selector);
  if (!found) throw new Error(`the page has no ${selector}`);
  return /** @type {HTMLElement} */ (found);
}

/**
 * Return the element of this kind that the selector finds: `findAs(HTMLInputElement, "#slider")`.
 * @template {Element} T @param {new () => T} kind @param {string} selector @param {ParentNode} root @returns {T}
 */
export function findAs(kind, selector, root = document) {
  const found = root.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`the page has no ${selector}`);
  return found;
}

/**
 * Return the element around the target of an event that a selector finds.
 * @param {Event} event @param {string} selector @returns {HTMLElement | null}
 */
export function touched(event, selector) {
  return event.target instanceof Element ? event.target.closest(selector) : null;
}

/**
 * Make an element with these properties.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {Partial<HTMLElementTagNameMap[K]>} properties @param {(Node | string)[]} children
 */
export function make(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}
