// Who plays, how strongly, how long, and which way the board is turned. They are stored with the game.

const SECONDS = [0.2, 0.5, 1, 2, 5, 10, 30, 60];
const FULL_LEVEL = 10;
const WHO = { both: "both sides", none: "neither: watch" };

export class Settings {
  constructor(facts, onChange) {
    this.sides = facts.sides;
    this.onChange = onChange;
    this.level = 5;
    this.time = 2;
    this.flipped = false;
    this.theme = "";
    this.who = "0";
    this.fill();
    for (const id of ["side", "level", "time"]) this.part(id).addEventListener("change", () => this.read());
    this.write();
  }

  part(id) {
    return document.getElementById(id);
  }

  // A person or the engine, for each side.
  get players() {
    return this.sides.map((_, side) => (this.who === "both" || this.who === String(side) ? "person" : "engine"));
  }

  fill() {
    const alone = this.sides.length === 1;
    const sides = alone ? [["0", "yourself"], ["none", "not: watch"]] : [...this.sides.map((name, i) => [i, name]), ...Object.entries(WHO)];
    this.options("side", sides);
    this.options("level", Array.from({ length: FULL_LEVEL }, (_, i) => [i + 1, i + 1 === FULL_LEVEL ? "10 (full)" : i + 1]));
    this.options("time", SECONDS.map((n) => [n, `${n} s`]));
  }

  options(id, pairs) {
    this.part(id).replaceChildren(...pairs.map(([value, text]) => new Option(text, value)));
  }

  // The person's side of the board is below.
  read() {
    const who = this.part("side").value;
    if (who !== this.who) this.flipped = who === "1";
    Object.assign(this, { who, level: Number(this.part("level").value), time: Number(this.part("time").value) });
    this.onChange();
  }

  write() {
    this.part("side").value = this.who;
    this.part("level").value = this.level;
    if (!SECONDS.includes(this.time)) this.part("time").append(new Option(`${this.time} s`, this.time));
    this.part("time").value = this.time;
    if (this.theme) document.documentElement.dataset.theme = this.theme;
  }

  // Takes over what was stored, as far as it makes sense.
  take({ who, level, time, flipped, theme }) {
    const known = Array.from(this.part("side").options, (option) => option.value);
    if (known.includes(who)) this.who = who;
    if (Number.isInteger(level) && level >= 1 && level <= FULL_LEVEL) this.level = level;
    if (time >= 0.01 && time <= 3600) this.time = Number(time);
    if (typeof flipped === "boolean") this.flipped = flipped;
    if (["light", "dark"].includes(theme)) this.theme = theme;
    this.write();
  }

  toJSON() {
    const { who, level, time, flipped, theme } = this;
    return { who, level, time, flipped, theme };
  }

  // An address may also say who plays: play (a side's name or number, both, none), level and time. Returns the rest of it.
  fromHash(hash) {
    const rest = [];
    for (const part of hash.split("&")) {
      const [name, value = ""] = part.split("=");
      if (name === "play") this.take({ who: this.sides.includes(value) ? String(this.sides.indexOf(value)) : value });
      else if (name === "level") this.take({ level: Number(value) });
      else if (name === "time") this.take({ time: Number(value) });
      else rest.push(part);
    }
    return rest.join("&");
  }

  turnLights() {
    const now = document.documentElement.dataset.theme;
    const dark = now ? now === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    this.theme = dark ? "light" : "dark";
    this.write();
  }
}
