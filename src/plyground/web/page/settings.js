// Who plays, at which level, for how long, and which side of the board is below. Stored with the game.

import { findAs } from "../../pages/elements.js";
import { switchTheme } from "../../pages/preferences.js";

const SECONDS = [0.2, 0.5, 1, 2, 5, 10, 30, 60];
const WHO = { both: "both sides", none: "neither (watch)" };

export class Settings {
  /** @param {Facts} facts @param {() => void} onChange */
  constructor(facts, onChange) {
    this.sides = facts.sides;
    this.full = facts.engine.full;
    this.onChange = onChange;
    this.level = 5;
    this.time = 2;
    this.flipped = false;
    this.theme = "";
    this.who = "0";
    this.fill();
    for (const id of ["side", "level", "time"]) this.select(id).addEventListener("change", () => this.read());
    this.write();
  }

  /** @param {string} id */
  select(id) {
    return findAs(HTMLSelectElement, `#${id}`);
  }

  /** Who plays each side: a person or the engine. */
  get players() {
    return this.sides.map((_, side) => (this.who === "both" || this.who === String(side) ? "person" : "engine"));
  }

  fill() {
    const alone = this.sides.length === 1;
    const sides = Object.entries({ ...Object.fromEntries(this.sides.entries()), ...WHO });
    this.options("side", alone ? [["0", "yourself"], ["none", "nobody (watch)"]] : sides);
    const levels = Array.from({ length: this.full }, (_, i) => String(i + 1));
    this.options("level", levels.map((n, i) => [n, i + 1 === this.full ? `${n} (full)` : n]));
    this.options("time", SECONDS.map((n) => [String(n), `${n} s`]));
  }

  /** @param {string} id @param {[value: string, text: string][]} pairs */
  options(id, pairs) {
    this.select(id).replaceChildren(...pairs.map(([value, text]) => new Option(text, value)));
  }

  /** Read the choices; the person's side of the board goes below. */
  read() {
    const who = this.select("side").value;
    if (who !== this.who) this.flipped = who === "1";
    this.who = who;
    this.level = Number(this.select("level").value);
    this.time = Number(this.select("time").value);
    this.onChange();
  }

  write() {
    this.select("side").value = this.who;
    this.select("level").value = String(this.level);
    if (!SECONDS.includes(this.time)) this.select("time").append(new Option(`${this.time} s`, String(this.time)));
    this.select("time").value = String(this.time);
    if (this.theme) document.documentElement.dataset.theme = this.theme;
  }

  /** Take over stored settings, as far as they are valid. @param {Partial<StoredSettings>} stored */
  take({ who, level, time, flipped, theme }) {
    const known = Array.from(this.select("side").options, (option) => option.value);
    if (who !== undefined && known.includes(who)) this.who = who;
    if (level !== undefined && Number.isInteger(level) && level >= 1 && level <= this.full) this.level = level;
    if (time !== undefined && time >= 0.01 && time <= 3600) this.time = Number(time);
    if (typeof flipped === "boolean") this.flipped = flipped;
    if (theme === "light" || theme === "dark") this.theme = theme;
    this.write();
  }

  toJSON() {
    const { who, level, time, flipped, theme } = this;
    return { who, level, time, flipped, theme };
  }

  /**
   * Take over settings from an address: play (a side's name or number, both, none), level and time. Return the rest of the
   * address.
   * @param {string} hash
   */
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

  toggleTheme() {
    this.theme = switchTheme();
  }
}
