// What ESLint checks in the scripts of the pages, and in their tests.

import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: [".venv/", "site/", "web/", "**/*.d.ts"] },
  js.configs.recommended,
  {
    files: ["src/**/*.js"],
    languageOptions: { globals: globals.browser },
    rules: { eqeqeq: "error", "no-var": "error", "prefer-const": ["error", { destructuring: "all" }] },
  },
  { files: ["src/**/worker.js"], languageOptions: { globals: globals.worker } },
  { files: ["tests/**/*.js"], languageOptions: { globals: globals.node } },
];
