// User preferences: theme and motion.

/** Switch between light and dark; return which it is now. */
export function switchTheme() {
  const { dataset } = document.documentElement;
  const dark = dataset.theme ? dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  dataset.theme = dark ? "light" : "dark";
  return dataset.theme;
}

/** Return whether the reader's system asks for as little motion as possible. */
export function prefersReducedMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
