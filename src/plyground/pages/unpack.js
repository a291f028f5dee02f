// Unpacks the packed script elements in order. One of them is the page's own script, which then runs.
(async () => {
  /** @type {NodeListOf<HTMLScriptElement>} */
  const packed = document.querySelectorAll("script[data-type]");
  for (const element of packed) {
    const bytes = Uint8Array.from(atob(element.text), (c) => c.charCodeAt(0));
    const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const script = document.createElement("script");
    script.id = element.id;
    script.type = element.dataset.type ?? "";
    script.textContent = await new Response(plain).text();
    element.replaceWith(script);
  }
})();
