// What the tests of the scripts use of Node, so that checking them installs nothing more.
declare module "node:test" {
  export function test(name: string, run: () => void | Promise<void>): void;
}
declare module "node:assert/strict" {
  const assert: any;
  export default assert;
}
