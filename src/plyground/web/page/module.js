// Runs compiled kernels in a memory of their own: the module's data, its stack, a heap for the lists that rules make, and
// from `base` on as many bytes as the caller asks for.

const PAGE_BYTES = 65536;
const STACK_BYTES = 1 << 20;
const HEAP_BYTES = 4 << 20;
const ABOVE_DATA = 64;
const ALIGNMENT = 64;
const MAX_SAFE_MOVE = BigInt(Number.MAX_SAFE_INTEGER);

/** Return the compiled module of the page, from its text. @param {string} text */
export async function readModule(text) {
  return WebAssembly.compile(await readBytes(text));
}

/** Return bytes from their text: deflated, then base64. @param {string} text */
export async function readBytes(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(plain).arrayBuffer();
}

/**
 * Return the net as bytes; null if there is none.
 * @param {Pick<Facts, "net">} facts @returns {Promise<ArrayBuffer | null>}
 */
export async function readNet(facts) {
  return facts.net && readBytes(facts.net.data);
}

/**
 * Copy a net to an address, a multiple of 64, and write the addresses of its parts into it.
 * @param {Kernels} kernels @param {Pick<Facts, "net" | "memory">} facts @param {ArrayBuffer} net @param {number} at
 */
export function putNet({ words, bytes }, facts, net, at) {
  bytes.set(new Uint8Array(net), at);
  for (const [name, offset] of Object.entries(facts.net?.addresses ?? {})) {
    words[(at + facts.memory.net[name]) / 8] = BigInt(at + offset);
  }
}

/**
 * Start the module. `now` gives the time in nanoseconds, a BigInt.
 * @param {WebAssembly.Module} module @param {number} room @param {() => bigint} now @returns {Kernels}
 */
export function startModule(module, room, now) {
  const memory = new WebAssembly.Memory({ initial: Math.ceil((16 << 20) / PAGE_BYTES) });
  const place = () => new WebAssembly.Global({ value: "i32", mutable: true }, 0);
  /** @param {number} x @param {number} y */
  const fmod = (x, y) => x % y;
  const own = { __linear_memory: memory, __stack_pointer: place(), __heap_base: place(), __heap_end: place(), clock: now, fmod };
  const env = Object.assign(Object.create(Math), own); // exp, log and the like
  const kernels = /** @type {KernelExports} */ (new WebAssembly.Instance(module, { env }).exports);

  const stack = Math.ceil((kernels.data_end.value + ABOVE_DATA) / ALIGNMENT) * ALIGNMENT + STACK_BYTES;
  const heap = stack, out = heap + HEAP_BYTES, base = out + ALIGNMENT;
  own.__heap_base.value = heap;
  own.__heap_end.value = out;
  const missing = base + room - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES));
  const words = new BigInt64Array(memory.buffer), reals = new Float64Array(memory.buffer), bytes = new Uint8Array(memory.buffer);

  /**
   * Call a kernel and return its result (`reals[out / 8]` is the same word as a real). Throws if the rules fail.
   * @param {string} name @param {...bigint} given
   */
  function call(name, ...given) {
    own.__stack_pointer.value = stack; // a call that failed may have moved it
    words[heap / 8] = 0n;
    let status = 1;
    try {
      status = kernels[name](out, out + 8, ...given);
    } catch (e) {
      if (!(e instanceof WebAssembly.RuntimeError || e instanceof RangeError)) throw e;
    }
    if (status !== 0) throw new Error("the rules fail in this position");
    return words[out / 8];
  }
  return { call, words, reals, bytes, base, out };
}

/**
 * Return a word as a move: a Number, or a BigInt where Numbers are no longer exact, as for captures in draughts.
 * @param {bigint} word @returns {Move}
 */
export function asMove(word) {
  return word > MAX_SAFE_MOVE || word < -MAX_SAFE_MOVE ? word : Number(word);
}

/** Read the words of a position, in hexadecimal with dots between them. @param {string} words @returns {Row} */
export function readRow(words) {
  return BigInt64Array.from(words.split("."), (word) => BigInt.asIntN(64, BigInt(`0x${word}`)));
}
