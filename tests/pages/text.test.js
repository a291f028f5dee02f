// Text as the pages write it, and boards put together from their pictures.

import assert from "node:assert/strict";
import { test } from "node:test";
import { drawBoard } from "../../src/plyground/board/picture.js";
import { capitalize, quantity, escapeMarkup, groupThousands, typeset } from "../../src/plyground/pages/text.js";

test("text is escapeMarkup, counted and set", () => {
  assert.equal(escapeMarkup(`<b a='"'>&`), "&#60;b a=&#39;&#34;&#39;&#62;&#38;");
  assert.deepEqual([1, 2, 1234567].map((n) => quantity(n, "ply", "plies")), ["1 ply", "2 plies", "1,234,567 plies"]);
  assert.deepEqual(["999", "1000", "12345.6789"].map(groupThousands), ["999", "1,000", "12,345.6789"]);
  assert.deepEqual(["-3, e2-e4, -∞"].map(typeset), ["−3, e2-e4, −∞"]);
  assert.deepEqual(["", "é", "wins"].map(capitalize), ["", "É", "Wins"]);
});

test("a board is put together from its parts", () => {
  const cells = [[0, 0, 10, 10, 0], [10, 0, 10, 10, 0]];
  const view = { box: [-5, -5, 30, 20], bare: [0, 0, 20, 10], ground: "<ground/>", labels: ["<label/>"], cells };
  /** @type {any} */
  const picture = { views: [view, view], sets: [["", "<x/>"]], marks: ["<mark/>"] };
  assert.equal(
    drawBoard(picture, [0, 1], { fresh: (cell) => cell === 1 }),
    '<svg class="board" viewBox="-5 -5 30 20" aria-hidden="true"><ground/>' +
      '<g class="fresh" transform="translate(10 0)"><mark/></g><g data-cell="1" transform="translate(10 0)"><x/></g><label/></svg>',
  );
  assert.match(drawBoard(picture, [0, 0], { labelled: false }), /viewBox="0 0 20 10" aria-hidden="true"><ground\/><\/svg>$/);
});
